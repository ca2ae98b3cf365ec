/** Writes src/trade/names.generated.ts from the resource files. */
import { writeFileSync } from 'node:fs';
import { loadDefinitions } from '#engine/schema/lint-resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { readDefinitionFiles } from './definition-files.ts';
import { definitionNames, NAMES_PATH } from './definition-names.ts';

registerTradeFunctions();
const { catalog, faults } = loadDefinitions(readDefinitionFiles('resources'), () => '');
if (catalog === null) {
  for (const fault of faults) console.error(formatFault(fault));
  process.exitCode = 1;
} else writeFileSync(NAMES_PATH, definitionNames(catalog));
