import { parseField } from '../fields/field-types.ts';
import { titledMessage } from '../fields/titled-message.ts';
import { isId } from '../fields/reference.ts';
import { suggestion } from '../schema/suggest-name.ts';
import type { ErpRecord, Field, FieldProblem, Resource } from '../schema/resource.ts';
import { ProblemList } from './problem-list.ts';
import { isRecord } from './record-lines.ts';

/** The values that a body may set, and what is wrong with it. Only the fields that were sent are present. */
export interface ParsedRecord {
  readonly values: ErpRecord;
  readonly problems: readonly FieldProblem[];
  /** What was sent for fields that the server decides: kept apart, to be compared with what it decides. */
  readonly claims: readonly Claim[];
}

/** A value that a client sent for a field of the server. */
export interface Claim {
  /** Where it stood: `total_amount`, `items.0.amount`. */
  readonly path: string;
  readonly field: Field;
  readonly value: unknown;
  /** In a line: its lines field, the id that was sent (null: a new line) and its place among the new ones. */
  readonly line?: { readonly lines: string; readonly id: unknown; readonly newAt: number };
}

type Fields = Readonly<Record<string, Field>>;

/** What a line says of itself beside its columns. */
const LINE_MARKS: ReadonlySet<string> = new Set(['id', 'line_order', '_delete', '_before']);
/** Lines of a list that says no `max`. */
const MAX_LINES = 1_000;

/**
 * Parses the body of a create or PATCH call. Unknown fields are refused; what the server decides is kept
 * apart as claims, since clients send records back as they got them. Lines of an update carry `id` (changed), no id (new,
 * in front of the line that `_before` names, else at the end), or `id` and `_delete`; lines of a creation lose their ids. More lines than the list may have are not looked at, and of
 * the problems the first twenty are told.
 */
export function parseRecord(
  resource: Resource,
  body: unknown,
  mode: 'create' | 'update',
  isKnown: (path: string) => boolean = () => true,
): ParsedRecord {
  if (!isRecord(body))
    return { values: {}, problems: [{ path: '', code: 'type', message: '内容应为对象' }], claims: [] };
  const problems = new ProblemList();
  const claims: Claim[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const field = ownField(resource.fields, name);
    if (field === undefined) {
      problems.add(() => unknownField('', name, Object.keys(resource.fields).filter(isKnown)));
      continue;
    }
    if (field.computed) claims.push({ path: name, field, value });
    else if (field.type === 'lines')
      values[name] = parseLines(field, value, { mode, problems, claims, isKnown });
    else parseInto(values, field, { value, path: name, problems });
  }
  return { values, problems: problems.found, claims };
}

interface LineParsing {
  readonly mode: 'create' | 'update';
  readonly problems: ProblemList;
  readonly claims: Claim[];
  /** Whether whoever writes may know of a field: no other is suggested. */
  readonly isKnown: (path: string) => boolean;
}

function parseLines(lines: Field, value: unknown, parsing: LineParsing): readonly ErpRecord[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) {
    parsing.problems.add(() => ({ path: lines.name, code: 'type', message: '明细应为列表' }));
    return [];
  }
  const max = mostSent(lines, parsing.mode);
  if (value.length > max) {
    const message = `${lines.title}最多${typeof lines.max === 'number' ? lines.max : max}行`;
    parsing.problems.add(() => ({ path: lines.name, code: 'too_many', message }));
    return [];
  }
  const ids = new Set<string>();
  let newAt = 0;
  return value.flatMap((line, index) => {
    const parsed = parseLine(lines, line, { ...parsing, path: `${lines.name}.${index}`, ids, newAt });
    newAt += parsed.filter((made) => made['id'] === undefined).length;
    return parsed;
  });
}

/** A change may take all lines away and bring as many new ones. */
function mostSent(lines: Field, mode: LineParsing['mode']): number {
  const max = typeof lines.max === 'number' ? lines.max : MAX_LINES;
  return mode === 'update' ? max * 2 : max;
}

function parseLine(
  lines: Field,
  line: unknown,
  {
    mode,
    problems,
    claims,
    isKnown,
    path,
    ids,
    newAt,
  }: LineParsing & { readonly path: string; readonly ids: Set<string>; readonly newAt: number },
): readonly ErpRecord[] {
  if (!isRecord(line)) {
    problems.add(() => ({ path, code: 'type', message: '明细行应为对象' }));
    return [];
  }
  const values: Record<string, unknown> = {};
  const id = line['id'] ?? null;
  if (id !== null && mode === 'update') {
    if (!isId(id) || ids.has(id)) {
      problems.add(() => ({
        path,
        code: 'line_id',
        message: isId(id) ? '明细行重复' : '明细行编号不正确',
      }));
      return [];
    }
    ids.add(id);
    values['id'] = id;
  }
  if (line['_delete'] === true) return id !== null && mode === 'update' ? [{ id, _delete: true }] : [];
  if (id === null && mode === 'update' && isId(line['_before'])) values['_before'] = line['_before'];
  const columns = lines.fields ?? {};
  const isKnownHere = (name: string): boolean => isKnown(`${lines.name}.${name}`);
  for (const [name, value] of Object.entries(line)) {
    if (LINE_MARKS.has(name)) continue;
    const field = ownField(columns, name);
    const at = `${path}.${name}`;
    if (field === undefined)
      problems.add(() => unknownField(`${path}.`, name, Object.keys(columns).filter(isKnownHere)));
    else if (field.computed)
      claims.push({ path: at, field, value, line: { lines: lines.name, id: values['id'] ?? null, newAt } });
    else parseInto(values, field, { value, path: at, problems });
  }
  return [values];
}

function parseInto(
  values: Record<string, unknown>,
  field: Field,
  {
    value,
    path,
    problems,
  }: { readonly value: unknown; readonly path: string; readonly problems: ProblemList },
): void {
  const parsed = parseField(value, field);
  if ('value' in parsed) values[field.name] = parsed.value;
  else {
    const { code, message } = parsed.problem;
    problems.add(() => ({ path, code, message: recordMessage(field, message) }));
  }
}

/** Names are told as far as people read them: what was sent does not come back whole. */
function unknownField(prefix: string, name: string, known: readonly string[]): FieldProblem {
  const shown = name.slice(0, 60);
  return {
    path: `${prefix}${shown}`,
    code: 'unknown_field',
    message: `未知字段 "${shown}"${suggestion(name, known)}`,
  };
}

/** Texts that name an amount say what they are about (flows.md section 4 has them word for word). */
function recordMessage({ title }: Field, message: string): string {
  return /^(日元)?金额/.test(message) ? message : titledMessage(title, message);
}

/** Own keys only: `constructor` is no field. */
function ownField(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
