import { canSee, type ResourceAccess } from '#engine/access/resource-access.ts';
import { projectRecord } from '#engine/access/project-record.ts';
import { maskText } from '#engine/fields/text-value.ts';
import { actionStates } from '#engine/lifecycle/action-states.ts';
import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import {
  mayRunUnseen,
  type RunningApproval,
  runningApproval,
  whileApproved,
} from '#engine/lifecycle/running-approval.ts';
import { readOnlyNow } from '#engine/record/field-states.ts';
import { type HidingRule, hiddenNow, hidingRules } from '#engine/record/hidden-now.ts';
import { isPathVisible } from '#engine/schema/client-resource.ts';
import { fixedValues } from '#engine/schema/offered-makes.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { type Attached, attachReferences, linesOf, type OpenRecord } from './attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { openMakes, sourceRefusal, unfitReason } from '#server/records/pick/source-record.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { isConverted, travelValue } from './stored-value.ts';
import { fillUnstored } from './unstored-values.ts';

/** The wire form of a row: only the listed fields, masked where the role may not write them. */
export function presentRow(
  call: Call,
  row: Readonly<Record<string, unknown>>,
  shown: { readonly fields: readonly Field[]; readonly extra?: readonly string[] },
): OpenRecord {
  const record: OpenRecord = {};
  for (const field of shown.fields)
    record[field.name] = presentValue(call, row[field.name], field, field.name);
  for (const name of shown.extra ?? []) record[name] = row[name] ?? null;
  return record;
}

/** The same for a row that was selected for this answer alone, with just these fields: what differs is put into the row. */
export function presentSelected(call: Call, row: OpenRecord, fields: readonly Field[]): OpenRecord {
  for (const field of changedOf(fields))
    row[field.name] = presentValue(call, row[field.name], field, field.name);
  return row;
}

/** Of a list of fields that is kept: those whose values do not travel as they are read. */
function changedOf(fields: readonly Field[]): readonly Field[] {
  const known = changed.get(fields);
  if (known !== undefined) return known;
  const found = fields.filter((field) => field.mask !== undefined || isConverted(field));
  changed.set(fields, found);
  return found;
}

const changed = new WeakMap<readonly Field[], readonly Field[]>();

/** One value as this role may see it. */
export function presentValue(call: Call, stored: unknown, field: Field, path: string): unknown {
  const value = travelValue(stored, field);
  if (field.mask === undefined || typeof value !== 'string' || !isMasked(call, path, field)) return value;
  return maskText(value, field.mask);
}

/** True for a masked field that the caller may not write: it is shown masked and must not be found out by searching. */
export function isMasked(call: Call, path: string, field: Pick<Field, 'mask'>): boolean {
  if (field.mask === undefined) return false;
  const { operations, readOnly, write } = call.access;
  if (!operations.has('create') && !operations.has('update')) return true;
  return readOnly.has(path) || (write !== undefined && !write.has(path));
}

/**
 * A stored record as its details page gets it: lines, texts of references and dictionaries, values that rules read,
 * actions with the reasons of those that are closed, the approval that runs without its state saying so (`_approving`),
 * what may be edited now, and what the rules hide of it (`_hidden`, for the page alone; absent where they hide nothing).
 */
export async function presentRecord(db: Reader, call: Call, stored: OpenRecord): Promise<OpenRecord> {
  const { catalog, resource, access, caller } = call;
  const { closed } = await attachReferences(db, {
    catalog,
    resource,
    records: [stored],
    access,
    withPaths: true,
    withLabels: true,
    company: caller.subject.co_code,
    reader: call,
    isAnswer: true,
  });
  fillUnstored(call, [stored]);
  const scope = recordScope(call, stored);
  const editable = editableNow(call, stored);
  const running = await runningNow(db, call, stored);
  const actions = whileApproved(resource, actionStates(resource, stored, scope, access), running);
  return Object.assign(
    shownRecord(call, stored, closed),
    { _actions: actions.map(({ key, ...state }) => ({ action: key, ...state })) },
    running === null ? null : { _approving: running },
    offeredNow(call, stored),
    printedNow(call, scope),
    { _editable: editable },
    hiddenOf(call, scope),
  );
}

/** What the house is deciding on is nothing that its customers read. */
async function runningNow(db: Reader, call: Call, record: OpenRecord): Promise<RunningApproval | null> {
  const { resource, services, caller } = call;
  if (caller.subject.kind === 'partner' || !mayRunUnseen(resource, record['status'])) return null;
  const action = await services.following.approvalOf(db, resource.resource, String(record['id']));
  return runningApproval(resource, action);
}

/**
 * A record with `_labels` and `_paths` as this role may see it: without hidden fields and lines, masked, and without
 * values of other records that are closed to it.
 */
export function shownRecord(call: Call, record: OpenRecord, closed: Attached['closed']): OpenRecord {
  const { catalog, resource, access, caller } = call;
  dropPaths(closed);
  const shown = projectRecord(resource, record, access, { catalog, context: caller.context });
  delete shown['previous_status'];
  keepRulePaths(call, shown);
  maskRecord(call, shown);
  return shown;
}

/**
 * `_makes`: documents whose form may be begun from this record, and why not; absent where there are none. What the action
 * of a make makes of other records only is left out.
 */
function offeredNow(call: Call, record: OpenRecord): OpenRecord {
  const scope = recordScope(call, record);
  const own = openMakes(call).filter(({ when }) => when === null || matchesFilter(when, scope));
  const makes = own.map((offered) => {
    const reason =
      sourceRefusal(call, offered, { record, isAsked: true }) ?? unfitReason(call, offered, record);
    const { key: make, title, action } = offered;
    return {
      make,
      title,
      to: offered.make.to,
      action: action?.key ?? null,
      fixed: fixedValues(offered.make),
      allowed: reason === null,
      reason,
    };
  });
  return makes.length === 0 ? {} : { _makes: makes };
}

/** `_prints`: the prints that it has as it stands; absent where none has a condition. */
function printedNow(
  { resource: { print }, access }: Call,
  scope: ReturnType<typeof recordScope>,
): { readonly _prints?: readonly string[] } {
  if (!access.operations.has('print') || print.every(({ when }) => when === undefined)) return {};
  const open = print.filter(({ when }) => when === undefined || matchesFilter(when, scope));
  return { _prints: open.map(({ id }) => id) };
}

/** Its page leaves out what its form would; the values stay, whoever reads the record may read them. */
function hiddenOf({ resource, access }: Call, scope: Scope): { readonly _hidden?: readonly string[] } {
  const hidden = hiddenNow(hidingOf(resource, access), scope);
  return hidden.length === 0 ? {} : { _hidden: hidden };
}

function hidingOf(resource: Resource, access: ResourceAccess): readonly HidingRule[] {
  const known = hiding.get(access);
  if (known !== undefined) return known;
  const rules = hidingRules(resource, (path) => isPathVisible(resource, access, path));
  hiding.set(access, rules);
  return rules;
}

const hiding = new WeakMap<ResourceAccess, readonly HidingRule[]>();

/** Takes the values out of `_paths` that the reader may not be sent. */
function dropPaths(closed: Attached['closed']): void {
  for (const [holder, paths] of closed) {
    const known = holder['_paths'];
    if (paths.size === 0 || typeof known !== 'object' || known === null) continue;
    holder['_paths'] = Object.fromEntries(Object.entries(known).filter(([path]) => !paths.has(path)));
  }
}

/** The fields that may be written now: state, role and rules together. Nothing on kinds that only the system writes. */
function editableNow(call: Call, record: ErpRecord): readonly string[] {
  const isClosed = readOnlyNow(call.resource, record, recordScope(call, record));
  return [...editableFields(call.resource, record, call.access)].filter((path) => !isClosed(path));
}

/** Only the values that the resource's rules read are sent, and of those none that leads through a hidden field. */
function keepRulePaths(call: Call, record: OpenRecord): void {
  keepSome(record, keptPaths(call, ''));
  for (const field of Object.values(call.resource.fields)) {
    if (field.type !== 'lines') continue;
    const isKept = keptPaths(call, `${field.name}.`);
    for (const line of linesOf(record[field.name])) keepSome(line, isKept);
  }
}

function keepSome(holder: OpenRecord, isKept: (path: string) => boolean): void {
  const paths = holder['_paths'];
  if (typeof paths !== 'object' || paths === null || Object.keys(paths).every(isKept)) return;
  holder['_paths'] = Object.fromEntries(Object.entries(paths).filter(([path]) => isKept(path)));
}

/** Which values behind references are sent of a head or of lines. */
function keptPaths({ resource, access }: Call, prefix: string): (path: string) => boolean {
  const byPrefix = rulePaths.get(access) ?? new Map<string, ReadonlySet<string>>();
  rulePaths.set(access, byPrefix);
  const kept =
    byPrefix.get(prefix) ??
    new Set(
      resource.paths
        .filter((path) => path.startsWith(prefix) && !access.hiddenPaths.has(path))
        .map((path) => path.slice(prefix.length)),
    );
  byPrefix.set(prefix, kept);
  return (path) => kept.has(path);
}

/** By the rights to one resource. */
const rulePaths = new WeakMap<ResourceAccess, Map<string, ReadonlySet<string>>>();

function maskRecord(call: Call, record: OpenRecord): void {
  for (const field of maskedOf(call.resource)) {
    if (field.type === 'lines') {
      for (const line of linesOf(record[field.name]))
        for (const cell of Object.values(field.fields ?? {}))
          if (cell.mask !== undefined && Object.hasOwn(line, cell.name))
            line[cell.name] = presentValue(call, line[cell.name], cell, `${field.name}.${cell.name}`);
    } else if (
      field.mask !== undefined &&
      Object.hasOwn(record, field.name) &&
      canSee(call.access, field.name)
    )
      record[field.name] = presentValue(call, record[field.name], field, field.name);
  }
}

/** The masked fields of a resource, and the lines that have some: most have none. */
function maskedOf(resource: Resource): readonly Field[] {
  const before = masked.get(resource);
  if (before !== undefined) return before;
  const fields = Object.values(resource.fields).filter(
    ({ mask, fields: cells }) =>
      mask !== undefined || Object.values(cells ?? {}).some((cell) => cell.mask !== undefined),
  );
  masked.set(resource, fields);
  return fields;
}

const masked = new WeakMap<Resource, readonly Field[]>();
