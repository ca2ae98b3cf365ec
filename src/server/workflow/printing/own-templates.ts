import { lintPrint } from '#engine/print/lint-print.ts';
import { PRINT_FILE_SCHEMA } from '#engine/print/print-schema.ts';
import type { PrintTemplate } from '#engine/print/print-template.ts';
import { formulaNames } from '#engine/schema/formula-names.ts';
import type { KnownNames } from '#engine/schema/lint-context.ts';
import type { Catalog } from '#engine/schema/resource.ts';
import { schemaFaults } from '#engine/schema/schema-faults.ts';
import { type LintFault, readSource } from '#engine/schema/source-file.ts';
import { currentCatalog, overridesOf } from '#server/records/call/overrides.ts';
import type { Services } from '#server/records/services.ts';

type Surroundings = Pick<Services, 'db' | 'definitions'>;

/** A template that a company wrote itself, read; or what is wrong with it, with places. */
export type ReadTemplate =
  | { readonly template: PrintTemplate; readonly faults: readonly [] }
  | { readonly template: null; readonly faults: readonly LintFault[] };

/** Reads the text of a template as files are read: JSON, schema, and every field that it names. */
export function readTemplate(services: Surroundings, text: string): ReadTemplate {
  const { file, faults } = readSource('', text);
  const found = faults.length > 0 ? faults : schemaFaults(file, PRINT_FILE_SCHEMA);
  if (found.length > 0) return { template: null, faults: found };
  // The meta-schema has just said so.
  const template = file.value as PrintTemplate;
  const lint = lintPrint({ file, template }, currentCatalog(services), namesKnownToRows(services));
  return lint.length > 0 ? { template: null, faults: lint } : { template, faults: [] };
}

/** The company's own template instead of the file's; null where it has none, or one that the definitions have outgrown. */
export function ownTemplate(services: Surroundings, coCode: string, name: string): PrintTemplate | null {
  const row = overridesOf(services).prints.find((one) => one.co_code === coCode && one.template === name);
  if (row === undefined) return null;
  const catalog = currentCatalog(services);
  const known = read.get(catalog) ?? new Map<string, PrintTemplate | null>();
  read.set(catalog, known);
  const kept = known.get(row.definition);
  if (kept !== undefined) return kept;
  const { template } = readTemplate(services, row.definition);
  known.set(row.definition, template);
  return template;
}

const read = new WeakMap<Catalog, Map<string, PrintTemplate | null>>();

/** The names that definitions kept in rows may use; what only code knows is not checked there. */
export function namesKnownToRows(services: Surroundings): KnownNames {
  const { roles, dictionaries } = currentCatalog(services);
  return {
    dictionaries: new Set(Object.keys(dictionaries)),
    roles: new Set(Object.keys(roles)),
    checks: null,
    effects: null,
    events: null,
    valueChecks: null,
    routes: null,
    pageKinds: new Map(),
    formulas: formulaNames(services.definitions.setup()),
  };
}
