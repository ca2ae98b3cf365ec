import { diffDefinitions } from '#engine/schema/diff-definitions.ts';
import type { Queryable, Tx } from '#server/kernel/db/database.ts';

/** A version of a definition file as it served. */
export interface DefinitionVersion {
  readonly path: string;
  readonly version: number;
  readonly at: string;
  /** The person or account that wrote the file. */
  readonly author: string;
  /** Null: from this version on the file was gone. */
  readonly text: string | null;
  readonly changes: readonly unknown[];
}

/** The texts that served last, by path; none in a database from before they were kept. */
export async function readKept(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const [found] = await db.query(`select to_regclass('public.sys_definition_file') is not null as found`);
  if (found?.['found'] !== true) return new Map();
  const latest = await readLatest(db);
  return new Map([...latest].flatMap(([path, { text }]) => (text === null ? [] : [[path, text]])));
}

/** What begins to serve. */
export interface ServingFiles {
  readonly texts: ReadonlyMap<string, string>;
  /** Every file of the folder, also those whose present text cannot serve. */
  readonly present: ReadonlySet<string>;
  readonly authorOf: (path: string) => Promise<string>;
}

/** Keeps what serves from now on: a new version of each file that differs from its last one. */
export async function keepDefinitions(tx: Tx, { texts, present, authorOf }: ServingFiles): Promise<void> {
  // Two processes that see the same edit keep it once.
  await tx.query('select pg_advisory_xact_lock(hashtext($1))', ['sys_definition_file']);
  const latest = await readLatest(tx);
  const gone = [...latest].filter(
    ([path, { text }]) => text !== null && !texts.has(path) && !present.has(path),
  );
  const written = [...texts].filter(([path, text]) => latest.get(path)?.text !== text);
  for (const [path, text] of [...written, ...gone.map(([path]) => [path, null] as const)]) {
    const before = latest.get(path);
    await tx.execute(
      `insert into sys_definition_file (path, version, at, author, text, changes) values ($1, $2, now(), $3, $4, $5::jsonb)`,
      [
        path,
        (before?.version ?? 0) + 1,
        await authorOf(path),
        text,
        JSON.stringify(differences(before?.text ?? null, text)),
      ],
    );
  }
}

/** The last versions of a file, newest first; of all files their present one. */
export async function readVersions(
  db: Queryable,
  path: string | null,
): Promise<readonly Omit<DefinitionVersion, 'text'>[]> {
  const columns = 'path, version, at, author, changes, text is null as is_gone';
  return path === null
    ? db.query(
        `select distinct on (path) path, version, at, author, text is null as is_gone from sys_definition_file order by path, version desc`,
      )
    : db.query(`select ${columns} from sys_definition_file where path = $1 order by version desc limit 100`, [
        path,
      ]);
}

async function readLatest(
  db: Queryable,
): Promise<ReadonlyMap<string, { readonly version: number; readonly text: string | null }>> {
  const rows = await db.query<{ path: string; version: number; text: string | null }>(
    'select distinct on (path) path, version, text from sys_definition_file order by path, version desc',
  );
  return new Map(rows.map(({ path, version, text }) => [path, { version, text }]));
}

/** A new or removed file is told by its version; only what changed inside one is worth a list. */
function differences(before: string | null, after: string | null): readonly unknown[] {
  return before === null || after === null ? [] : diffDefinitions(JSON.parse(before), JSON.parse(after));
}
