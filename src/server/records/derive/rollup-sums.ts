import { among } from '#server/kernel/db/among.ts';
import { digitsOf } from '#engine/fields/decimal-value.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { givenValue } from '#engine/record/compute-record.ts';
import { lineScope } from '#engine/record/record-lines.ts';
import type { RollupDefinition } from '#engine/schema/definition.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { roundDecimal } from '#engine/values/decimal.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { bind, quoteName, type Reader, statementName } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { emptyRollup, type RollupField } from './rollup-fields.ts';

/** Takes one figure of a record anew, in its head or in all of its lines; gives the record with it. */
export async function sumInto(
  db: Reader,
  call: Call,
  { rollup, record }: { readonly rollup: RollupField; readonly record: OpenRecord },
): Promise<OpenRecord> {
  const { field, lines } = rollup;
  const sums = await sumsOf(db, call, { rollup, owners: ownersOf(call, rollup, record), record });
  if (lines === null)
    return { ...record, [field.name]: sums.get(String(record['id'])) ?? emptyRollup(field) };
  return {
    ...record,
    [lines]: linesOf(record[lines]).map((line) => ({
      ...line,
      [field.name]: sums.get(String(line['id'])) ?? emptyRollup(field),
    })),
  };
}

/** Whose figure counts rows of the given documents: the record's id, or the ids of its lines where they keep it. */
export async function countedIn(
  db: Reader,
  call: Call,
  asked: {
    readonly rollup: RollupField;
    readonly record: OpenRecord;
    readonly documents: readonly string[];
  },
): Promise<ReadonlySet<string>> {
  const { rollup, record, documents } = asked;
  const { of, by, where } = rollup.rollup;
  const counted: RollupField = {
    ...rollup,
    field: { ...rollup.field, type: 'integer' },
    rollup: { of, by, ...(where === undefined ? {} : { where }), count: true },
  };
  const counts = await sumsOf(db, call, {
    rollup: counted,
    owners: ownersOf(call, counted, record),
    record,
    documents,
  });
  return new Set([...counts].filter(([, count]) => count !== 0).map(([id]) => id));
}

/** Who keeps a figure: the record, or each of its lines. */
function ownersOf(call: Call, { lines }: RollupField, record: OpenRecord): readonly Owner[] {
  const scope = recordScope(call, record);
  if (lines === null) return [{ id: String(record['id']), scope }];
  return linesOf(record[lines]).map((line) => ({
    id: String(line['id']),
    scope: lineScope(scope, lines, line),
  }));
}

interface Owner {
  readonly id: string;
  readonly scope: Scope;
}

interface Asked {
  readonly rollup: RollupField;
  readonly owners: readonly Owner[];
  readonly record: OpenRecord;
  /** Rows of these documents alone. */
  readonly documents?: readonly string[];
}

async function sumsOf(db: Reader, call: Call, asked: Asked): Promise<ReadonlyMap<string, unknown>> {
  const { rollup, owners } = asked;
  const source = sourceOf(call, rollup.rollup);
  if (source === null || owners.length === 0) return new Map();
  const { by } = rollup.rollup;
  const sums = new Map<string, unknown>();
  if (typeof by === 'string') {
    const values: unknown[] = [owners.map(({ id }) => id)];
    const key = source.column(by);
    const conditions = [`${key} = ${among('$1')}`, ...commonConditions(call, asked, source, values)];
    const text = `select ${key} as id, ${aggregateOf(rollup.rollup, source)} as value from ${source.from} where ${conditions.join(' and ')} group by 1`;
    for (const row of await db.query(text, values, statementName(text)))
      sums.set(String(row['id']), fitSum(rollup.field, row['value']));
    return sums;
  }
  for (const owner of owners) {
    const values: unknown[] = [];
    const keys = Object.entries(by).map(([theirs, own]) => {
      const field = source.field(theirs);
      const value = givenValue(field, own, owner.scope);
      // An index serves `=` and `is null`, never both at once.
      if (value === null || value === undefined) return `${source.column(theirs)} is null`;
      return `${source.column(theirs)} = ${bind(values, value)}${field?.type === 'reference' ? '::uuid' : ''}`;
    });
    const conditions = [...keys, ...commonConditions(call, asked, source, values)];
    const text = `select ${aggregateOf(rollup.rollup, source)} as value from ${source.from} where ${conditions.join(' and ')}`;
    const [row] = await db.query(text, values, statementName(text));
    sums.set(owner.id, fitSum(rollup.field, row?.['value']));
  }
  return sums;
}

/** Where the summed rows lie: `t` the rows, `h` their head where they are lines. */
interface Source {
  readonly resource: Resource;
  readonly lines: string | undefined;
  readonly from: string;
  readonly head: string;
  readonly column: (path: string) => string;
  readonly field: (path: string) => Field | undefined;
}

function sourceOf(call: Call, definition: RollupDefinition): Source | null {
  const [key = '', lines] = definition.of.split('.');
  const resource = call.catalog.resources[key];
  if (resource === undefined) return null;
  const head = lines === undefined ? 't' : 'h';
  const company = resource.scope === 'company' ? ' and h.co_code = t.co_code' : '';
  const from =
    lines === undefined
      ? `${tableOf(resource)} t`
      : `${linesTableOf(resource, lines)} t join ${tableOf(resource)} h on h.id = t.parent_id${company}`;
  return {
    resource,
    lines,
    from,
    head,
    column: (path) => `${path.startsWith('parent.') ? head : 't'}.${quoteName(withoutParent(path))}`,
    field: (path) =>
      path.startsWith('parent.') || lines === undefined
        ? resource.fields[withoutParent(path)]
        : resource.fields[lines]?.fields?.[path],
  };
}

function withoutParent(path: string): string {
  return path.replace(/^parent\./, '');
}

function commonConditions(call: Call, asked: Asked, source: Source, values: unknown[]): readonly string[] {
  const { resource, head, lines } = source;
  const conditions = resource.kind === 'view' ? [] : [`${head}.is_deleted = false`];
  const company = asked.record['co_code'];
  if (resource.scope === 'company' && typeof company === 'string')
    conditions.push(`t.co_code = ${bind(values, company)}`);
  if (asked.documents !== undefined) conditions.push(`${head}.id = ${among(bind(values, asked.documents))}`);
  const { where } = asked.rollup.rollup;
  if (where === undefined) return conditions;
  const scope = recordScope(call, asked.record);
  const bound = bindFilter(where, asked.rollup.rollup.of, { ...scope, source: scope });
  const sql = filterToSql(bound, {
    resource,
    catalog: call.catalog,
    alias: 't',
    context: call.caller.context,
    values,
    ...(lines === undefined ? {} : { lines, parentAlias: 'h' }),
  });
  return [...conditions, `(${sql})`];
}

function aggregateOf(definition: RollupDefinition, source: Source): string {
  if (definition.count === true) return 'count(*)';
  for (const name of ['sum', 'max', 'min', 'avg'] as const) {
    const path = definition[name];
    if (path !== undefined) return `${name}(${source.column(path)})`;
  }
  return 'count(*)';
}

function fitSum(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return emptyRollup(field);
  if (field.type === 'integer') return Number(value);
  const isDecimal = field.type === 'decimal' || field.type === 'money' || field.type === 'percent';
  return isDecimal ? roundDecimal(textOf(value), digitsOf(field).scale) : value;
}
