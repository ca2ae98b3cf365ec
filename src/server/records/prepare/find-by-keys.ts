import type { Resource } from '#engine/schema/resource.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { bind, quoteName, type Reader } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';

/** A column by which rows are told apart. */
export interface KeyColumn {
  readonly name: string;
  readonly ignoreCase: boolean;
  /** Empty equals empty. */
  readonly areNullsSame: boolean;
}

/** A stored row that has the keys of a given one. */
export interface RowOfKeys {
  /** The place of the given row. */
  readonly n: number;
  readonly id: string;
}

/**
 * The stored rows that have the same keys as given ones, for all of them at once. The stored rows are sought by the
 * values of every column together and matched afterwards: row by row, the database would go through all rows of one
 * account for each, as long as it has no statistics yet.
 */
export async function findByKeys(
  db: Reader,
  resource: Resource,
  sought: {
    readonly rows: readonly OpenRecord[];
    readonly columns: readonly KeyColumn[];
    /** More of the stored rows, alias `t`, whose parameters are bound already. */
    readonly conditions: readonly string[];
    readonly values: unknown[];
  },
): Promise<readonly RowOfKeys[]> {
  const { rows, columns, conditions, values } = sought;
  const table = tableOf(resource);
  const names = columns.map(({ name }) => quoteName(name));
  const keys = bind(
    values,
    JSON.stringify(
      rows.map((row) => Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]))),
    ),
  );
  const given = `select (row_number() over ())::int - 1 as n, ${names.map((name) => `p.${name}`).join(', ')}
    from jsonb_populate_recordset(null::${table}, ${keys}::jsonb) p`;
  const stored = `select t.id, ${names.map((name, at) => `t.${name} as k${at}`).join(', ')} from ${table} t
    where ${['not t.is_deleted', ...conditions, ...columns.map(isAmong)].join(' and ')}`;
  const found = await db.query(
    `with r as materialized (${given}), s as materialized (${stored})
     select r.n, s.id::text as id from r join s on ${columns.map(isSame).join(' and ')} order by r.n`,
    values,
  );
  return found.map(({ n, id }) => ({ n: Number(n), id: String(id) }));
}

function isAmong(column: KeyColumn): string {
  const name = quoteName(column.name);
  const among = `${cased(column, `t.${name}`)} = any(array(select ${cased(column, `r.${name}`)} from r))`;
  return column.areNullsSame ? `(t.${name} is null or ${among})` : among;
}

function isSame(column: KeyColumn, at: number): string {
  const equals = column.areNullsSame ? 'is not distinct from' : '=';
  return `${cased(column, `s.k${at}`)} ${equals} ${cased(column, `r.${quoteName(column.name)}`)}`;
}

function cased({ ignoreCase }: KeyColumn, sql: string): string {
  return ignoreCase ? `lower(${sql})` : sql;
}
