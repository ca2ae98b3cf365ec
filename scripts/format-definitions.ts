/**
 * Writes the definition files as they are read best: what fits into 140 columns stands on one line. With `--check` it only
 * says which files would change.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatJson } from './format-json.ts';

const FOLDERS = ['resources', 'reports'];

const isChecking = process.argv.includes('--check');
const wrong = FOLDERS.flatMap(definitionFilesIn).filter((file) => {
  const text = readFileSync(file, 'utf8');
  const formatted = formatJson(JSON.parse(text));
  if (formatted === text) return false;
  if (!isChecking) writeFileSync(file, formatted);
  return true;
});
if (isChecking && wrong.length > 0) {
  process.stderr.write(`not formatted (npm run format):\n${wrong.join('\n')}\n`);
  process.exit(1);
}

function definitionFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json') && !file.startsWith('reference-data'))
      .map((file) => join(folder, file));
  } catch {
    return [];
  }
}
