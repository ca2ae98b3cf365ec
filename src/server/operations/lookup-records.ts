import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { canSee, canWrite } from '#engine/access/resource-access.ts';
import { expandField } from '#engine/schema/expand-resource.ts';
import { fieldsAt, type PathPlace, targetPlace } from '#engine/schema/field-path.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { parseRecord } from '#engine/record/parse-record.ts';
import { AppError } from '#server/errors.ts';
import {
  attachReferences,
  dictionaryLabels,
  dictionarySource,
  linesOf,
  type OpenRecord,
} from './attach-references.ts';
import { bindFilter } from './bind-filter.ts';
import { pickableConditions } from './check-references.ts';
import { labelExpression } from './label-expression.ts';
import { COUNT_CAP } from './list-totals.ts';
import type { Call } from './open-call.ts';
import { keywordConditions } from './query-records.ts';
import { recordScope } from './record-scope.ts';
import { targetOf } from './reference-book.ts';
import { bind, quoteName, statementName } from './statement.ts';
import { linesTableOf, tableOf } from './table-source.ts';

/** What may be picked for a field. */
export interface LookupAnswer {
  readonly records: readonly LookupRecord[];
  readonly total: number;
  readonly currentPage: number;
  readonly pageSize: number;
}

export interface LookupRecord {
  readonly id: string;
  readonly label: string;
  readonly caption: readonly string[];
  readonly fill: Readonly<Record<string, unknown>>;
  readonly fillLabels: Readonly<Record<string, unknown>>;
  /** Values of the record that rules of the asking resource read: `country_id.is_sanctioned`. */
  readonly paths: Readonly<Record<string, unknown>>;
}

/**
 * The records (or dictionary values) that a person may pick for a field. Whoever may write the field may look, with no
 * right on the target. The field's `where` is applied with the values of the record as it is in the form.
 */
export async function lookupRecords(call: Call, path: string, body: unknown): Promise<LookupAnswer> {
  const asked = parseLookup(call, path, body);
  const { field } = asked;
  if (field.type === 'dictionary' && dictionarySource(call.catalog, field) === null)
    return listOptions(call.catalog, asked);
  return field.type === 'dictionary' ? lookupDictionary(call, asked) : lookupReference(call, asked);
}

interface Asked {
  readonly field: Field;
  readonly path: string;
  readonly keyword: string;
  /** Exact labels or captions to resolve in one call (a block pasted into lines); null: a search by keyword. */
  readonly texts: readonly string[] | null;
  /** The head and, for a column, the line as they are in the form. */
  readonly record: OpenRecord;
  readonly line: OpenRecord | null;
  readonly lines: string | null;
  readonly currentPage: number;
  readonly pageSize: number;
}

async function lookupReference(call: Call, asked: Asked): Promise<LookupAnswer> {
  const { field } = asked;
  const holder = asked.line ?? asked.record;
  const target = targetOf(field, holder);
  const place = target === null ? null : targetPlace(target, call.catalog);
  if (target === null || place === null)
    return { records: [], total: 0, currentPage: 1, pageSize: asked.pageSize };
  const values: unknown[] = [];
  const company = asked.record['co_code'] ?? call.caller.subject.co_code;
  const conditions = [...(pickableConditions(call, target, { alias: 't', values, company }) ?? ['false'])];
  const where = await boundWhere(call, asked);
  if (where !== null)
    conditions.push(
      `(${filterToSql(where, {
        resource: place.resource,
        catalog: call.catalog,
        alias: 't',
        context: call.caller.context,
        values,
        ...(place.lines === undefined ? {} : { lines: place.lines }),
      })})`,
    );
  const label = labelExpression(call.catalog, target, 't');
  if (asked.texts !== null) conditions.push(textsCondition(place, label, asked.texts, values));
  else if (asked.keyword !== '') conditions.push(...searchConditions(place, label, asked.keyword, values));
  return pickRows(call, { place, asked, conditions, values, label, key: 'id' });
}

async function lookupDictionary(call: Call, asked: Asked): Promise<LookupAnswer> {
  const [target = '', by = ''] = (dictionarySource(call.catalog, asked.field) ?? '').split('@');
  const place = targetPlace(target, call.catalog);
  if (place === null || !Object.hasOwn(place.resource.fields, by))
    return { records: [], total: 0, currentPage: 1, pageSize: asked.pageSize };
  const from = call.catalog.dictionaries[asked.field.dictionary ?? '']?.from;
  const named =
    from?.label !== undefined && Object.hasOwn(place.resource.fields, from.label) ? from.label : null;
  const label = named === null ? labelExpression(call.catalog, target, 't') : `t.${quoteName(named)}::text`;
  const values: unknown[] = [];
  const conditions = [`t.is_deleted = false`, `t.${quoteName(by)} is not null`];
  if (place.resource.scope === 'company')
    conditions.push(`t.co_code = ${bind(values, call.caller.subject.co_code)}`);
  if (place.resource.lifecycle?.states['disabled'] !== undefined)
    conditions.push(`t.status is distinct from 'disabled'`);
  if (asked.keyword !== '') conditions.push(...searchConditions(place, label, asked.keyword, values));
  return pickRows(call, { place, asked, conditions, values, label, key: by });
}

/** Whose label or one of whose captions is one of the texts, letter case ignored. */
function textsCondition(
  place: PathPlace,
  label: string,
  texts: readonly string[],
  values: unknown[],
): string {
  const wanted = bind(
    values,
    texts.map((text) => text.toLowerCase()),
  );
  const { resource, lines } = place;
  const captions =
    lines === undefined ? resource.caption.filter((name) => isTextCaption(resource, name)) : [];
  const columns = [label, ...captions.map((name) => `t.${quoteName(name)}::text`)];
  return `(${columns.map((column) => `lower(${column}) = any(${wanted}::text[])`).join(' or ')})`;
}

function isTextCaption(resource: Resource, name: string): boolean {
  return (
    isShownCaption(resource, name) &&
    resource.fields[name]?.type === 'text' &&
    resource.fields[name].multiple !== true
  );
}

function searchConditions(
  place: PathPlace,
  label: string,
  keyword: string,
  values: unknown[],
): readonly string[] {
  if (place.lines === undefined && place.resource.kind !== 'view') return keywordConditions(keyword, values);
  return [`${label} ilike ${bind(values, `%${keyword.replace(/[\\%_]/g, '\\$&')}%`)}`];
}

interface Picking {
  readonly place: PathPlace;
  readonly asked: Asked;
  readonly conditions: readonly string[];
  readonly values: unknown[];
  readonly label: string;
  /** Column that is the value: `id`, or the code of a dictionary. */
  readonly key: string;
}

async function pickRows(call: Call, picking: Picking): Promise<LookupAnswer> {
  const { place, asked, values, label } = picking;
  const { resource, lines } = place;
  const from = lines === undefined ? tableOf(resource) : linesTableOf(resource, lines);
  const columns =
    lines === undefined ? resource.caption.filter((name) => isShownCaption(resource, name)) : [];
  const where = picking.conditions.length === 0 ? 'true' : picking.conditions.join(' and ');
  const select = [
    `t.${quoteName(picking.key)}::text as id`,
    `${label} as label`,
    ...columns.map((name) => `t.${quoteName(name)} as ${quoteName(`c_${name}`)}`),
  ];
  const countText = `select count(*)::int as n from (select 1 from ${from} t where ${where} limit ${COUNT_CAP}) c`;
  const counting = call.services.db.query(countText, values, statementName(countText));
  const paged = [...values];
  const order = lines === undefined ? `2, t.id` : 't.parent_id desc, t.line_order';
  const text = `select ${select.join(', ')} from ${from} t where ${where} order by ${order} limit ${bind(paged, asked.pageSize)}::int offset ${bind(paged, (asked.currentPage - 1) * asked.pageSize)}::int`;
  const [rows, counted] = await Promise.all([
    call.services.db.query(text, paged, statementName(text)),
    counting,
  ]);
  const captions = await captionTexts(call, resource, { rows, columns });
  const filled = picking.key === 'id' ? await fillValues(call, asked, rows) : rows.map(() => NOTHING);
  return {
    records: rows.map((row, index) => ({
      id: String(row['id']),
      label: typeof row['label'] === 'string' ? row['label'] : '',
      caption: captions[index] ?? [],
      ...(filled[index] ?? NOTHING),
    })),
    total: Number(counted[0]?.['n'] ?? 0),
    currentPage: asked.currentPage,
    pageSize: asked.pageSize,
  };
}

type Filled = Pick<LookupRecord, 'fill' | 'fillLabels' | 'paths'>;
const NOTHING: Filled = { fill: {}, fillLabels: {}, paths: {} };

/**
 * What picking a row would put into the form, and the values that rules read from it: the same loading as for a saved
 * record, on records that have nothing but the picked reference.
 */
async function fillValues(call: Call, asked: Asked, rows: readonly OpenRecord[]): Promise<readonly Filled[]> {
  const { field, lines } = asked;
  const own = lines === null ? call.resource.fields : (call.resource.fields[lines]?.fields ?? {});
  const base = asked.line ?? asked.record;
  const by = typeof field.to === 'object' ? { [field.to.by]: base[field.to.by] } : {};
  const holders: OpenRecord[] = rows.map((row) => ({ ...by, [field.name]: row['id'] }));
  const heads = lines === null ? holders : holders.map((line) => ({ [lines]: [line] }));
  const prefix = lines === null ? '' : `${lines}.`;
  const fillPaths = Object.values(field.fill ?? {}).map((theirs) => `${prefix}${field.name}.${theirs}`);
  const request = { catalog: call.catalog, resource: call.resource, company: call.caller.subject.co_code };
  await attachReferences(call.services.db, {
    ...request,
    records: heads,
    withPaths: true,
    withLabels: false,
    extraPaths: fillPaths,
  });
  const filled = holders.map((holder) => {
    const paths: unknown = holder['_paths'];
    const known: OpenRecord = typeof paths === 'object' && paths !== null ? { ...paths } : {};
    const fill: OpenRecord = {};
    for (const [mine, theirs] of Object.entries(field.fill ?? {}))
      if (own[mine] !== undefined) fill[mine] = known[`${field.name}.${theirs}`] ?? null;
    const rulePaths = Object.entries(known).filter(
      ([path]) =>
        call.resource.paths.includes(`${prefix}${path}`) && !call.access.hiddenPaths.has(`${prefix}${path}`),
    );
    return { fill, paths: Object.fromEntries(rulePaths) };
  });
  const labelled: OpenRecord[] = filled.map(({ fill }) => ({ ...fill }));
  const asRecords = lines === null ? labelled : labelled.map((line) => ({ [lines]: [line] }));
  await attachReferences(call.services.db, {
    ...request,
    records: asRecords,
    withPaths: false,
    withLabels: true,
  });
  return filled.map(({ fill, paths }, index) => {
    const labels: unknown = labelled[index]?.['_labels'];
    return { fill, paths, fillLabels: typeof labels === 'object' && labels !== null ? { ...labels } : {} };
  });
}

async function captionTexts(
  call: Call,
  resource: Resource,
  { rows, columns }: { readonly rows: readonly OpenRecord[]; readonly columns: readonly string[] },
): Promise<readonly (readonly string[])[]> {
  if (columns.length === 0) return rows.map(() => []);
  const records: OpenRecord[] = rows.map((row) =>
    Object.fromEntries(columns.map((name) => [name, row[`c_${name}`] ?? null])),
  );
  await attachReferences(call.services.db, {
    catalog: call.catalog,
    resource,
    records,
    withPaths: false,
    withLabels: true,
    company: call.caller.subject.co_code,
  });
  return records.map((record) =>
    columns.map((name) => captionText(record, name)).filter((text) => text !== ''),
  );
}

function captionText(record: OpenRecord, name: string): string {
  const labels = record['_labels'];
  const label: unknown =
    typeof labels === 'object' && labels !== null ? Reflect.get(labels, name) : undefined;
  const value = label ?? record[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isShownCaption(resource: Resource, name: string): boolean {
  const field = resource.fields[name];
  return field !== undefined && field.type !== 'lines' && field.type !== 'secret' && field.mask === undefined;
}

function listOptions(catalog: Catalog, asked: Asked): LookupAnswer {
  const disabled = new Set(
    (catalog.dictionaries[asked.field.dictionary ?? '']?.items ?? [])
      .filter((item) => item.disabled === true)
      .map((item) => item.value),
  );
  const keyword = asked.keyword.toLowerCase();
  const found = [...dictionaryLabels(catalog, asked.field)].filter(
    ([value, label]) =>
      !disabled.has(value) &&
      (value.toLowerCase().includes(keyword) || label.toLowerCase().includes(keyword)),
  );
  const start = (asked.currentPage - 1) * asked.pageSize;
  return {
    records: found
      .slice(start, start + asked.pageSize)
      .map(([value, label]) => ({ id: value, label, caption: [], ...NOTHING })),
    total: found.length,
    currentPage: asked.currentPage,
    pageSize: asked.pageSize,
  };
}

/** The field's `where` with the form's values put in; rules over references of the form are loaded for it. */
async function boundWhere(call: Call, asked: Asked): Promise<ReturnType<typeof bindFilter> | null> {
  const { field, record, line, lines } = asked;
  if (field.where === undefined || Object.keys(field.where).length === 0) return null;
  await attachReferences(call.services.db, {
    catalog: call.catalog,
    resource: call.resource,
    records: [record],
    withPaths: true,
    withLabels: false,
    company: call.caller.subject.co_code,
  });
  const scope = recordScope(call, record);
  const held = line === null || lines === null ? line : (linesOf(record[lines])[0] ?? line);
  return bindFilter(
    field.where,
    held === null || lines === null ? scope : { ...scope, record: held, parent: record, lines },
  );
}

const KEYS: ReadonlySet<string> = new Set([
  'keyword',
  'record',
  'parent',
  'currentPage',
  'pageSize',
  'id',
  'texts',
]);

function parseLookup(call: Call, path: string, body: unknown): Asked {
  const given = isObject(body) ? body : {};
  const unknown = Object.keys(given).find((key) => !KEYS.has(key));
  if (unknown !== undefined)
    throw new AppError('BAD_REQUEST', { message: `未知参数“${unknown.slice(0, 40)}”` });
  const { field, lines } = findField(call, path);
  const keyword = given['keyword'] ?? '';
  const currentPage = given['currentPage'] ?? 1;
  const pageSize = given['pageSize'] ?? 20;
  if (typeof keyword !== 'string' || keyword.length > 100)
    throw new AppError('BAD_REQUEST', { message: '关键字应为文本，最多100个字' });
  if (!isWhole(currentPage, 100_000) || !isWhole(pageSize, 200))
    throw new AppError('BAD_REQUEST', { message: '页码或每页条数不正确（每页最多200）' });
  const texts = parseTexts(given['texts']);
  // A line is sent as `record` with its head as `parent`; a head alone as `record`.
  const sent = formRecord(call, lines === null ? given['record'] : (given['parent'] ?? {}));
  const line = lines === null ? null : formLine(call, lines, given['record']);
  if (line !== null && lines !== null) sent[lines] = [line];
  return {
    field,
    path,
    keyword: keyword.trim(),
    texts,
    record: sent,
    line,
    lines,
    currentPage,
    // Two records may bear one text: who asks must see that.
    pageSize: texts === null ? pageSize : texts.length * 2,
  };
}

const MAX_TEXTS = 200;

function parseTexts(given: unknown): readonly string[] | null {
  if (given === undefined) return null;
  const isList = Array.isArray(given) && given.length > 0 && given.length <= MAX_TEXTS;
  if (!isList || !given.every((text) => typeof text === 'string' && text.length <= 200))
    throw new AppError('BAD_REQUEST', { message: `texts 应为1至${MAX_TEXTS}个文本` });
  return given;
}

/** The field of a lookup: `buyer_id`, `items.goods_id`, or an action's input `submit.bank_id`. 403 for who may not write it. */
function findField(call: Call, path: string): { readonly field: Field; readonly lines: string | null } {
  const [first = '', second] = path.split('.');
  const { resource, access } = call;
  const head = Object.hasOwn(resource.fields, first) ? resource.fields[first] : undefined;
  const actions = resource.lifecycle?.actions ?? {};
  const action = Object.hasOwn(actions, first) ? actions[first] : undefined;
  if (second !== undefined && head?.type !== 'lines' && action !== undefined) {
    const input = Object.hasOwn(action.inputs ?? {}, second) ? action.inputs?.[second] : undefined;
    if (input !== undefined && access.operations.has(action.key))
      return pickable(expandField(second, input), null);
  }
  const columns = head?.fields ?? {};
  const field = second === undefined ? head : Object.hasOwn(columns, second) ? columns[second] : undefined;
  if (field === undefined || !canSee(access, path))
    throw new AppError('UNKNOWN_FIELD', { params: { field: path.slice(0, 60) } });
  const isWriter = access.operations.has('create') || access.operations.has('update');
  const mayFilter = access.operations.has('list');
  if (!(isWriter && canWrite(access, path)) && !mayFilter) throw new AppError('FORBIDDEN');
  return pickable(field, second === undefined ? null : first);
}

function pickable(
  field: Field,
  lines: string | null,
): { readonly field: Field; readonly lines: string | null } {
  if (field.type === 'reference' || field.type === 'dictionary') return { field, lines };
  throw new AppError('BAD_REQUEST', { message: `“${field.title}”不是可选择的字段` });
}

/** What a form sends is only read for conditions: what does not parse is left out. */
function formRecord(call: Call, given: unknown): OpenRecord {
  if (!isObject(given)) return {};
  const known = Object.fromEntries(
    Object.entries(given).filter(([name]) => {
      const field = Object.hasOwn(call.resource.fields, name) ? call.resource.fields[name] : undefined;
      return field !== undefined && field.type !== 'lines' && field.type !== 'secret';
    }),
  );
  const { values } = parseRecord(call.resource, known, 'update');
  return { ...values, ...computedValues(call.resource.fields, known) };
}

function formLine(call: Call, lines: string, given: unknown): OpenRecord {
  if (!isObject(given)) return {};
  const columns = fieldsAt({ resource: call.resource, catalog: call.catalog, lines });
  const known = Object.fromEntries(
    Object.entries(given).filter(([name]) => Object.hasOwn(columns, name) && name !== 'id'),
  );
  const { values } = parseRecord(call.resource, { [lines]: [known] }, 'create');
  return { ...linesOf(values[lines])[0], ...computedValues(columns, known) };
}

/** Computed fields of the form are dropped by the parser but conditions may read them (co_code, business_type). */
function computedValues(fields: Readonly<Record<string, Field>>, given: OpenRecord): OpenRecord {
  const values: OpenRecord = {};
  for (const [name, value] of Object.entries(given)) {
    const field = fields[name];
    if (
      field?.computed === true &&
      (typeof value === 'string' || typeof value === 'boolean') &&
      name !== 'co_code'
    )
      values[name] = value;
  }
  return values;
}

function isWhole(value: unknown, most: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= most;
}

function isObject(value: unknown): value is OpenRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
