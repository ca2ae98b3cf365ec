import { among } from '#server/kernel/db/among.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { targetPlace } from '#engine/schema/field-path.ts';
import type { Field, FieldProblem } from '#engine/schema/resource.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { dictionarySource } from '#server/records/read/dictionary-labels.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import { accessTo, type Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { unreadRows } from '#server/records/read/reader-eyes.ts';
import { isMade } from '#server/records/pick/made-values.ts';
import { targetOf } from '#server/records/read/reference-book.ts';
import { bind, quoteName, type Reader, statementName } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';

/** A reference that is written, and where. */
interface WrittenReference {
  readonly path: string;
  readonly field: Field;
  readonly target: string;
  readonly ids: readonly string[];
  readonly where: Filter | null;
  /** Asked again though it did not change, or taken from a source: who writes need not see what it refers to. */
  readonly isAgain: boolean;
}

/** A record that is written, and what it was before. */
export interface WrittenRecord {
  readonly record: OpenRecord;
  readonly previous: OpenRecord | null;
  readonly isSystem?: boolean;
  /** The action that runs, or `approved`: references that name it in `again` are asked though they did not change. */
  readonly moment?: string;
}

interface ReferenceGroup {
  readonly reference: WrittenReference;
  readonly written: WrittenRecord;
  readonly ids: Set<string>;
  readonly at: { readonly owner: number; readonly reference: WrittenReference }[];
}

/**
 * Checks every reference that a write sets or changes, all in one statement: the record exists, belongs to the same
 * company, may be seen by the person where that role has rights on it, and satisfies the field's `where`. Values of
 * dictionaries filled from a resource are checked alike.
 */
export async function checkReferences(
  db: Reader,
  call: Call,
  written: WrittenRecord,
): Promise<readonly FieldProblem[]> {
  const [problems] = await checkReferencesOfMany(db, call, [written]);
  return problems ?? [];
}

/** The same for many records in one statement; the problems of each. */
export async function checkReferencesOfMany(
  db: Reader,
  call: Call,
  written: readonly WrittenRecord[],
): Promise<readonly (readonly FieldProblem[])[]> {
  const groups = new Map<string, ReferenceGroup>();
  for (const [owner, one] of written.entries())
    for (const reference of writtenReferences(call, one)) {
      const key = `${reference.isAgain}|${reference.target}|${reference.field.name}|${String(one.record['co_code'])}|${JSON.stringify(reference.where)}`;
      const group = groups.get(key) ?? { reference, written: one, ids: new Set<string>(), at: [] };
      for (const id of reference.ids) group.ids.add(id);
      group.at.push({ owner, reference });
      groups.set(key, group);
    }
  const problems = written.map((): FieldProblem[] => []);
  const asked = [...groups.values()];
  const values: unknown[] = [];
  const parts: string[] = [];
  for (const [index, group] of asked.entries()) {
    const select = allowedSelect(call, group.reference, {
      ids: [...group.ids],
      values,
      written: group.written,
    });
    if (select !== null) parts.push(`select ${index}::int as n, ${select}`);
    else
      for (const { owner, reference } of group.at)
        problems[owner]?.push({
          path: reference.path,
          code: 'reference',
          message: `${reference.field.title}：类型不正确`,
        });
  }
  const text = parts.join(' union all ');
  const rows = parts.length === 0 ? [] : await db.query(text, values, statementName(text));
  const allowed = new Map(
    rows.map((row) => [`${String(row['n'])}|${String(row['id'])}`, row['fits'] === true]),
  );
  for (const [index, group] of asked.entries())
    for (const { owner, reference } of group.at) {
      const found = problems[owner];
      const fits = reference.ids.map((id) => allowed.get(`${index}|${id}`));
      if (fits.every((fit) => fit === true) || found?.some(({ path }) => path === reference.path) !== false)
        continue;
      found.push(refused(reference, !fits.includes(undefined)));
    }
  return problems;
}

/**
 * Conditions on the rows of a target that a person may pick: not deleted, of the company, and within the role's rows
 * where the role has rights on the target. A partner without rights sees only what belongs to the own partner.
 */
export function pickableConditions(
  call: Call,
  target: string,
  place: {
    readonly alias: string;
    readonly values: unknown[];
    readonly company: unknown;
    readonly isSystem?: boolean;
  },
): readonly string[] | null {
  const found = targetPlace(target, call.catalog);
  if (found === null) return null;
  const { resource, lines } = found;
  const { alias, values } = place;
  const conditions: string[] = [];
  if (resource.scope === 'company') conditions.push(`${alias}.co_code = ${bind(values, place.company)}`);
  if (lines !== undefined) {
    const head = `${alias}p`;
    const inner = headConditions(call, resource.resource, { ...place, alias: head });
    const scoped = resource.scope === 'company' ? `${head}.co_code = ${alias}.co_code and ` : '';
    conditions.push(
      `exists (select 1 from ${tableOf(resource)} ${head} where ${scoped}${head}.id = ${alias}.parent_id${inner.map((part) => ` and ${part}`).join('')})`,
    );
    return conditions;
  }
  return [...conditions, ...headConditions(call, resource.resource, place)];
}

function headConditions(
  call: Call,
  key: string,
  {
    alias,
    values,
    isSystem,
  }: { readonly alias: string; readonly values: unknown[]; readonly isSystem?: boolean },
): readonly string[] {
  const { catalog, caller, services } = call;
  const resource = catalog.resources[key];
  if (resource === undefined) return ['false'];
  const conditions = resource.kind === 'view' ? [] : [`${alias}.is_deleted = false`];
  if (isSystem === true) return conditions;
  const access = accessTo(services, caller.subject, resource);
  const mayRead = access.operations.has('list') || access.operations.has('read');
  const rows: Filter | null = mayRead ? access.rows : unreadRows(call, resource);
  if (rows === null) return [...conditions, 'false'];
  if (Object.keys(rows).length === 0) return conditions;
  return [
    ...conditions,
    `(${filterToSql(rows, { resource, catalog, alias, context: caller.context, values })})`,
  ];
}

function allowedSelect(
  call: Call,
  reference: WrittenReference,
  asked: {
    readonly ids: readonly string[];
    readonly values: unknown[];
    readonly written: { readonly record: OpenRecord; readonly isSystem?: boolean };
  },
): string | null {
  const { values, written } = asked;
  const [target = '', by] = reference.target.split('@');
  const place = targetPlace(target, call.catalog);
  if (place === null || (by !== undefined && !Object.hasOwn(place.resource.fields, by))) return null;
  const from =
    place.lines === undefined ? tableOf(place.resource) : linesTableOf(place.resource, place.lines);
  const column = by === undefined ? 'id' : quoteName(by);
  const conditions = [`t.${column} = ${among(bind(values, asked.ids), by === undefined ? 'uuid' : 'text')}`];
  const company = written.record['co_code'] ?? call.caller.subject.co_code;
  const isStamp = reference.field.standard;
  const picked = pickableConditions(call, target, {
    alias: 't',
    values,
    company,
    isSystem: written.isSystem === true || reference.isAgain || by !== undefined || isStamp,
  });
  if (picked === null) return null;
  conditions.push(...picked);
  const { where } = reference;
  const fits =
    where === null || Object.keys(where).length === 0
      ? 'true'
      : filterToSql(where, {
          resource: place.resource,
          catalog: call.catalog,
          alias: 't',
          context: call.caller.context,
          values,
          ...(place.lines === undefined ? {} : { lines: place.lines }),
        });
  return `t.${column}::text as id, (${fits}) is true as fits from ${from} t where ${conditions.join(' and ')}`;
}

function writtenReferences(
  call: Call,
  { record, previous, moment }: WrittenRecord,
): readonly WrittenReference[] {
  const scope = recordScope(call, record);
  const found: WrittenReference[] = [];
  for (const field of Object.values(call.resource.fields)) {
    if (field.type === 'lines') {
      const cells = Object.values(field.fields ?? {}).filter(isChosen);
      const before = new Map(linesOf(previous?.[field.name]).map((line) => [line['id'], line]));
      for (const [index, line] of linesOf(record[field.name]).entries()) {
        const here = { ...scope, record: line, parent: record, lines: field.name };
        for (const cell of cells)
          addReference(call, found, {
            field: cell,
            path: `${field.name}.${index}.${cell.name}`,
            holder: line,
            before: before.get(line['id']) ?? null,
            moment,
            scope: here,
          });
      }
    } else if (isChosen(field))
      addReference(call, found, { field, path: field.name, holder: record, before: previous, scope, moment });
  }
  return found;
}

/** Stamps, finds and formulas are the server's own: what they come from is checked where it was chosen. */
function isChosen({ type, standard, computed, find, formula }: Field): boolean {
  const isOwn = (standard && computed) || find !== undefined || formula !== undefined;
  return !isOwn && (type === 'reference' || type === 'dictionary');
}

interface Holder {
  readonly field: Field;
  readonly path: string;
  readonly holder: OpenRecord;
  readonly before: OpenRecord | null;
  readonly scope: Scope;
  readonly moment: string | undefined;
}

function addReference(
  call: Call,
  found: WrittenReference[],
  { field, path, holder, before, scope, moment }: Holder,
): void {
  const value = holder[field.name];
  if (value === null || value === undefined) return;
  const isAgain = before !== null && JSON.stringify(before[field.name]) === JSON.stringify(value);
  if (isAgain && (moment === undefined || field.again?.includes(moment) !== true)) return;
  const target = field.type === 'reference' ? targetOf(field, holder) : sourceOf(call, field);
  if (target === null) return;
  const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'string');
  const where =
    field.where === undefined || field.type !== 'reference' ? null : bindFilter(field.where, target, scope);
  const isOpen = isAgain || isMade(holder, field.name);
  if (ids.length > 0) found.push({ path, field, target, ids, where, isAgain: isOpen });
}

function sourceOf(call: Call, field: Field): string | null {
  return field.type === 'dictionary' && field.options === undefined
    ? dictionarySource(call.catalog, field)
    : null;
}

/** `isThere`: the records are there and may be picked, but for the field's `where`, which may say why not. */
function refused({ path, field }: WrittenReference, isThere: boolean): FieldProblem {
  if (field.type === 'dictionary') return { path, code: 'option', message: `${field.title}不在可选范围内` };
  const message = isThere ? field.message : undefined;
  return { path, code: 'reference', message: message ?? `${field.title}不存在或不可选用` };
}
