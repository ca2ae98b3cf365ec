import type { Queryable } from '#server/kernel/db/database.ts';
import { quoteLiteral, quoteName } from '#server/kernel/db/sql-identifiers.ts';
import type { SchemaDump } from './manifest.ts';

/** A table as a copy needs it: generated columns are left out, the restored table computes them. */
export interface DumpedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * The public schema as statements. Made from the database itself, not from the definitions: columns that no definition
 * names any more hold data too.
 */
export async function dumpSchema(
  db: Queryable,
): Promise<{ schema: SchemaDump; tables: readonly DumpedTable[] }> {
  const columns = await db.query<ColumnRow>(COLUMNS);
  const byTable = new Map<string, ColumnRow[]>();
  for (const row of columns) byTable.set(row.table, [...(byTable.get(row.table) ?? []), row]);
  const tables = [...byTable].map(([name, own]) => ({ name, columns: own.map(({ column }) => column) }));
  const creates = [...byTable].map(
    ([name, own]) => `create table ${quoteName(name)} (\n  ${own.map(columnClause).join(',\n  ')}\n)`,
  );
  const functions = await statements(db, FUNCTIONS);
  return {
    schema: {
      tables: [...functions, ...creates],
      rest: [
        ...columns.flatMap(continueIdentity),
        ...(await statements(db, CONSTRAINTS)),
        ...(await statements(db, INDEXES)),
        ...(await statements(db, TRIGGERS)),
        ...(await statements(db, VIEWS)),
      ],
    },
    tables,
  };
}

interface ColumnRow extends Record<string, unknown> {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly not_null: boolean;
  readonly default: string | null;
  /** `always` or `by default` where the server numbers the rows. */
  readonly identity: string | null;
}

function columnClause({ column, type, not_null, default: value, identity }: ColumnRow): string {
  return [
    quoteName(column),
    type,
    ...(not_null ? ['not null'] : []),
    ...(value === null ? [] : [`default ${value}`]),
    ...(identity === null ? [] : [`generated ${identity} as identity`]),
  ].join(' ');
}

/** Numbers go on behind the rows that come back. */
function continueIdentity({ table, column, identity }: ColumnRow): readonly string[] {
  if (identity === null) return [];
  const sequence = `pg_get_serial_sequence(${quoteLiteral(quoteName(table))}, ${quoteLiteral(column)})`;
  return [
    `select setval(${sequence}, coalesce(max(${quoteName(column)}), 0) + 1, false) from ${quoteName(table)}`,
  ];
}

async function statements(db: Queryable, text: string): Promise<readonly string[]> {
  const rows = await db.query<{ sql: string }>(text);
  return rows.map(({ sql }) => sql);
}

const PUBLIC = `'public'::regnamespace`;

const COLUMNS = `
  select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as not_null, pg_get_expr(d.adbin, d.adrelid) as default,
    case a.attidentity when 'a' then 'always' when 'd' then 'by default' end as identity
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = ${PUBLIC} and c.relkind = 'r'
  order by c.relname, a.attnum`;

const FUNCTIONS = `select pg_get_functiondef(oid) as sql from pg_proc where pronamespace = ${PUBLIC} and prokind = 'f'
    and not exists (select 1 from pg_depend where objid = pg_proc.oid and deptype = 'e') order by proname`;

// Not null constraints are part of the columns.
const CONSTRAINTS = `
  select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as sql
  from pg_constraint where connamespace = ${PUBLIC} and contype in ('p', 'u', 'c') and conrelid <> 0
  order by contype desc, conname`;

const INDEXES = `
  select pg_get_indexdef(x.indexrelid) as sql
  from pg_index x join pg_class c on c.oid = x.indrelid
  where c.relnamespace = ${PUBLIC} and c.relkind = 'r' and x.indisvalid
    and not exists (select 1 from pg_constraint where conindid = x.indexrelid)
  order by 1`;

const TRIGGERS = `
  select pg_get_triggerdef(t.oid) as sql from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = ${PUBLIC} and not t.tgisinternal order by 1`;

const VIEWS = `
  select format('create view %s as %s', oid::regclass, pg_get_viewdef(oid)) as sql
  from pg_class where relnamespace = ${PUBLIC} and relkind = 'v' order by oid`;
