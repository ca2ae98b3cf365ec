import { type FieldState, type FieldStates, fieldStates } from '#engine/record/field-states.ts';
import { followedPaths, followingLists } from '#engine/record/followed-lines.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { filterReads } from '#engine/schema/filter-reads.ts';
import { headPath } from '#engine/schema/formula-order.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import type { CellState } from '#web/fields/grid/line-cell.ts';

/** Why a field is closed that no rule closes; a whole record that is closed says it once. */
export const CLOSED_REASON = '当前状态或您的权限下不可修改';

/** What decides the states of a resource's fields, its rules and what lists follow, as seen from the head: a change elsewhere needs no look at them. */
export function ruleReads(resource: Resource): readonly string[] {
  const reads = resource.rules
    .filter((rule) => rule.hide !== undefined || rule.require !== undefined || rule.readOnly !== undefined)
    .flatMap((rule) => {
      const { fields, values } = filterReads(rule.when);
      return [...fields, ...values].map((path) => headPath(path, rule.each));
    });
  const followed = followingLists(resource).flatMap(followedPaths);
  return [...new Set([...reads, ...followed])];
}

/** The states of all fields now. */
export function currentStates(scope: Scope): FieldStates {
  return fieldStates(scope.resource, scope.record, scope);
}

/** Writing rights of the person for a record: an existing one says so itself, for a new one the role's rights decide. */
export function openPaths(resource: Resource, record: ErpRecord | null): ReadonlySet<string> | null {
  const editable = record?.['_editable'];
  if (Array.isArray(editable)) return new Set(editable.map(String));
  const [grant] = resource.access;
  if (grant === undefined || (grant.readOnly === undefined && grant.write === undefined)) return null;
  const { readOnly = [], write } = grant;
  const isOpen = (path: string): boolean => !readOnly.includes(path) && (write?.includes(path) ?? true);
  const paths = Object.values(resource.fields).flatMap((field) => [
    field.name,
    ...Object.keys(field.fields ?? {}).map((column) => `${field.name}.${column}`),
  ]);
  return new Set(
    paths.filter((path) => isOpen(path) || (path.includes('.') && isOpen(path.split('.')[0] ?? ''))),
  );
}

/** A field's state as a control needs it: the engine's word, the person's rights, and why. */
export function controlState(
  field: Field,
  state: FieldState | undefined,
  isOpen: boolean,
): CellState & { readonly requiredReason: string | null } {
  const isHidden = state?.hidden !== undefined;
  const isRequired = !isHidden && state?.required !== undefined;
  const reason = state?.hidden ?? state?.readOnly ?? (isOpen || field.computed ? null : CLOSED_REASON);
  return {
    isHidden,
    isRequired,
    isReadOnly: state?.readOnly !== undefined || !isOpen || field.computed || field.readOnly === true,
    reason,
    requiredReason: isRequired && state?.required !== '必填' ? (state?.required ?? null) : null,
  };
}

/** States of a table's cells: by column, and by `line key:column` where one line differs from its column. */
export function cellStates(
  lines: Field,
  states: FieldStates,
  at: {
    readonly order: readonly string[];
    readonly isNewLine: (key: string) => boolean;
    readonly isOpen: (column: string) => boolean;
  },
): { readonly columns: ReadonlyMap<string, CellState>; readonly cells: ReadonlyMap<string, CellState> } {
  const columns = new Map<string, CellState>();
  const cells = new Map<string, CellState>();
  for (const column of Object.values(lines.fields ?? {})) {
    const state = states[`${lines.name}.${column.name}`];
    columns.set(column.name, controlState(column, state, at.isOpen(column.name)));
    // A fixed column is closed for lines that were saved, never for new ones.
    if (column.fixed !== true || column.computed) continue;
    for (const key of at.order)
      if (at.isNewLine(key)) cells.set(`${key}:${column.name}`, controlState(column, undefined, true));
  }
  for (const [path, state] of Object.entries(states)) {
    const [name, index, column = ''] = path.split('.');
    const key = name === lines.name && /^\d+$/.test(index ?? '') ? at.order[Number(index)] : undefined;
    const field = lines.fields?.[column];
    if (key === undefined || field === undefined) continue;
    const merged = { ...states[`${lines.name}.${column}`], ...state };
    cells.set(`${key}:${column}`, controlState(field, merged, at.isOpen(column)));
  }
  return { columns, cells };
}
