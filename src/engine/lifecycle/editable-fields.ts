import { canWrite, type ResourceAccess } from '../access/resource-access.ts';
import type { EditableDefinition } from '../schema/lifecycle-definition.ts';
import type { ErpRecord, Field, Resource } from '../schema/resource.ts';

/**
 * The fields that may be written now, by path from the head. `items` in it means that lines may be added and removed;
 * `items.quantity` alone that only this column of existing lines may change. A record without id is being created: all
 * that the role may write is open. Rules (`readOnly`) come on top: see `fieldStates`.
 */
export function editableFields(
  resource: Resource,
  record: ErpRecord,
  access: ResourceAccess,
): ReadonlySet<string> {
  const isNew = record['id'] === undefined || record['id'] === null;
  const byAccess = remembered.get(resource) ?? new WeakMap<ResourceAccess, Map<unknown, Paths>>();
  remembered.set(resource, byAccess);
  const byState = byAccess.get(access) ?? new Map<unknown, Paths>();
  byAccess.set(access, byState);
  const key = isNew ? NEW : record['status'];
  const known = byState.get(key);
  if (known !== undefined) return known;
  const open = findEditable(resource, record, { access, isNew });
  byState.set(key, open);
  return open;
}

type Paths = ReadonlySet<string>;

/** Stands for the state of a record that is being created. */
const NEW = Symbol('new');

/** Nothing else of a record opens its fields: found once for a resource, a role's access and a state. */
const remembered = new WeakMap<Resource, WeakMap<ResourceAccess, Map<unknown, Paths>>>();

function findEditable(
  resource: Resource,
  record: ErpRecord,
  { access, isNew }: { readonly access: ResourceAccess; readonly isNew: boolean },
): Paths {
  const open = new Set<string>();
  if (!access.operations.has(isNew ? 'create' : 'update')) return open;
  const opened = isNew ? '*' : openedByState(resource, record, access.role);
  for (const field of Object.values(resource.fields)) {
    if (!isOpen(field, isNew) || !canWrite(access, field.name)) continue;
    if (field.type !== 'lines') {
      if (isOpened(opened, field.name)) open.add(field.name);
      continue;
    }
    addLines(open, field, { opened, access, isNew });
  }
  return open;
}

export type Opened = '*' | ReadonlySet<string>;

/** What the state of a record opens to a role. Resources without lifecycle are open. */
function openedByState(resource: Resource, record: ErpRecord, role: string): Opened {
  if (resource.lifecycle === undefined) return '*';
  const status = record['status'];
  const edit = typeof status === 'string' ? resource.lifecycle.states[status]?.edit : undefined;
  return openedTo(edit, role);
}

/** What a state's `edit` opens to a role: everything, or the named fields. */
export function openedTo(edit: EditableDefinition | undefined, role: string): Opened {
  if (edit === undefined) return new Set();
  if (edit === '*') return '*';
  if (isNameList(edit)) return new Set(edit);
  const mine = Object.hasOwn(edit, role) ? edit[role] : edit['*'];
  return mine === undefined ? new Set() : mine === '*' ? '*' : new Set(mine);
}

function addLines(
  open: Set<string>,
  lines: Field,
  {
    opened,
    access,
    isNew,
  }: { readonly opened: Opened; readonly access: ResourceAccess; readonly isNew: boolean },
): void {
  const isWhole = isOpened(opened, lines.name);
  if (isWhole && isWholeTableWritable(access, lines.name)) open.add(lines.name);
  for (const cell of Object.values(lines.fields ?? {})) {
    const path = `${lines.name}.${cell.name}`;
    // A fixed column stays open in new lines: the server refuses it for those that have an id.
    if (!isOpen(cell, isNew || isWhole) || !canWrite(access, path)) continue;
    if (isWhole || isOpened(opened, path)) open.add(path);
  }
}

function isWholeTableWritable(access: ResourceAccess, name: string): boolean {
  return access.write === undefined || access.write.has(name);
}

function isOpen(field: Field, isNew: boolean): boolean {
  return !field.computed && field.readOnly !== true && (isNew || field.fixed !== true);
}

function isOpened(opened: Opened, path: string): boolean {
  return opened === '*' || opened.has(path);
}

function isNameList(edit: EditableDefinition): edit is readonly string[] {
  return Array.isArray(edit);
}
