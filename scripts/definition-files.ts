import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { DefinitionFile } from '#engine/schema/parse-files.ts';

/** Every definition file below a folder (reference data is none), with its path from the working directory. */
export function readDefinitionFiles(folder: string): DefinitionFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json') && !name.split(sep).includes('reference-data'))
    .sort()
    .map((name) => join(folder, name))
    .map((path) => ({ path: relative('.', path).split(sep).join('/'), text: readFileSync(path, 'utf8') }));
}
