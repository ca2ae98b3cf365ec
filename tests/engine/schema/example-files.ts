import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadDefinitions } from '#engine/schema/lint-resource.ts';
import type { DefinitionFile } from '#engine/schema/parse-files.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import type { Catalog, EvaluationContext, Subject } from '#engine/schema/resource.ts';

const NAMES = [
  'buyer',
  'country',
  'export_contract',
  'goods',
  'partner',
  'person',
  'shipment',
  'setup/dictionaries',
  'setup/menu',
  'setup/roles',
] as const;
export type ExampleName = (typeof NAMES)[number];

/** The example resources of these tests, with changes to some of their texts. */
export function exampleFiles(
  changes: Partial<Record<ExampleName, (text: string) => string>> = {},
): DefinitionFile[] {
  return NAMES.map((name) => {
    const text = readFileSync(fileURLToPath(new URL(`example/${name}.json`, import.meta.url)), 'utf8');
    return { path: `resources/${name}.json`, text: changes[name]?.(text) ?? text };
  });
}

/** The catalog of the example resources, changed as asked. */
export function exampleCatalog(
  changes: Partial<Record<ExampleName, (text: string) => string>> = {},
): Catalog {
  const { catalog, faults } = loadDefinitions(exampleFiles(changes), (text) => `hash-${text.length}`);
  if (catalog === null) throw new Error(faults.map(formatFault).join('\n'));
  return catalog;
}

/** One resource of a catalog. */
export function resourceOf(catalog: Catalog, name: string): Catalog['resources'][string] {
  const resource = catalog.resources[name];
  if (resource === undefined) throw new Error(`no resource ${name}`);
  return resource;
}

/** A person of company AA. */
export function subject(given: Partial<Subject> = {}): Subject {
  return {
    id: '00000000-0000-7000-8000-000000000001',
    personid: 'sp.aa',
    name: '张三',
    kind: 'staff',
    role_code: 'SP',
    role_codes: ['SP'],
    co_code: 'AA',
    dept_code: 'AA01',
    dept_codes: ['AA01', 'AA0101'],
    sales_ids: ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'],
    sales_id: '00000000-0000-7000-8000-000000000001',
    partner_id: null,
    super_permission: false,
    scope_override: null,
    ...given,
  };
}

/** The surroundings of a rule on 2026-03-31. */
export function context(given: Partial<EvaluationContext> = {}): EvaluationContext {
  return { subject: subject(), today: '2026-03-31', now: '2026-03-31T02:00:00.000Z', params: {}, ...given };
}
