import type { Scope } from '#engine/filter/scope.ts';
import type { Catalog, Dictionary, ErpRecord, EvaluationContext, Resource } from '#engine/schema/resource.ts';

export interface FormSurroundings {
  readonly resource: Resource;
  readonly dictionaries: Readonly<Record<string, Dictionary>>;
  readonly context: EvaluationContext;
}

/** The scope in which the engine reads a record in the browser: the one resource, its dictionaries, who asks. */
export function formScope(surroundings: FormSurroundings, record: ErpRecord): Scope {
  return {
    resource: surroundings.resource,
    catalog: formCatalog(surroundings),
    context: surroundings.context,
    record,
  };
}

const CATALOGS = new WeakMap<FormSurroundings, Catalog>();

function formCatalog(surroundings: FormSurroundings): Catalog {
  const known = CATALOGS.get(surroundings);
  if (known !== undefined) return known;
  const { resource, dictionaries } = surroundings;
  const catalog: Catalog = {
    resources: { [resource.resource]: resource },
    dictionaries,
    roles: {},
    menu: [],
  };
  CATALOGS.set(surroundings, catalog);
  return catalog;
}
