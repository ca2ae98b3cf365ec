import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import { fieldStates } from '#engine/record/field-states.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { type Call, isSystemCall } from '#server/records/call/open-call.ts';
import { presentValue } from '#server/records/read/present-record.ts';
import { openCells } from './server-decided.ts';
import { recordScope } from '#server/records/call/record-scope.ts';

/** Fields sent for a new record that the role may not write. What the file makes read-only is filled by the server. */
export function closedFields(
  call: Call,
  values: ErpRecord,
  open: ReadonlySet<string>,
): readonly FieldProblem[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = call.resource.fields[name];
    if (field === undefined || value === null || field.readOnly === true || open.has(name)) return [];
    if (Array.isArray(value) && value.length === 0) return [];
    if (field.type === 'lines' && [...open].some((path) => path.startsWith(`${name}.`))) return [];
    return [forbiddenField(name, field.title)];
  });
}

/** Changes of a PATCH that role, state or rules do not allow; values sent back unchanged are no change. */
export function closedChanges(call: Call, current: OpenRecord, values: OpenRecord): readonly FieldProblem[] {
  const open = editableFields(call.resource, current, call.access);
  const states = fieldStates(call.resource, current, recordScope(call, current));
  const problems: FieldProblem[] = [];
  for (const [name, value] of Object.entries(values)) {
    const field = call.resource.fields[name];
    if (field === undefined) continue;
    if (field.type === 'lines') {
      problems.push(...closedLines(call, { current, name, sent: linesOf(value), open }));
      continue;
    }
    if (isSameAsShown(call, current[name], { value, name }) || isFilledByServer(call, name)) continue;
    const reason = states[name]?.readOnly;
    if (!open.has(name)) problems.push(closedField(call, name, field.title));
    else if (reason !== undefined)
      problems.push({ path: name, code: 'read_only', message: `${field.title}不能修改（${reason}）` });
  }
  return problems;
}

interface LineChanges {
  readonly current: OpenRecord;
  readonly name: string;
  readonly sent: readonly OpenRecord[];
  readonly open: ReadonlySet<string>;
}

function closedLines(call: Call, { current, name, sent, open }: LineChanges): readonly FieldProblem[] {
  const lines = call.resource.fields[name];
  const stored = new Map(linesOf(current[name]).map((line) => [line['id'], line]));
  const problems: FieldProblem[] = [];
  for (const [index, line] of sent.entries()) {
    const before = stored.get(line['id']);
    if (line['id'] === undefined || line['_delete'] === true) {
      if (!open.has(name)) problems.push(closedField(call, `${name}.${index}`, lines?.title ?? name));
      continue;
    }
    if (before === undefined) continue;
    for (const [column, value] of Object.entries(line)) {
      const cell = lines?.fields?.[column];
      if (cell === undefined || JSON.stringify(before[column] ?? null) === JSON.stringify(value ?? null))
        continue;
      if (cell.mask !== undefined && presentValue(call, before[column], cell, `${name}.${column}`) === value)
        continue;
      if (cell.readOnly === true) continue;
      if (!open.has(`${name}.${column}`))
        problems.push(closedField(call, `${name}.${index}.${column}`, cell.title));
      else if (cell.fixed === true)
        problems.push({
          path: `${name}.${index}.${column}`,
          code: 'fixed',
          message: `${cell.title}新增后不可修改`,
        });
    }
  }
  return problems;
}

/** The sent values without those that stay as they are: masked texts sent back, and read-only columns. */
export function dropClosed(call: Call, current: OpenRecord, values: OpenRecord): OpenRecord {
  const open = editableFields(call.resource, current, call.access);
  const kept: OpenRecord = {};
  for (const [name, value] of Object.entries(values)) {
    const field = call.resource.fields[name];
    if (field === undefined) continue;
    if (field.type === 'lines') {
      const stored = new Set(linesOf(current[name]).map((line) => line['id']));
      kept[name] = linesOf(value).map((line) => {
        if (line['id'] === undefined) return isSystemCall(call) ? line : openCells(field, line);
        return line['_delete'] === true || !stored.has(line['id']) ? line : openOf(line, name, open);
      });
    } else if (open.has(name)) kept[name] = value;
  }
  return kept;
}

function openOf(line: OpenRecord, lines: string, open: ReadonlySet<string>): OpenRecord {
  const isOpen = (column: string): boolean => column === 'id' || open.has(`${lines}.${column}`);
  if (Object.keys(line).every(isOpen)) return line;
  return Object.fromEntries(Object.entries(line).filter(([column]) => isOpen(column)));
}

function isSameAsShown(
  call: Call,
  stored: unknown,
  { value, name }: { readonly value: unknown; readonly name: string },
): boolean {
  const field = call.resource.fields[name];
  if (JSON.stringify(stored ?? null) === JSON.stringify(value ?? null)) return true;
  if (Array.isArray(value) && value.length === 0 && (stored === null || stored === undefined)) return true;
  return field?.mask !== undefined && presentValue(call, stored, field, name) === value;
}

/** Read-only fields that a reference fills: what a form sends for them is not looked at. */
function isFilledByServer(call: Call, name: string): boolean {
  const field = call.resource.fields[name];
  return (
    field?.readOnly === true &&
    Object.values(call.resource.fields).some(({ fill }) => fill?.[name] !== undefined)
  );
}

function closedField(call: Call, path: string, title: string): FieldProblem {
  const mayUpdate = call.access.operations.has('update');
  return mayUpdate
    ? { path, code: 'closed', message: `当前状态或角色不能修改“${title}”` }
    : forbiddenField(path, title);
}

function forbiddenField(path: string, title: string): FieldProblem {
  return { path, code: 'forbidden', message: `没有权限修改“${title}”` };
}
