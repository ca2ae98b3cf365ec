import type { LookupForm } from '#contract/lookup.ts';
import { canSee } from '#engine/access/resource-access.ts';
import { parseField } from '#engine/fields/field-types.ts';
import { parseRecord } from '#engine/record/parse-record.ts';
import { expandField } from '#engine/schema/expand-resource.ts';
import { fieldsAt } from '#engine/schema/field-path.ts';
import type { Action, Field } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { isPicker } from '#server/records/read/reader-eyes.ts';

/** What a lookup asks for. */
export interface LookupRequest {
  readonly field: Field;
  readonly path: string;
  readonly keyword: string;
  /** Exact labels or captions to resolve in one call (a block pasted into lines); null: a search by keyword. */
  readonly texts: readonly string[] | null;
  /** The head and, for a column, the line as they are in the form. */
  readonly record: OpenRecord;
  readonly line: OpenRecord | null;
  readonly lines: string | null;
  /** What the dialog of an action has been told so far; null for fields. */
  readonly input: OpenRecord | null;
  /** The asker writes the field (or runs the action that asks for it); else the list is filtered by it. */
  readonly isWriter: boolean;
  readonly currentPage: number;
  readonly pageSize: number;
}

/** What a lookup's form asks for; 403 for whoever may neither write nor filter by the field. */
export function parseLookup(call: Call, path: string, form: LookupForm): LookupRequest {
  const { field, lines, inputs, isWriter } = findField(call, path);
  const { texts = null } = form;
  // A line, and what an action is told, is sent as `record` with its head as `parent`; a head alone as `record`.
  const isHead = lines === null && (inputs === null || form.parent === undefined);
  const sent = formRecord(call, isHead ? form.record : form.parent);
  const line = lines === null ? null : formLine(call, lines, form.record);
  if (line !== null && lines !== null) sent[lines] = [line];
  return {
    field,
    path,
    keyword: form.keyword?.trim() ?? '',
    texts,
    record: sent,
    line,
    lines,
    input: inputs === null ? null : formInput(inputs, form.record),
    isWriter,
    currentPage: form.currentPage ?? 1,
    // Two records may bear one text: who asks must see that, and by the total that one text had the room of another.
    pageSize: texts === null ? (form.pageSize ?? 20) : texts.length * 2,
  };
}

/** The field of a lookup: `buyer_id`, `items.goods_id`, or an action's input `submit.bank_id`. 403 for who may not write it. */
function findField(call: Call, path: string): FoundField {
  const [first = '', second] = path.split('.');
  const { resource, access } = call;
  const head = Object.hasOwn(resource.fields, first) ? resource.fields[first] : undefined;
  const actions = resource.lifecycle?.actions ?? {};
  const action = Object.hasOwn(actions, first) ? actions[first] : undefined;
  if (second !== undefined && head?.type !== 'lines' && action !== undefined) {
    const input = Object.hasOwn(action.inputs ?? {}, second) ? action.inputs?.[second] : undefined;
    if (input !== undefined && access.operations.has(action.key))
      return pickable({
        field: expandField(second, input),
        lines: null,
        inputs: action.inputs ?? {},
        isWriter: true,
      });
  }
  const columns = head?.fields ?? {};
  const field = second === undefined ? head : Object.hasOwn(columns, second) ? columns[second] : undefined;
  if (field === undefined || !canSee(access, path))
    throw new AppError('UNKNOWN_FIELD', { params: { field: path.slice(0, 60) } });
  const isWriter = isPicker(call, path);
  const mayFilter = access.operations.has('list');
  if (!isWriter && !mayFilter) throw new AppError('FORBIDDEN');
  return pickable({ field, lines: second === undefined ? null : first, inputs: null, isWriter });
}

interface FoundField {
  readonly field: Field;
  /** The inputs of the action of which it is one. */
  readonly inputs: NonNullable<Action['inputs']> | null;
  readonly lines: string | null;
  readonly isWriter: boolean;
}

function pickable(found: FoundField): FoundField {
  const { field } = found;
  if (field.type === 'reference' || field.type === 'dictionary' || field.names !== undefined) return found;
  throw new AppError('BAD_REQUEST', { message: `“${field.title}”不是可选择的字段` });
}

/** What a form sends is only read for conditions: what does not parse is left out. */
export function formRecord(call: Call, given: unknown): OpenRecord {
  if (!isObject(given)) return {};
  const known = Object.fromEntries(
    Object.entries(given).filter(([name]) => {
      const field = Object.hasOwn(call.resource.fields, name) ? call.resource.fields[name] : undefined;
      return field !== undefined && field.type !== 'lines' && field.type !== 'secret';
    }),
  );
  const { values } = parseRecord(call.resource, known, 'update');
  return { ...values, ...computedValues(call.resource.fields, known) };
}

function formInput(inputs: NonNullable<Action['inputs']>, given: unknown): OpenRecord {
  if (!isObject(given)) return {};
  const read: OpenRecord = {};
  for (const [name, input] of Object.entries(inputs)) {
    const parsed = parseField(given[name], expandField(name, input));
    read[name] = 'value' in parsed ? parsed.value : null;
  }
  return read;
}

function formLine(call: Call, lines: string, given: unknown): OpenRecord {
  if (!isObject(given)) return {};
  const columns = fieldsAt({ resource: call.resource, catalog: call.catalog, lines });
  const known = Object.fromEntries(
    Object.entries(given).filter(([name]) => Object.hasOwn(columns, name) && name !== 'id'),
  );
  const { values } = parseRecord(call.resource, { [lines]: [known] }, 'create');
  return { ...linesOf(values[lines])[0], ...computedValues(columns, known) };
}

/** Computed fields of the form are dropped by the parser but conditions may read them (co_code, business_type). */
function computedValues(fields: Readonly<Record<string, Field>>, given: OpenRecord): OpenRecord {
  const values: OpenRecord = {};
  for (const [name, value] of Object.entries(given)) {
    const field = fields[name];
    if (
      field?.computed === true &&
      (typeof value === 'string' || typeof value === 'boolean') &&
      name !== 'co_code'
    )
      values[name] = value;
  }
  return values;
}

function isObject(value: unknown): value is OpenRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
