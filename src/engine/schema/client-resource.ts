import { canSee, type ResourceAccess, rowsFor } from '../access/resource-access.ts';
import { openedTo } from '../lifecycle/editable-fields.ts';
import type { Filter } from './definition.ts';
import type { ColumnDefinition, PageDefinition, SectionDefinition } from './layout-definition.ts';
import type { AccessDefinition, RuleDefinition, StateDefinition } from './lifecycle-definition.ts';
import { ruleFormulas } from '../record/message-text.ts';
import { filterReads } from './filter-reads.ts';
import { headPath } from './formula-order.ts';
import { formulaReads } from './formula-reads.ts';
import { recordPages } from './record-pages.ts';
import type { Action, Field, Lifecycle, Resource } from './resource.ts';

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
    titles,
    ...rest
  } = withoutEffects(resource);
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
      ...resource.details,
      links: resource.details.links.map((link) => ({
        ...link,
        with: Object.fromEntries(Object.entries(link.with ?? {}).filter(([, name]) => isVisible(name))),
      })),
      sections: clientSections(resource.details.sections, isVisible),
      figures: visible(resource.details.figures),
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
): Omit<Resource, 'ledger' | 'account' | 'amendment' | 'secondPerson'> {
  const {
    ledger: _ledger,
    account: _account,
    amendment: _amendment,
    secondPerson: _second,
    ...rest
  } = resource;
  return rest;
}

/**
 * The references that a role's rows tie to the person (a customer's records to the customer): they are known, so that no
 * form asks for them. By name, with the value they have.
 */
function ownReferences(
  { fields }: Resource,
  rows: Filter | null,
): ReadonlyMap<string, { readonly $: string }> {
  const own = new Map<string, { readonly $: string }>();
  const read = (filter: Filter): void => {
    for (const [name, part] of Object.entries(filter)) {
      if (name === 'or' || part === undefined) continue;
      if (Array.isArray(part)) {
        for (const inner of part) read(inner);
        continue;
      }
      const value: unknown = Reflect.get(part, 'eq');
      const source: unknown =
        typeof value === 'object' && value !== null ? Reflect.get(value, '$') : undefined;
      const isOwn = typeof source === 'string' && source.startsWith('user.');
      if (isOwn && fields[name]?.type === 'reference') own.set(name, { $: source });
    }
  };
  if (rows !== null) read(rows);
  return own;
}

function withDefaults(
  fields: Resource['fields'],
  own: ReadonlyMap<string, { readonly $: string }>,
): Resource['fields'] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const known = own.get(name);
      return [name, known === undefined ? field : { ...field, required: false, default: known }];
    }),
  );
}

type IsVisible = (path: string) => boolean;

/** A path is visible when its field is, and when no hidden field lies on its way to another record. */
function isPathVisible(resource: Resource, access: ResourceAccess, path: string): boolean {
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
  const { rollup: _rollup, find, was: _was, where, fill, ...own } = field;
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

function clientRules(rules: readonly RuleDefinition[], isVisible: IsVisible): readonly RuleDefinition[] {
  return rules.flatMap((rule) => {
    const shown = ruleFormulas(rule).flatMap(formulaReads);
    const reads = [
      ...readsOf(rule.when, rule.each),
      ...readsOf(rule.assert, rule.each),
      ...ownPaths(shown).map((path) => headPath(path, rule.each)),
    ];
    if (!reads.every(isVisible)) return [];
    const keep = (names: readonly string[]): readonly string[] =>
      names.filter((name) => isVisible(headPath(name, rule.each)));
    return [
      {
        ...rule,
        ...(rule.require === undefined ? {} : { require: keep(rule.require) }),
        ...(rule.hide === undefined ? {} : { hide: keep(rule.hide) }),
        ...(rule.readOnly === undefined ? {} : { readOnly: keep(rule.readOnly) }),
      },
    ];
  });
}

function readsOf(filter: Filter | undefined, lines: string | undefined): readonly string[] {
  const { fields, values } = filterReads(filter);
  return ownPaths([...fields, ...values]).map((path) => headPath(path, lines));
}

/** Without what the surroundings know. */
function ownPaths(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !/^(user|input|param|company)\.|^(today|now)$/.test(path));
}

function clientLifecycle(lifecycle: Lifecycle, access: ResourceAccess, isVisible: IsVisible): Lifecycle {
  const actions = Object.values(lifecycle.actions)
    .filter((action) => action.system !== true && access.operations.has(action.key))
    .map((action): [string, Action] => [action.key, clientAction(action, isVisible)]);
  const states = Object.entries(lifecycle.states).map(
    ([key, { edit, was: _was, ...state }]): [string, StateDefinition] => {
      const opened = openedTo(edit, access.role);
      if (opened === '*') return [key, { ...state, edit: '*' }];
      const fields = [...opened].filter(isVisible);
      return [key, fields.length === 0 ? state : { ...state, edit: fields }];
    },
  );
  return {
    ...lifecycle,
    states: Object.fromEntries(states),
    retired: {},
    sealed: lifecycle.sealed.filter(isVisible),
    actions: Object.fromEntries(actions),
  };
}

/** Guards that read hidden fields are left to the server, which says with each record what is allowed. */
function clientAction(action: Action, isVisible: IsVisible): Action {
  const {
    checks: _checks,
    effects: _effects,
    event: _event,
    set: _set,
    then: _then,
    add: _add,
    pull: _pull,
    fresh: _fresh,
    when,
    approval,
    ...rest
  } = action;
  const isGuardVisible = when !== undefined && readsOf(when, undefined).every(isVisible);
  return {
    ...rest,
    ...(isGuardVisible ? { when } : {}),
    ...(approval === undefined
      ? {}
      : {
          approval: {
            approved: approval.approved,
            rejected: approval.rejected,
            withdrawn: approval.withdrawn,
            released: [],
            onRelease: [],
          },
        }),
  };
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
