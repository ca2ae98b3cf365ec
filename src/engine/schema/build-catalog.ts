import { STANDARD_DICTIONARIES } from './standard-fields.ts';
import type { Catalog, Dictionary, Field, MenuGroup, Resource, RoleDefinition } from './resource.ts';

/** Everything that serves together, already parsed and expanded. */
export interface CatalogParts {
  readonly resources: readonly Resource[];
  readonly dictionaries: readonly Dictionary[];
  readonly roles: readonly RoleDefinition[];
  readonly menu: readonly MenuGroup[];
  readonly tables?: Catalog['tables'];
  readonly accounts?: Catalog['accounts'];
  readonly parameters?: Catalog['parameters'];
}

/** Puts resources, dictionaries, roles and menu into one catalog, keyed by their names. */
export function buildCatalog(parts: CatalogParts): Catalog {
  const targets = new Map(parts.resources.map((resource) => [resource.resource, natureOf(resource)]));
  const known = new Set(parts.dictionaries.map(({ name }) => name));
  return {
    resources: Object.fromEntries(
      parts.resources.map((resource) => [
        resource.resource,
        {
          ...withNature(withStandardDictionaries(resource, known), targets),
          isNamed: isNamed(resource),
        },
      ]),
    ),
    dictionaries: Object.fromEntries(parts.dictionaries.map((dictionary) => [dictionary.name, dictionary])),
    roles: Object.fromEntries(parts.roles.map((role) => [role.code, role])),
    menu: parts.menu,
    declaring: {
      accounts: namesOf(parts.resources, ({ account }) => account !== undefined),
      voucherBooks: namesOf(parts.resources, ({ voucherBook }) => voucherBook !== undefined),
    },
    ...(parts.tables === undefined ? {} : { tables: parts.tables }),
    ...(parts.parameters === undefined ? {} : { parameters: parts.parameters }),
    ...(parts.accounts === undefined ? {} : { accounts: parts.accounts }),
  };
}

type Nature = Pick<Field, 'inTree' | 'leadsTo'>;
type Targets = ReadonlyMap<string, Nature>;

function natureOf(resource: Resource): Nature {
  const { tree, lifecycle, scope, kind, label } = resource;
  const isBase = scope === 'global' || kind === 'config';
  // An account, a letter of credit: known by a number, though it has a register of its own.
  const named = isBase ? 'base' : label.startsWith('name') ? 'party' : 'document';
  return {
    ...(tree === undefined ? {} : { inTree: true }),
    ...(lifecycle === undefined ? {} : { leadsTo: isNamed(resource) ? named : 'document' }),
  };
}

/** Named by people: its label is a name, or is not its number. */
function isNamed({ kind, number, label }: Resource): boolean {
  if (kind === 'master' || kind === 'config' || label === 'name') return true;
  return number !== undefined && number.field !== label;
}

/** Standard codes are read in words where the company has the dictionary of them. */
function withStandardDictionaries(resource: Resource, known: ReadonlySet<string>): Resource {
  const fields = Object.entries(resource.fields).map(([name, field]): [string, Field] => {
    const dictionary = field.standard ? STANDARD_DICTIONARIES[name] : undefined;
    return dictionary !== undefined && field.type === 'text' && known.has(dictionary)
      ? [name, { ...field, type: 'dictionary', dictionary }]
      : [name, field];
  });
  return { ...resource, fields: Object.fromEntries(fields) };
}

/** Marks what references lead to: what another resource is only all of them together know. */
function withNature(resource: Resource, targets: Targets): Resource {
  const marked = markedFields(resource.fields, targets);
  return marked === resource.fields ? resource : { ...resource, fields: marked };
}

function markedFields(fields: Resource['fields'], targets: Targets): Resource['fields'] {
  const marked = Object.entries(fields).map(([name, field]): [string, Field] => {
    const cells = field.fields === undefined ? undefined : markedFields(field.fields, targets);
    if (cells !== undefined && cells !== field.fields) return [name, { ...field, fields: cells }];
    const found = typeof field.to === 'string' ? targets.get(field.to) : undefined;
    if (found === undefined || Object.keys(found).length === 0 || field.multiple === true)
      return [name, field];
    const { inTree, leadsTo } = found;
    // Who wrote a record or whose it is in the house is nobody one deals with.
    const isNamed = leadsTo !== undefined && !field.standard;
    return [name, { ...field, ...(inTree === undefined ? {} : { inTree }), ...(isNamed ? { leadsTo } : {}) }];
  });
  return marked.every(([name, field]) => field === fields[name]) ? fields : Object.fromEntries(marked);
}

function namesOf(resources: readonly Resource[], has: (resource: Resource) => boolean): readonly string[] {
  return resources.filter(has).map(({ resource }) => resource);
}
