/** Writes src/trade/records.generated.ts from the resource files. */
import { writeFileSync } from 'node:fs';
import { loadDefinitions } from '#engine/schema/lint-resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { readDefinitionFiles } from './definition-files.ts';
import { RECORD_TYPES_PATH, recordTypes } from './record-types.ts';

const { catalog, faults } = loadDefinitions(readDefinitionFiles('resources'), () => '');
if (catalog === null) {
  for (const fault of faults) console.error(formatFault(fault));
  process.exitCode = 1;
} else writeFileSync(RECORD_TYPES_PATH, await recordTypes(catalog));
