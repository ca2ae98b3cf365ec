import { canSee, type ResourceAccess, rowsFor } from '../access/resource-access.ts';
import { clientLifecycle, clientRules, type IsVisible } from './client-behaviour.ts';
import type { Filter } from './definition.ts';
import { filterReads } from './filter-reads.ts';
import type { ColumnDefinition, PageDefinition, SectionDefinition } from './layout-definition.ts';
import type { AccessDefinition } from './lifecycle-definition.ts';
import { ownReferences, withDefaults } from './own-references.ts';
import { recordPages } from './record-pages.ts';
import type { Field, Resource } from './resource.ts';

/**
 * The resource as one role's browser gets it: without fields hidden to it, what reads them, system actions, and the
 * names of server checks and effects. A rule that reads a hidden field runs on the server only.
 */
export function clientResource(resource: Resource, access: ResourceAccess): Resource {
  const isVisible = (path: string): boolean => isPathVisible(resource, access, path);
  const visible = (names: readonly string[]): readonly string[] =>
    names.filter((name) => isVisible(name.replace(/^-/, '')));
  const own = ownReferences(resource, rowsFor(access, 'create').rows);
  // A customer whose rows are all his own is told so once, not in every row.
  const said = ownReferences(resource, rowsFor(access, 'list').rows);
  const isShown = (column: ColumnDefinition): boolean => {
    const name = columnField(column);
    return isVisible(name) && said.get(name)?.$ !== 'user.partner_id';
  };
  const {
    lifecycle,
    number: _number,
    source: _source,
    was: _was,
    foremost: _foremost,
    titles,
    ...rest
  } = withoutEffects(resource);
  const { partner: _partner, ...details } = resource.details;
  return {
    ...rest,
    ...(titles !== undefined && isVisible(titles.by) ? { titles } : {}),
    fields: withDefaults(clientFields(resource, access), own),
    formulaOrder: visible(resource.formulaOrder),
    paths: resource.paths.filter((path) => isVisible(path) && !access.hiddenPaths.has(path)),
    caption: visible(resource.caption),
    unique: resource.unique.filter((unique) => unique.fields.every(isVisible)),
    rules: clientRules(resource.rules, isVisible),
    checks: { save: [], submit: [] },
    effects: { create: [], update: [], delete: [] },
    ...CLIENT_EFFECTS,
    ...(lifecycle === undefined ? {} : { lifecycle: clientLifecycle(lifecycle, access, isVisible) }),
    access: clientAccess(access),
    indexes: [],
    list: {
      ...resource.list,
      columns: resource.list.columns.filter(isShown),
      filters: visible(resource.list.filters),
      sort: visible(resource.list.sort),
    },
    edit: clientSections(resource.edit, (path) => isVisible(path) && !own.has(path)),
    details: {
      ...details,
      links: details.links.map((link) => ({
        ...link,
        with: Object.fromEntries(Object.entries(link.with ?? {}).filter(([, name]) => isVisible(name))),
      })),
      sections: clientSections(details.sections, isVisible),
      figures: visible(details.figures),
    },
    print: access.operations.has('print') ? resource.print : [],
    pages: recordPages(resource).map((page) => clientPage(page, { isVisible, isShown })),
  };
}

/** What a document does to others is the server's business; a preview tells of it. */
const CLIENT_EFFECTS = {
  limits: [],
  makes: {},
  then: { create: [], update: [], save: [], delete: [] },
  blockers: [],
  exclude: [],
  postings: [],
  holds: [],
  vouchers: [],
} as const;

function withoutEffects(
  resource: Resource,
): Omit<Resource, 'ledger' | 'account' | 'amendment' | 'secondPerson' | 'everyEntry'> {
  const {
    ledger: _ledger,
    account: _account,
    amendment: _amendment,
    secondPerson: _second,
    everyEntry: _every,
    ...rest
  } = resource;
  return rest;
}

/** A path is visible when its field is, and when no hidden field lies on its way to another record. */
export function isPathVisible(resource: Resource, access: ResourceAccess, path: string): boolean {
  if (access.hiddenPaths.has(path)) return false;
  const parts = path.split('.');
  const isLines = resource.fields[parts[0] ?? '']?.type === 'lines';
  return canSee(access, isLines ? parts.slice(0, 2).join('.') : (parts[0] ?? ''));
}

function clientFields(resource: Resource, access: ResourceAccess): Resource['fields'] {
  const fields: Record<string, Field> = {};
  for (const field of Object.values(resource.fields)) {
    if (!canSee(access, field.name)) continue;
    fields[field.name] =
      field.fields === undefined
        ? clientField(field, (name) => canSee(access, name))
        : clientLines(field, access);
  }
  return fields;
}

function clientLines(lines: Field, access: ResourceAccess): Field {
  const isVisible = (name: string): boolean => canSee(access, `${lines.name}.${name}`);
  const columns = Object.values(lines.fields ?? {}).filter((cell) => isVisible(cell.name));
  return {
    ...lines,
    ...(lines.unique === undefined
      ? {}
      : { unique: lines.unique.filter((unique) => unique.fields.every(isVisible)) }),
    fields: Object.fromEntries(columns.map((cell) => [cell.name, clientField(cell, isVisible)])),
    formulaOrder: (lines.formulaOrder ?? []).filter(isVisible),
  };
}

/** How sums over other records come about and which records may be picked or are found is the server's business. */
function clientField(field: Field, isVisible: IsVisible): Field {
  const {
    rollup: _rollup,
    find,
    was: _was,
    were: _were,
    partsOf: _partsOf,
    prefers: _prefers,
    where,
    fill,
    ...own
  } = field;
  const after = chosenAfter(where);
  const rest = {
    ...own,
    ...(find === undefined ? {} : { find: { where: {} } }),
    ...(after.length === 0 ? {} : { chosenAfter: after }),
  };
  if (fill === undefined) return rest;
  const filled = Object.entries(fill).filter(([own]) => isVisible(own.replace(/^parent\./, '')));
  return { ...rest, fill: Object.fromEntries(filled) };
}

/** The fields of the record, or of its head, that a picker's candidates are narrowed by. */
function chosenAfter(where: Filter | undefined): readonly string[] {
  const own = filterReads(where).values.flatMap((path) => {
    const [, place, name] = /^(record|parent)\.([a-z][a-z0-9_]*)$/.exec(path) ?? [];
    if (name === undefined) return [];
    return [place === 'parent' ? `parent.${name}` : name];
  });
  return [...new Set(own)];
}

/** The person's own rights, so that the browser can leave out what the server would refuse. */
function clientAccess(access: ResourceAccess): readonly AccessDefinition[] {
  return [
    {
      role: access.role,
      do: [...access.operations],
      ...(access.readOnly.size === 0 ? {} : { readOnly: [...access.readOnly] }),
      ...(access.write === undefined ? {} : { write: [...access.write] }),
    },
  ];
}

function clientSections(
  sections: readonly SectionDefinition[],
  isVisible: IsVisible,
): readonly SectionDefinition[] {
  return sections.flatMap((section): SectionDefinition[] => {
    if ('lines' in section) {
      if (!isVisible(section.lines)) return [];
      const columns = section.columns?.filter((name) => isVisible(`${section.lines}.${name}`));
      return [columns === undefined ? section : { ...section, columns }];
    }
    const fields = section.fields.filter(isVisible);
    return fields.length === 0 ? [] : [{ ...section, fields }];
  });
}

function clientPage(
  { tree, ...page }: PageDefinition,
  {
    isVisible,
    isShown,
  }: { readonly isVisible: IsVisible; readonly isShown: (column: ColumnDefinition) => boolean },
): PageDefinition {
  return {
    ...page,
    ...(page.columns === undefined ? {} : { columns: page.columns.filter(isShown) }),
    ...(page.filters === undefined ? {} : { filters: page.filters.filter(isVisible) }),
    ...(tree === undefined || !isVisible(tree) ? {} : { tree }),
  };
}

function columnField(column: ColumnDefinition): string {
  return typeof column === 'string' ? column : column.field;
}
