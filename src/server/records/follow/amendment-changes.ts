import { parseField } from '#engine/fields/field-types.ts';
import { titledMessage } from '#engine/fields/titled-message.ts';
import { compareDecimals } from '#engine/values/decimal.ts';
import type { AmendmentDefinition } from '#engine/schema/effects-definition.ts';
import type { Field, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** One line of an amendment, as a change of its target. */
export interface TargetChange {
  /** Its place among the lines of the amendment. */
  readonly index: number;
  readonly op: 'change' | 'add' | 'remove';
  /** A head field, or a column of `lines`. */
  readonly name: string;
  readonly lines: string | null;
  /** The place of the target's line. */
  readonly place: number | null;
  readonly value: unknown;
  readonly oldText: string;
}

export interface ReadChanges {
  readonly changes: readonly TargetChange[];
  readonly problems: readonly FieldProblem[];
}

const FIELD_FAULT = '没有这个字段，或该字段不能变更';
const LINE_FAULT = '没有这一行';
/** By its number the columns of a new line are one line, and those of the next another. */
const NEW_LINE_FAULT = '请填写新增行的行号，同一行的各项填同一个';

/**
 * Reads the lines of an amendment against its target: columns `field` (`freight`, `items.quantity`, `items` with an
 * operation on the whole line), `line_no` (from 1; columns of a new line have one of their own), `op` (set, add, remove), `new_value`. An empty new value clears a
 * field that is not required.
 */
export function readChanges(
  amendment: AmendmentDefinition,
  {
    record,
    target,
    resource,
  }: { readonly record: OpenRecord; readonly target: OpenRecord; readonly resource: Resource },
): ReadChanges {
  const changes: TargetChange[] = [];
  const problems: FieldProblem[] = [];
  for (const [index, line] of linesOf(record[amendment.changes]).entries()) {
    const found = readChange(amendment, { line, target, resource });
    if ('fault' in found)
      problems.push({
        path: `${amendment.changes}.${index}.${found.at}`,
        code: 'change',
        message: found.fault,
      });
    else changes.push({ index, ...found });
  }
  return { changes, problems };
}

/** Changes that raise what may only become less since the target's state of before: what has sailed is short-shipped at most. */
export function raisedValues(
  amendment: AmendmentDefinition,
  {
    changes,
    target,
    resource,
    state,
  }: {
    readonly changes: readonly TargetChange[];
    readonly target: OpenRecord;
    readonly resource: Resource;
    readonly state: string;
  },
): readonly FieldProblem[] {
  const falling = amendment.onlyLess?.[state] ?? [];
  return changes.flatMap(({ index, op, name, lines, place, value }) => {
    if (op === 'remove' || !falling.includes(lines === null ? name : `${lines}.${name}`)) return [];
    const stored = lines === null || place === null ? target : linesOf(target[lines])[place];
    const old = op === 'add' ? null : stored?.[name];
    const isMore = compareDecimals(textOf(value ?? '0'), textOf(old ?? '0')) > 0;
    if (!isMore) return [];
    const field = lines === null ? resource.fields[name] : resource.fields[lines]?.fields?.[name];
    const title = resource.lifecycle?.states[state]?.title ?? '';
    const message = `${resource.title}${title}，${field?.title ?? name}只能减少`;
    return [{ path: `${amendment.changes}.${index}.new_value`, code: 'only_less', message }];
  });
}

/** The changes as the body of a PATCH of the target. */
export function patchOf(target: OpenRecord, changes: readonly TargetChange[]): OpenRecord {
  const patch: OpenRecord = {};
  const lists = new Map<string, Map<string, OpenRecord>>();
  for (const { name, lines, place, op, value } of changes) {
    if (lines === null) {
      patch[name] = value;
      continue;
    }
    const rows = lists.get(lines) ?? new Map<string, OpenRecord>();
    lists.set(lines, rows);
    const stored = place === null ? undefined : linesOf(target[lines])[place];
    const key = op === 'add' ? `new ${String(place)}` : String(stored?.['id']);
    const row = rows.get(key) ?? (op === 'add' ? {} : { id: stored?.['id'] });
    rows.set(key, op === 'remove' ? { ...row, _delete: true } : { ...row, [name]: value });
  }
  for (const [lines, rows] of lists) patch[lines] = [...rows.values()];
  return patch;
}

/** A problem of the target as one of the amendment: at the line that causes it, else at the whole list. */
export function asChangeProblem(
  amendment: AmendmentDefinition,
  { changes, problem }: { readonly changes: readonly TargetChange[]; readonly problem: FieldProblem },
): FieldProblem {
  const [lines, place, column] = problem.path.split('.');
  const found = changes.find((change) =>
    column === undefined
      ? change.lines === null && change.name === lines
      : change.lines === lines && change.name === column && change.place === Number(place),
  );
  const ofLine = changes.find((change) => change.lines === lines && change.place === Number(place));
  const near = found ?? ofLine ?? (changes.length === 1 ? changes[0] : undefined);
  const path = near === undefined ? amendment.changes : `${amendment.changes}.${near.index}.new_value`;
  return { ...problem, path };
}

type Read = Omit<TargetChange, 'index'> | { readonly fault: string; readonly at: string };

function readChange(
  amendment: AmendmentDefinition,
  {
    line,
    target,
    resource,
  }: { readonly line: OpenRecord; readonly target: OpenRecord; readonly resource: Resource },
): Read {
  const path = textOf(line['field'] ?? '');
  const [head = '', column] = path.split('.');
  const field = resource.fields[head];
  if (field?.type !== 'lines')
    return column === undefined && field !== undefined && amendment.fields.includes(head)
      ? headChange(field, line, target)
      : { fault: FIELD_FAULT, at: 'field' };
  return lineChange(amendment, { field, column: column ?? null, line, target });
}

function headChange(field: Field, line: OpenRecord, target: OpenRecord): Read {
  const read = readValue(field, line);
  if ('fault' in read) return read;
  const oldText = shownText(target, field.name);
  return { op: 'change', name: field.name, lines: null, place: null, value: read.value, oldText };
}

function lineChange(
  amendment: AmendmentDefinition,
  at: {
    readonly field: Field;
    readonly column: string | null;
    readonly line: OpenRecord;
    readonly target: OpenRecord;
  },
): Read {
  const { field, column, line, target } = at;
  const allowed = amendment.lines?.[field.name] ?? [];
  const asked = line['op'] === 'add' || line['op'] === 'remove' ? line['op'] : 'change';
  if (!allowed.includes(asked)) return { fault: FIELD_FAULT, at: 'field' };
  const place = Number(line['line_no'] ?? 0) - 1;
  const stored = linesOf(target[field.name])[place];
  if (asked !== 'add' && stored === undefined) return { fault: LINE_FAULT, at: 'line_no' };
  if (asked === 'add' && place < 0) return { fault: NEW_LINE_FAULT, at: 'line_no' };
  if (asked === 'remove')
    return { op: 'remove', name: '', lines: field.name, place, value: null, oldText: `第${place + 1}行` };
  const cell = column === null ? undefined : field.fields?.[column];
  const isListed = asked === 'add' || amendment.fields.includes(`${field.name}.${String(column)}`);
  if (cell === undefined || cell.computed || !isListed) return { fault: FIELD_FAULT, at: 'field' };
  const read = readValue(cell, line);
  if ('fault' in read) return read;
  const oldText = asked === 'add' || stored === undefined ? '' : shownText(stored, cell.name);
  return { op: asked, name: cell.name, lines: field.name, place, value: read.value, oldText };
}

function readValue(
  field: Field,
  line: OpenRecord,
): { readonly value: unknown } | { readonly fault: string; readonly at: string } {
  const text = line['new_value'];
  if (text === null || text === undefined || text === '')
    return field.required ? { fault: '请填写变更后的内容', at: 'new_value' } : { value: null };
  const parsed = parseField(typed(textOf(text), field), field);
  return 'problem' in parsed
    ? { fault: titledMessage(field.title, parsed.problem.message), at: 'new_value' }
    : { value: parsed.value };
}

/** The text of a change as the type that the field takes. */
function typed(text: string, field: Field): unknown {
  if (field.type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (field.type === 'boolean') return ['true', '是', '1'].includes(text);
  return text;
}

/** A value in the words that came with its record: a port by its name. */
function shownText(holder: OpenRecord, name: string): string {
  const labels = holder['_labels'];
  const label: unknown = typeof labels === 'object' && labels !== null ? Reflect.get(labels, name) : null;
  if (typeof label === 'string' && label !== '') return label;
  const value = holder[name];
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
