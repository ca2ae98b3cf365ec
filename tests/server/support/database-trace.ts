import type { Database } from '#server/kernel/db/database.ts';

/**
 * Everything that a write leaves in a database: of each table how many rows it has and which transactions wrote them, of
 * each sequence where it stands. Two equal traces mean that nothing was written in between.
 */
export async function traceOf(db: Database): Promise<Readonly<Record<string, string>>> {
  const tables = await db.query<{ name: string; kind: string }>(
    `select quote_ident(relname) as name, relkind as kind from pg_class
     where relkind in ('r', 'S') and relnamespace = 'public'::regnamespace order by 1`,
  );
  const traces: Record<string, string> = {};
  for (const { name, kind } of tables) {
    const [row] = await db.query<{ trace: string | null }>(
      kind === 'S'
        ? `select last_value || ' ' || is_called as trace from ${name}`
        : `select count(*) || ' rows ' || coalesce(md5(string_agg(t.xmin::text || t::text, '|' order by t.xmin::text, t::text)), '') as trace from ${name} t`,
    );
    traces[name] = row?.trace ?? '';
  }
  return traces;
}
