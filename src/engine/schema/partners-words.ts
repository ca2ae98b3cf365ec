import type { ColumnDefinition } from './layout-definition.ts';
import type { Catalog, Dictionary, Field, Lifecycle, Resource } from './resource.ts';

/**
 * The catalog as customers read it: states, actions, pages and dictionaries by their `partnerTitle` where they have one.
 * Whatever takes its texts from the catalog (labels, steps, pages, exports) thereby speaks the customers' words.
 */
export function partnersCatalog(catalog: Catalog): Catalog {
  const known = remembered.get(catalog);
  if (known !== undefined) return known;
  const made: Catalog = {
    ...catalog,
    resources: mapValues(catalog.resources, partnersResource),
    dictionaries: mapValues(catalog.dictionaries, partnersDictionary),
  };
  remembered.set(catalog, made);
  return made;
}

const remembered = new WeakMap<Catalog, Catalog>();

function partnersResource(resource: Resource): Resource {
  const { lifecycle, pages } = resource;
  const isOurs =
    !pages.some(isRetitled) &&
    ![...Object.values(lifecycle?.states ?? {}), ...Object.values(lifecycle?.actions ?? {})].some(isRetitled);
  if (isOurs) return resource;
  return {
    ...resource,
    pages: pages.map(retitled),
    ...(lifecycle === undefined
      ? {}
      : {
          lifecycle: {
            ...lifecycle,
            states: mapValues(lifecycle.states, retitled),
            actions: mapValues(lifecycle.actions, retitled),
          },
          fields: withStateNames(resource.fields, lifecycle),
        }),
  };
}

/** A list says nothing of whose its records are to whoever has only his own. */
export function withoutOwner<T extends Pick<Resource, 'list' | 'pages' | 'caption'>>(
  shown: T,
  owner: string,
): T {
  const isOther = (column: ColumnDefinition): boolean =>
    (typeof column === 'string' ? column : column.field) !== owner;
  return {
    ...shown,
    caption: shown.caption.filter(isOther),
    list: {
      ...shown.list,
      columns: shown.list.columns.filter(isOther),
      filters: shown.list.filters.filter(isOther),
    },
    pages: shown.pages.map((page) => ({
      ...page,
      ...(page.columns === undefined ? {} : { columns: page.columns.filter(isOther) }),
      ...(page.filters === undefined ? {} : { filters: page.filters.filter(isOther) }),
    })),
  };
}

/** The states are the options of `status` too. */
function withStateNames(fields: Resource['fields'], { states }: Lifecycle): Resource['fields'] {
  const { status } = fields;
  if (status?.options === undefined) return fields;
  const options = mapEntries(status.options, (label, state) => states[state]?.partnerTitle ?? label);
  const named: Field = { ...status, options };
  return { ...fields, status: named };
}

function partnersDictionary(dictionary: Dictionary): Dictionary {
  if (!dictionary.items.some(({ partnerLabel }) => partnerLabel !== undefined)) return dictionary;
  return {
    ...dictionary,
    items: dictionary.items.map(({ partnerLabel, ...item }) => ({
      ...item,
      label: partnerLabel ?? item.label,
    })),
  };
}

interface Titled {
  readonly title?: string;
  readonly partnerTitle?: string;
}

function isRetitled({ partnerTitle }: Titled): boolean {
  return partnerTitle !== undefined;
}

function retitled<T extends Titled>(titled: T): T {
  return titled.partnerTitle === undefined ? titled : { ...titled, title: titled.partnerTitle };
}

function mapValues<T>(
  values: Readonly<Record<string, T>>,
  map: (value: T) => T,
): Readonly<Record<string, T>> {
  return mapEntries(values, map);
}

function mapEntries<T>(
  values: Readonly<Record<string, T>>,
  map: (value: T, key: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]));
}
