/** Lints resources/, and checks that schemas/ and the generated names are up to date. Prints every fault with its place. */
import { existsSync, readFileSync } from 'node:fs';
import { loadDefinitions } from '#engine/schema/lint-resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { lintExtras } from '#server/business/lint-extras.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { readDefinitionFiles } from './definition-files.ts';
import { definitionNames, NAMES_PATH } from './definition-names.ts';
import { schemaFiles } from './schema-files.ts';

registerTradeFunctions();
const files = [...readDefinitionFiles('resources'), ...readDefinitionFiles('reports')];
const { catalog, faults } = loadDefinitions(files, () => '', lintExtras());
const problems = faults.map(formatFault);
if (catalog !== null)
  for (const { path, text } of [
    ...schemaFiles(catalog),
    { path: NAMES_PATH, text: definitionNames(catalog) },
  ])
    if (readText(path) !== text) problems.push(`${path} 已过期，请运行 npm run generate`);

for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? `${files.length}个定义文件无误` : `发现${problems.length}处问题`);
process.exitCode = problems.length === 0 ? 0 : 1;

function readText(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
