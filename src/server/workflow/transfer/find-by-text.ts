import { canSee } from '#engine/access/resource-access.ts';
import { type PathPlace, targetPlace } from '#engine/schema/field-path.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import { pickableConditions } from '#server/records/prepare/check-references.ts';
import { shownCaptions } from '#server/records/lookup/captions.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import { accessTo, type Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { bind, quoteName, type Reader } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';

/** The record that a text names, or why none is. */
export type FoundRecord = { readonly id: string } | UnclearText;

export interface UnclearText {
  readonly message: string;
  /** The records that it may be, where there are several. */
  readonly among?: readonly string[];
}

/**
 * Finds the records that texts of a reference column name: by number, code or other unique text, else by label; else as
 * people write them: a number in groups, or the caption that stands beside the label where one picks (bank and currency
 * of an account, say).
 */
export interface TextFinder {
  /** Looks up the texts that are not known yet, in one statement. */
  readonly load: (field: Field, texts: ReadonlySet<string>) => Promise<void>;
  readonly find: (field: Field, text: string) => FoundRecord;
}

/** A finder for one import; it remembers what it found. */
export function createTextFinder(db: Reader, call: Call): TextFinder {
  const known = new Map<Field, Map<string, FoundRecord>>();
  const of = (field: Field): Map<string, FoundRecord> => {
    const found = known.get(field) ?? new Map<string, FoundRecord>();
    known.set(field, found);
    return found;
  };
  return {
    load: async (field, texts) => {
      const found = of(field);
      const asked = [...texts].filter((text) => !found.has(text));
      if (asked.length === 0) return;
      const matches = await findMatches(db, call, { field, texts: asked, namesOf: namesOfRecord });
      const missing = asked.filter((text) => !matches.has(text));
      const words = [...new Set(missing.map(spoken))].filter((text) => text !== '');
      const loose = await findMatches(db, call, { field, texts: words, namesOf: spokenNames });
      for (const text of asked)
        found.set(text, matches.has(text) ? choose(matches, text) : chooseSpoken(loose, text));
    },
    find: (field, text) => of(field).get(text) ?? { message: `“${text}”不存在或不可选用` },
  };
}

interface Match {
  readonly id: string;
  readonly keys: readonly string[];
}

/** SQL for what a record may be called: by its keys, which come first, and otherwise. */
interface RecordNames {
  readonly keys: readonly string[];
  readonly others: readonly string[];
}

interface Search {
  readonly field: Field;
  readonly texts: readonly string[];
  readonly namesOf: (call: Call, place: PathPlace) => RecordNames;
}

const MOST_MATCHES = 20_000;

async function findMatches(
  db: Reader,
  call: Call,
  { field, texts, namesOf }: Search,
): Promise<ReadonlyMap<string, readonly Match[]>> {
  const target = typeof field.to === 'string' ? field.to : '';
  const place = targetPlace(target, call.catalog);
  const found = new Map<string, Match[]>();
  if (texts.length === 0 || place === null || place.lines !== undefined) return found;
  const values: unknown[] = [];
  const conditions = pickableConditions(call, target, {
    alias: 't',
    values,
    company: call.caller.subject.co_code,
  });
  if (conditions === null) return found;
  const { keys, others } = namesOf(call, place);
  const asked = bind(values, texts);
  const matches = [...keys, ...others].map((name) => `${name} = any(${asked}::text[])`);
  const where = [
    ...conditions,
    ...whereOf(call, field, { resource: place.resource, values }),
    `(${matches.join(' or ')})`,
  ];
  const rows = await db.query(
    `select t.id::text as id, array[${keys.join(', ')}]::text[] as keys, array[${others.join(', ')}]::text[] as others from ${tableOf(place.resource)} t where ${where.join(' and ')} limit ${MOST_MATCHES}`,
    values,
  );
  for (const row of rows) {
    const match: Match = { id: String(row['id']), keys: textsOf(row['keys']) };
    for (const text of new Set([...match.keys, ...textsOf(row['others'])])) {
      const list = found.get(text) ?? [];
      list.push(match);
      found.set(text, list);
    }
  }
  return found;
}

function textsOf(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.filter((text): text is string => typeof text === 'string') : [];
}

function namesOfRecord(call: Call, { resource }: PathPlace): RecordNames {
  return {
    keys: keyFields(call, resource).map((name) => `t.${quoteName(name)}::text`),
    others: [labelExpression(call.catalog, resource.resource, 't')],
  };
}

/**
 * The same, the label with a part of the caption or all of it, and the whole caption, without what stands between them. A
 * part of the caption alone (a country) names nobody.
 */
function spokenNames(call: Call, place: PathPlace): RecordNames {
  const { resource } = place;
  const { keys, others } = namesOfRecord(call, place);
  const caption = shownCaptions(call, resource.resource, place).map((name) =>
    captionExpression(call, resource, name),
  );
  const label = labelExpression(call.catalog, resource.resource, 't');
  const joined = [
    ...(caption.length > 1 ? [caption] : []),
    ...(caption.length > 1 ? [[label, ...caption]] : []),
    ...caption.map((part) => [label, part]),
  ].map((parts) => `concat(${parts.join(', ')})`);
  return { keys: [], others: [...keys, ...others, ...joined].map(spokenExpression) };
}

function captionExpression(call: Call, resource: Resource, name: string): string {
  const field = resource.fields[name];
  const column = `t.${quoteName(name)}`;
  const target = typeof field?.to === 'string' ? targetPlace(field.to, call.catalog) : null;
  if (field?.type !== 'reference' || target === null || target.lines !== undefined) return `${column}::text`;
  const label = labelExpression(call.catalog, target.resource.resource, 'c');
  return `(select ${label} from ${tableOf(target.resource)} c where c.id = ${column} limit 1)`;
}

const BETWEEN = '[\\s·,，、/|()（）:：-]+';

function spoken(text: string): string {
  return text.toLowerCase().replaceAll(new RegExp(BETWEEN, 'gu'), '');
}

function spokenExpression(sql: string): string {
  return `regexp_replace(lower(${sql}), '${BETWEEN}', '', 'g')`;
}

function choose(matches: ReadonlyMap<string, readonly Match[]>, text: string): FoundRecord {
  const found = matches.get(text) ?? [];
  const byKey = found.filter(({ keys }) => keys.includes(text));
  return only(byKey.length > 0 ? byKey : found, text);
}

function chooseSpoken(matches: ReadonlyMap<string, readonly Match[]>, text: string): FoundRecord {
  return only(matches.get(spoken(text)) ?? [], text);
}

function only(found: readonly Match[], text: string): FoundRecord {
  const [first] = found;
  if (first === undefined) return { message: `“${text}”不存在或不可选用` };
  if (found.length > 1)
    return { message: `“${text}”对应多条记录，请改用编号`, among: found.map(({ id }) => id) };
  return { id: first.id };
}

/** Numbers, codes and unique texts of a resource, as far as this role sees them. */
function keyFields(call: Call, resource: Resource): readonly string[] {
  const access = accessTo(call.services, call.caller.subject, resource);
  const names = new Set([
    ...(resource.number === undefined ? [] : [resource.number.field]),
    ...resource.unique.flatMap(({ fields }) => (fields.length === 1 ? fields : [])),
    ...(Object.hasOwn(resource.fields, 'code') ? ['code'] : []),
  ]);
  return [...names].filter((name) => {
    const field = resource.fields[name];
    return (
      field !== undefined &&
      (field.type === 'text' || field.type === 'dictionary') &&
      field.mask === undefined &&
      canSee(access, name)
    );
  });
}

/** The field's own condition, where it does not depend on the record; that is checked with the record. */
function whereOf(
  call: Call,
  field: Field,
  at: { readonly resource: Resource; readonly values: unknown[] },
): readonly string[] {
  if (
    field.where === undefined ||
    /"=":|"(record|parent|source|above|before|input)\./.test(JSON.stringify(field.where))
  )
    return [];
  const where = bindFilter(field.where, at.resource.resource, recordScope(call, {}));
  if (Object.keys(where).length === 0) return [];
  const env = {
    resource: at.resource,
    catalog: call.catalog,
    alias: 't',
    context: call.caller.context,
    values: at.values,
  };
  return [`(${filterToSql(where, env)})`];
}
