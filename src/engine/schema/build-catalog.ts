import type { Catalog, Dictionary, MenuGroup, Resource, RoleDefinition } from './resource.ts';

/** Everything that serves together, already parsed and expanded. */
export interface CatalogParts {
  readonly resources: readonly Resource[];
  readonly dictionaries: readonly Dictionary[];
  readonly roles: readonly RoleDefinition[];
  readonly menu: readonly MenuGroup[];
  readonly tables?: Catalog['tables'];
  readonly accounts?: Catalog['accounts'];
}

/** Puts resources, dictionaries, roles and menu into one catalog, keyed by their names. */
export function buildCatalog(parts: CatalogParts): Catalog {
  return {
    resources: Object.fromEntries(parts.resources.map((resource) => [resource.resource, resource])),
    dictionaries: Object.fromEntries(parts.dictionaries.map((dictionary) => [dictionary.name, dictionary])),
    roles: Object.fromEntries(parts.roles.map((role) => [role.code, role])),
    menu: parts.menu,
    ...(parts.tables === undefined ? {} : { tables: parts.tables }),
    ...(parts.accounts === undefined ? {} : { accounts: parts.accounts }),
  };
}
