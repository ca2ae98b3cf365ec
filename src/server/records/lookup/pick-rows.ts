import { among } from '#server/kernel/db/among.ts';
import type { LookupAnswer } from '#contract/lookup.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import type { PathPlace } from '#engine/schema/field-path.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { COUNT_CAP } from '#server/records/list/list-totals.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { keywordCloseness, keywordExactness } from '#server/records/list/keyword-conditions.ts';
import { finder } from '#server/records/list/query-records.ts';
import { bind, plannedAnew, quoteName, statementName } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { captionTexts } from './captions.ts';
import { type LineCaption, lineCaptionTexts } from './line-captions.ts';
import { fillValues, NO_FILL } from './lookup-fill.ts';
import type { LookupRequest } from './lookup-request.ts';

/** Which rows are offered, and what is said of each. */
export interface Picking {
  readonly place: PathPlace;
  readonly asked: LookupRequest;
  readonly conditions: readonly string[];
  readonly values: unknown[];
  readonly label: string;
  readonly captions: readonly string[];
  /** Of a line what its list shows beside it. */
  readonly lineCaptions: readonly LineCaption[];
  /** Column that is the value: `id`, or the code of a dictionary. */
  readonly key: string;
  /** The closest to the keyword come first, those that are called so before all. */
  readonly isRanked: boolean;
  /** Columns that tell what a row is called, as SQL: its label, and captions that are texts. */
  readonly namedBy: readonly string[];
  /** Rows that come before others that are as close. */
  readonly prefers: Filter | null;
}

/** One page of the rows that may be picked, with their captions and what each fills in. */
export async function pickRows(call: Call, picking: Picking): Promise<LookupAnswer> {
  const { place, asked, values, label } = picking;
  const { resource, lines } = place;
  const from = lines === undefined ? tableOf(resource) : linesTableOf(resource, lines);
  const columns = picking.captions;
  const where = [...picking.conditions, plannedAnew(values)].join(' and ');
  const select = [
    `t.${quoteName(picking.key)}::text as id`,
    `${label} as label`,
    't.id::text as row_id',
    ...columns.map((name) => `t.${quoteName(name)} as ${quoteName(`c_${name}`)}`),
  ];
  const countText = `select count(*)::int as n from (select 1 from ${from} t where ${where} limit ${COUNT_CAP}) c`;
  // A keyword is looked for by the application, what it finds is read behind the wall: see `finder`.
  const db = finder(call, asked);
  const counting = db.query(countText, values, statementName(countText));
  const paged = [...values];
  const order = orderOf(call, picking, paged);
  const page = `order by ${order} limit ${bind(paged, asked.pageSize)}::int offset ${bind(paged, (asked.currentPage - 1) * asked.pageSize)}::int`;
  const text = `select ${select.join(', ')} from ${from} t where ${where} ${page}`;
  const [found, counted] = await Promise.all([db.query(text, paged, statementName(text)), counting]);
  const rows = asked.keyword === '' ? found : await insideWall(call, from, found);
  const captions =
    lines === undefined
      ? await captionTexts(call, resource, { rows, columns })
      : await captionsOfLines(call, picking, rows);
  const isFilling = picking.key === 'id' && asked.isWriter;
  const filled = isFilling ? await fillValues(call, asked, rows) : rows.map(() => NO_FILL);
  return {
    records: rows.map((row, index) => ({
      id: String(row['id']),
      label: typeof row['label'] === 'string' ? row['label'] : '',
      caption: captions[index] ?? [],
      ...(filled[index] ?? NO_FILL),
    })),
    total: Number(counted[0]?.['n'] ?? 0),
    currentPage: asked.currentPage,
    pageSize: asked.pageSize,
  };
}

/** Who is called as was typed, then whom the form prefers, then who is foremost, then who is close; among equals by name. */
function orderOf(
  call: Call,
  { place, asked, isRanked, namedBy, prefers }: Picking,
  values: unknown[],
): string {
  const { resource, lines } = place;
  if (lines !== undefined) return 't.parent_id desc, t.line_order';
  const { catalog } = call;
  const { context } = call.caller;
  const preferred = [prefers, resource.foremost ?? null].flatMap((first) =>
    first === null
      ? []
      : [
          `case when ${filterToSql(first, { resource, catalog, alias: 't', context, values })} then 0 else 1 end`,
        ],
  );
  if (!isRanked) return [...preferred, '2', 't.id'].join(', ');
  const exactness = keywordExactness(asked.keyword, namedBy, values);
  const closeness = keywordCloseness(asked.keyword, values);
  return [`least(${exactness}, 1)`, ...preferred, closeness, exactness, '2', 't.id'].join(', ');
}

async function captionsOfLines(
  call: Call,
  { place, lineCaptions: captions }: Picking,
  rows: readonly OpenRecord[],
): Promise<readonly (readonly string[])[]> {
  const texts = await lineCaptionTexts(call, place, { ids: rows.map(({ id }) => String(id)), captions });
  return rows.map(({ id }) => texts.get(String(id)) ?? []);
}

/** Of the rows that the application found those that the wall leaves open. */
async function insideWall<R extends Record<string, unknown>>(
  call: Call,
  from: string,
  found: readonly R[],
): Promise<R[]> {
  const ids = found.map(({ row_id: id }) => id);
  const open = await callersReader(call).query(
    `select t.id::text as id from ${from} t where t.id = ${among('$1')}`,
    [ids],
    'inside_wall',
  );
  const inside = new Set(open.map(({ id }) => id));
  return found.filter(({ row_id: id }) => inside.has(id));
}
