import type { ColumnDefinition } from './layout-definition.ts';
import type { Catalog, Dictionary, Field, Lifecycle, Resource } from './resource.ts';

/**
 * The catalog as customers read it: resources, fields, states, actions, pages and dictionaries by their `partnerTitle`
 * where they have one, details pages as they are laid out for them. Whatever takes its texts from the catalog (labels,
 * steps, pages, exports) thereby speaks the customers' words.
 */
export function partnersCatalog(catalog: Catalog): Catalog {
  const known = remembered.get(catalog);
  if (known !== undefined) return known;
  const made: Catalog = {
    ...catalog,
    resources: mapValues(catalog.resources, (resource) => partnersResource(resource, catalog)),
    dictionaries: mapValues(catalog.dictionaries, partnersDictionary),
  };
  remembered.set(catalog, made);
  return made;
}

const remembered = new WeakMap<Catalog, Catalog>();

function partnersResource(resource: Resource, catalog: Catalog): Resource {
  const { lifecycle, pages } = resource;
  const fields = partnersFields(resource.fields);
  const details = partnersDetails(resource.details, catalog);
  const isOurs =
    fields === resource.fields &&
    details === resource.details &&
    !isRetitled(resource) &&
    !pages.some(isRetitled) &&
    ![...Object.values(lifecycle?.states ?? {}), ...Object.values(lifecycle?.actions ?? {})].some(isRetitled);
  if (isOurs) return resource;
  return {
    ...retitled(resource),
    fields: lifecycle === undefined ? fields : withStateNames(fields, lifecycle),
    details,
    pages: pages.map(retitled),
    ...(lifecycle === undefined
      ? {}
      : {
          lifecycle: {
            ...lifecycle,
            states: mapValues(lifecycle.states, retitled),
            actions: mapValues(lifecycle.actions, retitled),
          },
        }),
  };
}

/** The page as it is laid out for them, related records by the names that those have for them. */
function partnersDetails(details: Resource['details'], { resources }: Catalog): Resource['details'] {
  const wordsOf = (key: string): string | undefined => resources[key]?.partnerTitle;
  const isNamed = details.related.some(({ resource }) => wordsOf(resource) !== undefined);
  if (details.partner === undefined && !isNamed) return details;
  const related = details.related.map((entry) => {
    const title = wordsOf(entry.resource);
    return title === undefined ? entry : { ...entry, title };
  });
  return { ...details, ...details.partner, related };
}

/** The fields with their lines' columns; the same object when none has other words. */
function partnersFields<F extends Resource['fields']>(fields: F): F | Resource['fields'] {
  const all = Object.values(fields);
  if (!all.some((field) => isRetitled(field) || Object.values(field.fields ?? {}).some(isRetitled)))
    return fields;
  return mapValues(fields, (field): Field => {
    const named = retitled(field);
    return named.fields === undefined ? named : { ...named, fields: mapValues(named.fields, retitled) };
  });
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
