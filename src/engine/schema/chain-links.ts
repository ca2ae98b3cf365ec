import type { Catalog, Field, Resource } from './resource.ts';

/** A reference by which a document says what it came from. */
export interface ChainLink {
  /** The resource of the document that came later. */
  readonly later: string;
  /** Its lines that hold the reference; null: the head does. */
  readonly lines: string | null;
  readonly field: string;
  /** The resource of the document that it came from. */
  readonly earlier: string;
  /** The reference is to these lines of it; null: to the document. */
  readonly earlierLines: string | null;
}

/**
 * The references that tie documents into chains (contract, shipment, invoice). A document is a link where another is made
 * from it, changes it or draws on its lines; every document with a reference to it then came from it. Whom a document is
 * for (a partner, goods) is no link.
 */
export function chainLinks(catalog: Pick<Catalog, 'resources'>): readonly ChainLink[] {
  const known = remembered.get(catalog);
  if (known !== undefined) return known;
  const documents = Object.values(catalog.resources).filter(({ kind }) => kind === 'document');
  const sources = new Set(documents.flatMap((resource) => sourcesIn(resource, catalog)));
  const links = documents.flatMap((resource) =>
    referencesOf(resource).filter(({ earlier, later }) => sources.has(earlier) && earlier !== later),
  );
  const found = links.filter(({ earlier }) => catalog.resources[earlier]?.kind === 'document');
  remembered.set(catalog, found);
  return found;
}

const remembered = new WeakMap<Pick<Catalog, 'resources'>, readonly ChainLink[]>();

/** Documents from which this one, or others by its makes, come. */
function sourcesIn(resource: Resource, catalog: Pick<Catalog, 'resources'>): readonly string[] {
  const makes = Object.values(resource.makes).some(({ to }) => to.split('.')[0] !== resource.resource);
  return [
    ...(makes ? [resource.resource] : []),
    ...(resource.amendment === undefined ? [] : [resource.amendment.of]),
    ...referencesOf(resource)
      .filter((link) => isDrawnOn(link, catalog))
      .map(({ earlier }) => earlier),
  ];
}

/** Lines that sum what refers to them: a line is drawn on, not just chosen like a supplier's account. */
function isDrawnOn(
  { later, field, earlier, earlierLines }: ChainLink,
  catalog: Pick<Catalog, 'resources'>,
): boolean {
  if (earlierLines === null) return false;
  const columns = catalog.resources[earlier]?.fields[earlierLines]?.fields ?? {};
  return Object.values(columns).some(
    ({ rollup }) =>
      rollup !== undefined && rollup.of.split('.')[0] === later && rollupFields(rollup.by).includes(field),
  );
}

function rollupFields(by: string | Readonly<Record<string, string>>): readonly string[] {
  return typeof by === 'string' ? [by] : Object.keys(by);
}

function referencesOf(resource: Resource): readonly ChainLink[] {
  const linkOf = (field: Field, lines: string | null): readonly ChainLink[] => {
    if (field.type !== 'reference' || typeof field.to !== 'string' || field.multiple === true) return [];
    // What is looked for (the last declaration of such goods) tells where a value is from, not the document.
    if (field.find !== undefined) return [];
    const [earlier = '', earlierLines = null] = field.to.split('.');
    return [{ later: resource.resource, lines, field: field.name, earlier, earlierLines }];
  };
  return Object.values(resource.fields).flatMap((field) =>
    field.type === 'lines'
      ? Object.values(field.fields ?? {}).flatMap((cell) => linkOf(cell, field.name))
      : linkOf(field, null),
  );
}
