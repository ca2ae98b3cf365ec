import { diffDefinitions } from '#engine/schema/diff-definitions.ts';
import { joinTexts } from '#engine/schema/joined-text.ts';
import type { DefinitionVersion } from '#contract/meta.ts';
import type { Queryable, Row, Tx } from '#server/kernel/db/database.ts';
import { rowText } from '#server/kernel/db/row-text.ts';

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
): Promise<readonly DefinitionVersion[]> {
  const rows =
    path === null
      ? await db.query(
          `select distinct on (path) path, version, at, author, text is null as is_gone from sys_definition_file order by path, version desc`,
        )
      : await db.query(
          `select path, version, at, author, changes, text is null as is_gone from sys_definition_file
           where path = $1 order by version desc limit 100`,
          [path],
        );
  return rows.map(versionOf);
}

function versionOf(row: Row): DefinitionVersion {
  const changes: unknown = row['changes'];
  return {
    path: rowText(row, 'path'),
    version: Number(row['version']),
    at: rowText(row, 'at'),
    author: rowText(row, 'author'),
    is_gone: row['is_gone'] === true,
    // Written by keepDefinitions.
    ...(Array.isArray(changes) ? { changes } : {}),
  };
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
  return before === null || after === null
    ? []
    : diffDefinitions(joinTexts(JSON.parse(before)), joinTexts(JSON.parse(after)));
}
