/** Writes what is generated from the meta-schemas and the files in resources/: schemas/*.json and the names for TypeScript. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadDefinitions } from '#engine/schema/lint-resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { readDefinitionFiles } from './definition-files.ts';
import { definitionNames, NAMES_PATH } from './definition-names.ts';
import { schemaFiles } from './schema-files.ts';

registerTradeFunctions();
const { catalog, faults } = loadDefinitions(
  [...readDefinitionFiles('resources'), ...readDefinitionFiles('reports')],
  () => '',
);
if (catalog === null) {
  for (const fault of faults) console.error(formatFault(fault));
  process.exitCode = 1;
} else {
  mkdirSync('schemas', { recursive: true });
  for (const { path, text } of [
    ...schemaFiles(catalog),
    { path: NAMES_PATH, text: definitionNames(catalog) },
  ])
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
