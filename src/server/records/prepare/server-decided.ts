import { canSee } from '#engine/access/resource-access.ts';
import { parseField } from '#engine/fields/field-types.ts';
import type { Claim, ParsedRecord } from '#engine/record/parse-record.ts';
import { ProblemList } from '#engine/record/problem-list.ts';
import type { ErpRecord, Field, FieldProblem } from '#engine/schema/resource.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { type Call, isSystemCall } from '#server/records/call/open-call.ts';
import { presentValue } from '#server/records/read/present-record.ts';
import { normaliseFields } from './fill-references.ts';

/** A write as the server made it: the record before (null: new) and after. */
interface Decided {
  readonly before: OpenRecord | null;
  readonly after: OpenRecord;
}

/**
 * What a client sent for fields that the server decides, where it is neither what stands there nor what the server made
 * of it: a problem at that field. A field hidden to the role is refused whatever was sent, or the answer would tell
 * whether a guess was right.
 */
export function claimProblems(
  call: Call,
  claims: readonly Claim[],
  written: Decided,
): readonly FieldProblem[] {
  // A row over a shipped value begins as its copy: what the server decides of that is left out.
  if (written.before === null && call.resource.defaults !== undefined) return [];
  const problems = new ProblemList();
  if (claims.length === 0) return [];
  const decided = { before: indexed(written.before), after: indexed(written.after) };
  for (const claim of claims) if (!isTrue(call, claim, decided)) problems.add(() => refused(call, claim));
  return problems.found;
}

/**
 * The values that a person may give: without read-only fields, which references and defaults fill. Of those that nothing
 * fills the sent value becomes a claim.
 */
export function withoutReadOnly(
  call: Call,
  parsed: Pick<ParsedRecord, 'values' | 'claims'>,
): Pick<ParsedRecord, 'values' | 'claims'> {
  if (isSystemCall(call)) return parsed;
  const { fields } = call.resource;
  const values: Record<string, unknown> = {};
  const claims = [...parsed.claims];
  for (const [name, value] of Object.entries(parsed.values)) {
    const field = fields[name];
    if (field?.type === 'lines') values[name] = linesOf(value).map((line) => openCells(field, line));
    else if (field?.readOnly !== true) values[name] = value;
    else if (!isFilled(fields, name)) claims.push({ path: name, field, value });
  }
  return { values, claims };
}

/** A line without its read-only cells. */
export function openCells(lines: Field, line: OpenRecord): OpenRecord {
  const closed = readOnlyCells(lines);
  if (closed.size === 0) return line;
  return Object.fromEntries(Object.entries(line).filter(([column]) => !closed.has(column)));
}

const readOnly = new WeakMap<Field, ReadonlySet<string>>();

function readOnlyCells(lines: Field): ReadonlySet<string> {
  const known = readOnly.get(lines);
  if (known !== undefined) return known;
  const cells = Object.values(lines.fields ?? {}).filter((cell) => cell.readOnly === true);
  const names = new Set(cells.map(({ name }) => name));
  readOnly.set(lines, names);
  return names;
}

function isFilled(fields: Readonly<Record<string, Field>>, name: string): boolean {
  return Object.values(fields).some(({ fill }) => fill?.[name] !== undefined);
}

/** A record whose lines are found by their ids, and new ones by their places: a long list sends thousands of claims. */
interface Indexed {
  readonly record: OpenRecord;
  readonly lines: (name: string) => LineIndex;
}
interface LineIndex {
  readonly byId: ReadonlyMap<unknown, OpenRecord>;
  readonly added: readonly OpenRecord[];
}

function indexed(record: OpenRecord | null): Indexed | null {
  if (record === null) return null;
  const known = new Map<string, LineIndex>();
  const lines = (name: string): LineIndex => {
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const all = linesOf(record[name]);
    const index = {
      byId: new Map(all.map((line) => [line['id'], line])),
      added: all.filter((line) => line['id'] === undefined),
    };
    known.set(name, index);
    return index;
  };
  return { record, lines };
}

function isTrue(
  call: Call,
  claim: Claim,
  { before, after }: { readonly before: Indexed | null; readonly after: Indexed | null },
): boolean {
  const { field, line } = claim;
  const path = line === undefined ? field.name : `${line.lines}.${field.name}`;
  if (!canSee(call.access, path)) return false;
  const stored = holderOf(claim, before);
  return (
    (stored !== null && isSame(call, claim, path, stored[field.name])) ||
    isSame(call, claim, path, holderOf(claim, after)?.[field.name])
  );
}

/** The head, or the line that the claim was sent with. New lines stand in the order in which they were sent. */
function holderOf({ line }: Claim, of: Indexed | null): ErpRecord | null {
  if (of === null || line === undefined) return of?.record ?? null;
  const { byId, added } = of.lines(line.lines);
  return (line.id === null ? added[line.newAt] : byId.get(line.id)) ?? null;
}

function isSame(call: Call, { field, value }: Claim, path: string, own: unknown): boolean {
  const parsed = parseField(value, field);
  const sent =
    'value' in parsed ? normaliseFields({ [field.name]: field }, { [field.name]: parsed.value }) : {};
  const claimed = Object.hasOwn(sent, field.name) ? sent[field.name] : value;
  return [own, presentValue(call, own, field, path)].some(
    (known) => textOf(claimed) === textOf(known) || textOf(value) === textOf(known),
  );
}

/** Nothing in its several forms is the same. */
function textOf(value: unknown): string {
  const isNothing =
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return isNothing ? 'null' : JSON.stringify(value);
}

function refused({ resource }: Call, { path, field }: Claim): FieldProblem {
  if (path === 'status' && resource.lifecycle !== undefined)
    return { path, code: 'status', message: '状态只能通过操作改变' };
  return { path, code: 'server_decided', message: `${field.title}由系统生成，不能填写` };
}
