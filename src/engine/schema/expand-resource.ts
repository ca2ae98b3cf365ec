import type { FieldDefinition, ResourceDefinition } from './definition.ts';
import type { ActionDefinition, LifecycleDefinition } from './lifecycle-definition.ts';
import { deriveDetails, deriveEdit, deriveList, derivePages } from './derive-layout.ts';
import { orderFormulas } from './formula-order.ts';
import { readPaths } from './read-paths.ts';
import type { Action, Field, Lifecycle, Resource } from './resource.ts';
import { expandEffects } from './expand-effects.ts';
import { frozenOf } from './frozen-states.ts';
import { LINEAGE } from '../filter/filter-paths.ts';
import { statesOf } from './state-groups.ts';
import { isStamped, lifecycleOf, standardFields } from './standard-fields.ts';

const UPLOAD_DAYS = 7;
const UPLOAD_FILES = 50;
const UPLOAD_TOTAL_MB = 1000;

/**
 * Writes out every default of a resource file and adds its standard fields. The definition must have passed the
 * lint; `hash` is the hash of the file's text.
 */
export function expandResource(definition: ResourceDefinition, hash: string): Resource {
  const lifecycle = lifecycleOf(definition);
  const fields = expandFields(definition);
  const edit = deriveEdit(definition, fields);
  return {
    resource: definition.resource,
    title: definition.title,
    ...(definition.partnerTitle === undefined ? {} : { partnerTitle: definition.partnerTitle }),
    ...(definition.was === undefined ? {} : { was: definition.was }),
    kind: definition.kind,
    scope: definition.scope ?? 'company',
    versioned: definition.versioned ?? false,
    ...(definition.appendOnly === undefined ? {} : { appendOnly: definition.appendOnly }),
    ...(definition.source === undefined ? {} : { source: definition.source }),
    ...(definition.defaults === undefined ? {} : { defaults: definition.defaults }),
    label: definition.label,
    caption: definition.caption ?? [],
    ...(definition.foremost === undefined ? {} : { foremost: definition.foremost }),
    ...(definition.titles === undefined ? {} : { titles: definition.titles }),
    ...(definition.number === undefined ? {} : { number: definition.number }),
    fields,
    formulaOrder: orderFormulas(definition.fields).order,
    paths: readPaths(definition),
    ...(definition.reads === undefined ? {} : { reads: definition.reads }),
    ...(definition.uploads === undefined
      ? {}
      : {
          uploads: {
            days: UPLOAD_DAYS,
            max: UPLOAD_FILES,
            maxTotalMb: UPLOAD_TOTAL_MB,
            ...definition.uploads,
          },
        }),
    unique: uniqueOf(definition),
    rules: definition.rules ?? [],
    checks: { save: definition.checks?.save ?? [], submit: definition.checks?.submit ?? [] },
    effects: {
      create: definition.effects?.create ?? [],
      update: definition.effects?.update ?? [],
      delete: definition.effects?.delete ?? [],
    },
    ...expandEffects(definition),
    ...(lifecycle === undefined ? {} : { lifecycle: expandLifecycle(lifecycle, fields) }),
    access: definition.access ?? [],
    ...(definition.mandate === undefined ? {} : { mandate: definition.mandate }),
    ...(definition.partnerPath === undefined ? {} : { partnerPath: definition.partnerPath }),
    indexes: definition.indexes ?? [],
    list: deriveList(definition, fields),
    edit,
    details: deriveDetails(definition, fields, edit),
    print: definition.print ?? [],
    pages: derivePages(definition),
    hash,
  };
}

/** The expanded form of one field outside a resource: an action's input, a report's parameter. */
export function expandField(name: string, definition: FieldDefinition): Field {
  const { fields, ...rest } = definition;
  const isComputed =
    definition.formula !== undefined ||
    definition.rollup !== undefined ||
    definition.find !== undefined ||
    definition.system === true;
  const field: Field = {
    ...rest,
    name,
    required: definition.required ?? false,
    standard: false,
    computed: isComputed,
  };
  if (fields === undefined) return field;
  const columns = Object.fromEntries(
    Object.entries(fields).map(([column, cell]) => [column, expandField(column, cell)]),
  );
  return { ...field, fields: columns };
}

function expandFields(definition: ResourceDefinition): Readonly<Record<string, Field>> {
  const standard = standardFields(definition);
  const { order } = orderFormulas(definition.fields);
  const fields: Record<string, Field> = {};
  for (const [name, own] of Object.entries(definition.fields)) {
    const base = standard[name];
    const field = base === undefined ? expandField(name, own) : overrideStandard(name, own, definition);
    const isNumber = definition.number?.field === name;
    fields[name] = {
      ...withFrozen(field, definition),
      computed: field.computed || isNumber,
      ...(isDrawn(name, definition) ? { drawn: true } : {}),
      ...(field.type === 'lines'
        ? {
            formulaOrder: order
              .filter((path) => path.startsWith(`${name}.`))
              .map((path) => path.slice(name.length + 1)),
          }
        : {}),
    };
  }
  for (const [name, own] of Object.entries(standard)) {
    if (fields[name] !== undefined) continue;
    fields[name] = {
      ...expandField(name, own),
      ...statusGroups(name, definition),
      standard: true,
      computed: isStamped(name, definition),
    };
  }
  if (definition.ledger !== undefined) fields['live'] = liveField(definition.ledger.reverses);
  if (definition.tree !== undefined)
    fields[LINEAGE] = lineageField(definition.resource, definition.tree.parent);
  return fields;
}

function isDrawn(name: string, { number }: ResourceDefinition): boolean {
  return number?.at !== 'post' && number?.also?.includes(name) === true;
}

/** Entries are never changed: whether one still counts follows from whether another mirrors it. */
function liveField(reverses: string): Field {
  const shown = { name: 'live', type: 'boolean', title: '有效', liveBy: reverses } as const;
  return { ...shown, required: false, standard: true, computed: true };
}

/** The record itself and what stands above it; read when it is asked for, so that moving a branch writes no rows for it. */
function lineageField(resource: string, parent: string): Field {
  const shown = {
    name: LINEAGE,
    type: 'reference',
    title: '所在分支',
    to: resource,
    multiple: true,
  } as const;
  return { ...shown, lineageBy: parent, required: false, standard: true, computed: true };
}

/** Writes out when `until` fields (of the head or of its lines) are taken. */
function withFrozen(field: Field, definition: ResourceDefinition): Field {
  const lifecycle = lifecycleOf(definition);
  const own = field.until === undefined ? {} : { frozen: frozenOf(field.until, lifecycle) };
  if (field.fields === undefined) return { ...field, ...own };
  const cells = Object.entries(field.fields).map(([name, cell]): [string, Field] => [
    name,
    withFrozen(cell, definition),
  ]);
  return { ...field, ...own, fields: Object.fromEntries(cells) };
}

/** A file may retitle a standard field, require it, or open it to clients; the states stay the options of `status`. */
function overrideStandard(name: string, own: FieldDefinition, definition: ResourceDefinition): Field {
  const base = standardFields(definition)[name];
  const merged: FieldDefinition = { ...base, ...own };
  const { dictionary: _dictionary, ...withoutDictionary } = merged;
  const isStates = name === 'status' && base?.options !== undefined;
  const shape: FieldDefinition = isStates
    ? { ...withoutDictionary, type: 'dictionary', options: base.options }
    : merged;
  const field = expandField(name, shape);
  return {
    ...field,
    ...statusGroups(name, definition),
    standard: true,
    computed: field.computed || isStamped(name, definition),
  };
}

function statusGroups(name: string, definition: ResourceDefinition): Pick<Field, 'groups'> {
  const groups = lifecycleOf(definition)?.groups;
  return name === 'status' && groups !== undefined ? { groups } : {};
}

const END_STATES: ReadonlySet<string> = new Set(['void', 'cancelled']);

function expandLifecycle(lifecycle: LifecycleDefinition, fields: Resource['fields']): Lifecycle {
  const groups = lifecycle.groups ?? {};
  const actions = Object.entries(lifecycle.actions ?? {}).map(([key, action]): [string, Action] => [
    key,
    expandAction(key, action, lifecycle),
  ]);
  return {
    initial: lifecycle.initial,
    states: lifecycle.states,
    retired: lifecycle.retired ?? {},
    groups,
    sealed: sealedFields(lifecycle, fields),
    actions: Object.fromEntries(actions),
  };
}

/** Lists are left out: what a first state shuts of them is filled by actions. */
function sealedFields(
  { initial, states }: LifecycleDefinition,
  fields: Resource['fields'],
): readonly string[] {
  const edit = states[initial]?.edit ?? [];
  const opened = [edit]
    .flat()
    .flatMap((entry) => (typeof entry === 'string' ? entry : Object.values(entry).flat()));
  if (opened.includes('*')) return [];
  return Object.values(fields)
    .filter(({ type, computed, readOnly }) => type !== 'lines' && !computed && readOnly !== true)
    .map(({ name }) => name)
    .filter((name) => !opened.includes(name));
}

function expandAction(key: string, action: ActionDefinition, lifecycle: LifecycleDefinition): Action {
  const { approval, ...rest } = action;
  const from = statesOf(action.from, lifecycle.groups);
  const released = approval?.released ?? [];
  return {
    ...rest,
    key,
    from,
    complete: action.complete ?? needsCompleteness(action, from, lifecycle.initial),
    ...(approval === undefined
      ? {}
      : {
          approval: {
            ...approval,
            released: released.filter((entry) => typeof entry === 'string'),
            onRelease: released.filter((entry) => typeof entry !== 'string'),
          },
        }),
  };
}

function needsCompleteness(action: ActionDefinition, from: readonly string[], initial: string): boolean {
  if (action.approval !== undefined) return true;
  const leavesInitial = from.includes(initial) && !action.to.startsWith('$') && action.to !== initial;
  return leavesInitial && !END_STATES.has(action.to);
}

function uniqueOf(definition: ResourceDefinition): Resource['unique'] {
  const unique = [...(definition.unique ?? []), ...accountKey(definition)];
  const number = definition.number?.field;
  if (number === undefined || unique.some(({ fields }) => fields.length === 1 && fields[0] === number))
    return unique;
  return [...unique, { fields: [number] }];
}

/** Two that open an account at once open one. */
function accountKey({ account }: ResourceDefinition): Resource['unique'] {
  return account === undefined ? [] : [{ fields: account.key, nulls: 'same', message: '账户已存在' }];
}
