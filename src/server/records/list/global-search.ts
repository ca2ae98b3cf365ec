import { among } from '#server/kernel/db/among.ts';
import { typedRank } from '#engine/search/typed-pinyin.ts';
import type { SearchHit } from '#contract/lists.ts';
import { rowConditions } from '#server/records/call/row-conditions.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { keywordCloseness, keywordConditions } from './keyword-conditions.ts';
import { captionTexts, speakingCaptions } from '#server/records/lookup/captions.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import { bind, quoteName, quoteText } from '#server/records/call/statement.ts';
import { isStored, tableOf } from '#server/records/call/table-source.ts';

const PER_RESOURCE = 5;
const MAX_HITS = 50;
const RESOURCES_PER_STATEMENT = 25;

/** Looks for records in everything that the role may list: number, name, pinyin initials. */
export async function searchEverything(
  services: Services,
  caller: Caller,
  text: string,
): Promise<readonly SearchHit[]> {
  const keyword = text.trim();
  if (keyword.length > 100) throw new AppError('BAD_REQUEST', { message: '关键字最多100个字' });
  if (keyword.length < 2) return [];
  const calls = Object.keys(currentCatalog(services).resources)
    .map((key) => openAnyCall(services, caller, key))
    .filter(isSearchable);
  const hits: Found[] = [];
  for (let start = 0; start < calls.length && hits.length < MAX_HITS; start += RESOURCES_PER_STATEMENT)
    hits.push(...(await searchSome(services, calls.slice(start, start + RESOURCES_PER_STATEMENT), keyword)));
  const best = hits.sort((a, b) => rank(a, keyword) - rank(b, keyword)).slice(0, MAX_HITS);
  const captions = await captionsOf(calls, best);
  // An invoice number is often the document's own: said once.
  return best.map(({ row, ...hit }) => ({
    ...hit,
    caption: (captions.get(row) ?? []).filter((said) => said !== hit.label),
  }));
}

type Row = Readonly<Record<string, unknown>>;
type Found = Omit<SearchHit, 'caption'> & { readonly row: Row };

/** What stands beside the names of the hits, resource by resource. */
async function captionsOf(
  calls: readonly Call[],
  hits: readonly Found[],
): Promise<ReadonlyMap<Row, readonly string[]>> {
  const captions = new Map<Row, readonly string[]>();
  await Promise.all(
    calls.map(async (call) => {
      const { resource } = call;
      const rows = hits.flatMap((hit) => (hit.resource === resource.resource ? [hit.row] : []));
      if (rows.length === 0) return;
      const texts = await captionTexts(call, resource, { rows, columns: speakingCaptions(call) });
      for (const [index, row] of rows.entries()) captions.set(row, texts[index] ?? []);
    }),
  );
  return captions;
}

async function searchSome(
  services: Services,
  calls: readonly Call[],
  keyword: string,
): Promise<readonly Found[]> {
  const values: unknown[] = [];
  const parts = calls.map((call) => {
    const conditions = [
      ...rowConditions(call, { alias: 't', values }),
      ...keywordConditions(keyword, values),
    ];
    const label = labelExpression(call.catalog, call.resource.resource, 't');
    // Of documents the newest are wanted; of files, where many hold two letters, the closest.
    const closeness = call.resource.kind === 'master' ? `${keywordCloseness(keyword, values)}, ` : '';
    const captions = speakingCaptions(call).flatMap((name) => [
      quoteText(`c_${name}`),
      `t.${quoteName(name)}`,
    ]);
    return `(select ${quoteText(call.resource.resource)}::text as resource, t.id::text as id, ${label} as label, jsonb_build_object(${captions.join(', ')}) as captions from ${tableOf(call.resource)} t where ${conditions.join(' and ')} order by ${closeness}t.id desc limit ${PER_RESOURCE})`;
  });
  if (parts.length === 0) return [];
  const found = await services.db.query(parts.join(' union all '), values);
  const rows = await insideWall(calls, found);
  const byKey = new Map(calls.map((call) => [call.resource.resource, call.resource]));
  return rows.flatMap((row) => {
    const resource = byKey.get(String(row['resource']));
    if (resource === undefined) return [];
    const page =
      resource.pages.find(({ kind }) => kind === 'details') ??
      resource.pages.find(({ kind }) => kind === 'list');
    return [
      {
        resource: resource.resource,
        title: resource.title,
        id: String(row['id']),
        label: typeof row['label'] === 'string' ? row['label'] : '',
        route: page?.route ?? null,
        row: rowOf(row['captions']),
      },
    ];
  });
}

/** Of the rows that the application found those that the wall leaves open, in one statement. */
async function insideWall(
  calls: readonly Call[],
  found: readonly Record<string, unknown>[],
): Promise<readonly Record<string, unknown>[]> {
  const [caller] = calls;
  if (caller === undefined || found.length === 0) return [];
  const values: unknown[] = [];
  const parts = calls.flatMap((call) => {
    const key = call.resource.resource;
    const ids = found.flatMap(({ resource, id }) => (resource === key ? [id] : []));
    return ids.length === 0
      ? []
      : [`select t.id::text as id from ${tableOf(call.resource)} t where t.id = ${among(bind(values, ids))}`];
  });
  const open = await callersReader(caller).query(parts.join(' union all '), values);
  const inside = new Set(open.map(({ id }) => id));
  return found.filter(({ id }) => inside.has(id));
}

function rowOf(captions: unknown): Row {
  return typeof captions === 'object' && captions !== null ? { ...captions } : {};
}

function isSearchable(call: Call): boolean {
  const { resource, access } = call;
  const mayFind = access.operations.has('list') && access.operations.has('read');
  return (
    mayFind &&
    isStored(resource) &&
    resource.kind !== 'log' &&
    resource.kind !== 'ledger' &&
    resource.kind !== 'config'
  );
}

function rank(hit: Found, wanted: string): number {
  return typedRank(hit.label, wanted) ?? FURTHEST;
}

/** Found by something else than its label. */
const FURTHEST = 5;
