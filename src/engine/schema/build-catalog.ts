import type { Catalog, Dictionary, Field, MenuGroup, Resource, RoleDefinition } from './resource.ts';

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
  const trees = new Set(
    parts.resources.filter(({ tree }) => tree !== undefined).map(({ resource }) => resource),
  );
  return {
    resources: Object.fromEntries(
      parts.resources.map((resource) => [resource.resource, withTreeFields(resource, trees)]),
    ),
    dictionaries: Object.fromEntries(parts.dictionaries.map((dictionary) => [dictionary.name, dictionary])),
    roles: Object.fromEntries(parts.roles.map((role) => [role.code, role])),
    menu: parts.menu,
    declaring: {
      accounts: namesOf(parts.resources, ({ account }) => account !== undefined),
      voucherBooks: namesOf(parts.resources, ({ voucherBook }) => voucherBook !== undefined),
    },
    ...(parts.tables === undefined ? {} : { tables: parts.tables }),
    ...(parts.accounts === undefined ? {} : { accounts: parts.accounts }),
  };
}

/** Marks the references that lead into a tree: which they are only all resources together know. */
function withTreeFields(resource: Resource, trees: ReadonlySet<string>): Resource {
  const marked = markedFields(resource.fields, trees);
  return marked === resource.fields ? resource : { ...resource, fields: marked };
}

function markedFields(fields: Resource['fields'], trees: ReadonlySet<string>): Resource['fields'] {
  const marked = Object.entries(fields).map(([name, field]): [string, Field] => {
    const cells = field.fields === undefined ? undefined : markedFields(field.fields, trees);
    if (cells !== undefined && cells !== field.fields) return [name, { ...field, fields: cells }];
    const leads = typeof field.to === 'string' && trees.has(field.to) && field.multiple !== true;
    return [name, leads ? { ...field, inTree: true } : field];
  });
  return marked.every(([name, field]) => field === fields[name]) ? fields : Object.fromEntries(marked);
}

function namesOf(resources: readonly Resource[], has: (resource: Resource) => boolean): readonly string[] {
  return resources.filter(has).map(({ resource }) => resource);
}
