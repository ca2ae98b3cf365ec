import type { Queryable } from '#server/kernel/db/database.ts';

interface ActualColumn {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
}
export interface ActualTable {
  readonly name: string;
  readonly columns: readonly ActualColumn[];
  readonly indexes: readonly { readonly name: string; readonly isValid: boolean }[];
  readonly triggers: readonly string[];
}

/** The tables of the public schema as the database has them, by name. */
export async function readActualSchema(db: Queryable): Promise<ReadonlyMap<string, ActualTable>> {
  const rows = await db.query<{ table: string } & Omit<ActualTable, 'name'>>(`
    select c.relname as table,
      (select coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
                'notNull', a.attnotnull) order by a.attnum), '[]')
         from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select coalesce(json_agg(json_build_object('name', i.relname, 'isValid', x.indisvalid)), '[]')
         from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid) as indexes,
      (select coalesce(json_agg(t.tgname), '[]') from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`);
  return new Map(rows.map(({ table, ...rest }) => [table, { name: table, ...rest }]));
}
