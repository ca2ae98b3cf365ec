import type { LookupAnswer, LookupForm } from '#contract/lookup.ts';
import { matchesTyped } from '#engine/search/typed-pinyin.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { type PathPlace, targetPlace } from '#engine/schema/field-path.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { attachReferences, linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { dictionaryLabels, dictionarySource, isOfferedTo } from '#server/records/read/dictionary-labels.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import { takeOutForeign } from '#server/records/prepare/foreign-references.ts';
import { pickableConditions } from '#server/records/prepare/check-references.ts';
import { type NamedChoice, namedChoices } from '#server/records/read/named-choices.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import { NO_FILL } from './lookup-fill.ts';
import { type LookupRequest, parseLookup } from './lookup-request.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { eyesOn } from '#server/records/read/reader-eyes.ts';
import { keywordConditions } from '#server/records/list/keyword-conditions.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { targetOf } from '#server/records/read/reference-book.ts';
import { bind, quoteName } from '#server/records/call/statement.ts';
import { shownCaptions } from './captions.ts';
import { lineCaptions } from './line-captions.ts';
import { pickRows } from './pick-rows.ts';

/**
 * The records (or dictionary values) that a person may pick for a field. Whoever may write the field may look, with no
 * right on the target. The field's `where` is applied with the values of the record as it is in the form.
 */
export async function lookupRecords(call: Call, path: string, form: LookupForm): Promise<LookupAnswer> {
  const asked = parseLookup(call, path, form);
  const { field } = asked;
  if (field.names !== undefined) return pageOf(namedChoices(call, field, asked.record), asked);
  if (field.type === 'dictionary' && dictionarySource(call.catalog, field) === null)
    return listOptions(call.catalog, asked);
  return field.type === 'dictionary' ? lookupDictionary(call, asked) : lookupReference(call, asked);
}

async function lookupReference(call: Call, asked: LookupRequest): Promise<LookupAnswer> {
  const { field } = asked;
  const holder = asked.line ?? asked.record;
  const target = targetOf(field, holder);
  const place = target === null ? null : targetPlace(target, call.catalog);
  // Whoever only filters by the field has no picker: without a grant on the target there is nothing to see.
  const isBlind = target !== null && !asked.isWriter && !eyesOn(call, target).mayRead;
  if (target === null || place === null || isBlind)
    return { records: [], total: 0, currentPage: 1, pageSize: asked.pageSize };
  const values: unknown[] = [];
  const company = asked.record['co_code'] ?? call.caller.subject.co_code;
  const conditions = [...(pickableConditions(call, target, { alias: 't', values, company }) ?? ['false'])];
  const { where, prefers } = await boundFilters(call, asked);
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
  const captions = shownCaptions(call, target, place);
  if (asked.texts !== null)
    conditions.push(textsCondition(place, { label, captions, texts: asked.texts, values }));
  else if (asked.keyword !== '') {
    // The search text holds more than the label: who has no grant is told of the label only.
    const isNamed = !eyesOn(call, target).mayRead;
    conditions.push(...searchConditions(place, { label, isNamed, keyword: asked.keyword, values }));
  }
  // The order tells of the search text: whoever is told of the label only gets no order by it.
  const isRanked = isSearched(place, asked) && eyesOn(call, target).mayRead;
  return pickRows(call, {
    place,
    asked,
    conditions,
    values,
    label,
    captions,
    lineCaptions: lineCaptions(call, target, place),
    key: 'id',
    isRanked,
    namedBy: namingColumns(place, label, captions),
    prefers,
  });
}

async function lookupDictionary(call: Call, asked: LookupRequest): Promise<LookupAnswer> {
  const [target = '', by = ''] = (dictionarySource(call.catalog, asked.field) ?? '').split('@');
  const place = targetPlace(target, call.catalog);
  const isOffered = place !== null && isOfferedTo(call.caller.subject, place.resource);
  if (!isOffered || !Object.hasOwn(place.resource.fields, by))
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
  const captions = shownCaptions(call, target, place);
  if (asked.keyword !== '')
    conditions.push(...searchConditions(place, { label, isNamed: false, keyword: asked.keyword, values }));
  const isRanked = isSearched(place, asked);
  return pickRows(call, {
    place,
    asked,
    conditions,
    values,
    label,
    captions,
    lineCaptions: [],
    key: by,
    isRanked,
    namedBy: namingColumns(place, label, captions),
    prefers: null,
  });
}

/** Whose label or one of whose captions is one of the texts, letter case ignored. */
function textsCondition(
  place: PathPlace,
  asked: {
    readonly label: string;
    readonly captions: readonly string[];
    readonly texts: readonly string[];
    readonly values: unknown[];
  },
): string {
  const wanted = bind(
    asked.values,
    asked.texts.map((text) => text.toLowerCase()),
  );
  const columns = namingColumns(place, asked.label, asked.captions);
  return `(${columns.map((column) => `lower(${column}) = any(${wanted}::text[])`).join(' or ')})`;
}

/** What a row is called, as SQL: its label and its captions that are texts. */
function namingColumns(
  { resource }: PathPlace,
  label: string,
  captions: readonly string[],
): readonly string[] {
  const texts = captions.filter((name) => isTextCaption(resource, name));
  return [label, ...texts.map((name) => `t.${quoteName(name)}::text`)];
}

function isTextCaption(resource: Resource, name: string): boolean {
  return resource.fields[name]?.type === 'text' && resource.fields[name].multiple !== true;
}

function searchConditions(
  place: PathPlace,
  asked: {
    readonly label: string;
    readonly isNamed: boolean;
    readonly keyword: string;
    readonly values: unknown[];
  },
): readonly string[] {
  const { label, keyword, values } = asked;
  if (place.lines === undefined && place.resource.kind !== 'view' && !asked.isNamed)
    return keywordConditions(keyword, values);
  return [`${label} ilike ${bind(values, `%${keyword.replace(/[\\%_]/g, '\\$&')}%`)}`];
}

/** Looked for by the search text of a stored resource. */
function isSearched({ resource, lines }: PathPlace, { keyword }: LookupRequest): boolean {
  return lines === undefined && resource.kind !== 'view' && keyword !== '';
}

function listOptions(catalog: Catalog, asked: LookupRequest): LookupAnswer {
  const disabled = new Set(
    (catalog.dictionaries[asked.field.dictionary ?? '']?.items ?? [])
      .filter((item) => item.disabled === true)
      .map((item) => item.value),
  );
  const open = [...dictionaryLabels(catalog, asked.field)].filter(([value]) => !disabled.has(value));
  return pageOf(
    open.map(([value, label]) => ({ value, label })),
    asked,
  );
}

/** Of choices at hand those that fit what was typed: text, value or pinyin initials. */
function pageOf(choices: readonly NamedChoice[], asked: LookupRequest): LookupAnswer {
  const { keyword, texts } = asked;
  const found = choices.filter(({ value, label }) =>
    texts === null
      ? matchesTyped(`${label} ${value}`, keyword)
      : texts.some((text) => text === label || text === value),
  );
  const start = (asked.currentPage - 1) * asked.pageSize;
  return {
    records: found
      .slice(start, start + asked.pageSize)
      .map(({ value, label }) => ({ id: value, label, caption: [], ...NO_FILL })),
    total: found.length,
    currentPage: asked.currentPage,
    pageSize: asked.pageSize,
  };
}

type BoundFilter = ReturnType<typeof bindFilter>;

/** The field's `where` and `prefers` with the form's values put in; rules over references of the form are loaded for them. */
async function boundFilters(
  call: Call,
  asked: LookupRequest,
): Promise<{ readonly where: BoundFilter | null; readonly prefers: BoundFilter | null }> {
  const { field, record, line, lines, input } = asked;
  if (!isSaid(field.where) && !isSaid(field.prefers)) return { where: null, prefers: null };
  const attached = await attachReferences(call.services.db, {
    catalog: call.catalog,
    resource: call.resource,
    records: [record],
    withPaths: true,
    withLabels: true,
    withForeign: true,
    company: call.caller.subject.co_code,
    reader: call,
  });
  // What the form names and the asker may not is no condition: which rows it leaves would tell of it.
  takeOutForeign(call, attached, { record, previous: null });
  const scope = recordScope(call, withFormulas(call, record), input ?? undefined);
  const held = line === null || lines === null ? line : (linesOf(record[lines])[0] ?? line);
  const here =
    held === null || lines === null ? scope : { ...scope, record: held, parent: scope.record, lines };
  const bound = (filter: Filter | undefined): BoundFilter | null =>
    isSaid(filter) ? bindFilter(filter, targetOf(field, held ?? record) ?? '', here) : null;
  return { where: bound(field.where), prefers: bound(field.prefers) };
}

function isSaid(filter: Filter | undefined): filter is Filter {
  return filter !== undefined && Object.keys(filter).length > 0;
}

/** What the form has not been told yet, or never is: a formula that only the server can work out. */
function withFormulas(call: Call, record: OpenRecord): OpenRecord {
  const computed = computeRecord(call.resource, record, recordScope(call, record));
  const told = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  return { ...computed, ...Object.fromEntries(told) };
}
