import type { ResourceDefinition } from './definition.ts';
import { expandResource } from './expand-resource.ts';
import type { Catalog, Dictionary, MenuGroup, RoleDefinition } from './resource.ts';

/** A resource file that passed the lint, with the hash of its text. */
export interface SourcedDefinition {
  readonly definition: ResourceDefinition;
  readonly hash: string;
}

/** Everything that serves together, already parsed. */
export interface CatalogParts {
  readonly resources: readonly SourcedDefinition[];
  readonly dictionaries: readonly Dictionary[];
  readonly roles: readonly RoleDefinition[];
  readonly menu: readonly MenuGroup[];
  readonly tables?: Catalog['tables'];
}

/** Expands the resources and puts them with dictionaries, roles and menu into one catalog, keyed by their names. */
export function buildCatalog(parts: CatalogParts): Catalog {
  const resources = parts.resources.map(({ definition, hash }) => expandResource(definition, hash));
  return {
    resources: Object.fromEntries(resources.map((resource) => [resource.resource, resource])),
    dictionaries: Object.fromEntries(parts.dictionaries.map((dictionary) => [dictionary.name, dictionary])),
    roles: Object.fromEntries(parts.roles.map((role) => [role.code, role])),
    menu: parts.menu,
    ...(parts.tables === undefined ? {} : { tables: parts.tables }),
  };
}
