/** Writes schemas/*.json from the meta-schemas; `--check` only compares. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { schemaFiles } from './schema-files.ts';

const isCheck = process.argv.includes('--check');
mkdirSync('schemas', { recursive: true });
const stale = schemaFiles().filter(({ path, text }) => readText(path) !== text);
if (isCheck)
  for (const { path } of stale) console.error(`${path} 已过期，请运行 npx tsx scripts/write-schemas.ts`);
else for (const { path, text } of stale) writeFileSync(path, text);
process.exitCode = isCheck && stale.length > 0 ? 1 : 0;

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
