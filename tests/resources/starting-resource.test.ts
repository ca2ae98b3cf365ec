import { expect, it } from 'vitest';
import { loadDefinitions } from '#engine/schema/lint-resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { lintExtras } from '#server/business/lint-extras.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { readDefinitionFiles } from '../../scripts/definition-files.ts';
import { startingResource } from '../../scripts/starting-resource.ts';

it.each(['document', 'master'] as const)('a new %s loads as it is written', (kind) => {
  registerTradeFunctions();
  const start = { target: 'sales/sample_thing', name: 'sample_thing', title: '样品', kind };
  const file = { path: 'resources/sales/sample_thing.json', text: JSON.stringify(startingResource(start)) };
  const { catalog, faults } = loadDefinitions(
    [...readDefinitionFiles('resources'), file],
    () => '',
    lintExtras(),
  );
  expect(faults.map(formatFault)).toEqual([]);
  expect(Object.keys(catalog?.resources ?? {})).toContain('sample_thing');
});
