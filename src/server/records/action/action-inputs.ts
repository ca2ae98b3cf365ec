import { isAsked } from '#engine/lifecycle/action-states.ts';
import { isFieldEmpty, parseField } from '#engine/fields/field-types.ts';
import { titledMessage } from '#engine/fields/titled-message.ts';
import { fractionOfYen } from '#engine/record/check-record.ts';
import { resolveFor } from '#engine/record/compute-record.ts';
import { expandField } from '#engine/schema/expand-resource.ts';
import type { Action, ErpRecord, Field, FieldProblem } from '#engine/schema/resource.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { normaliseFields } from '#server/records/prepare/fill-references.ts';
import { type Call, isSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { refuseProblems } from '#server/records/rules/run-rules.ts';

/**
 * The inputs of an action: parsed, defaulted, required ones there, unknown ones and those that only the program fills
 * refused. One that is not asked of this record is empty. Paths begin with `inputs.`.
 */
export function parseInputs(call: Call, action: Action, given: unknown, record: OpenRecord): ErpRecord {
  const fields = inputFields(action);
  const problems: FieldProblem[] = [];
  const sent: Record<string, unknown> = {};
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) Object.assign(sent, given);
  else if (given !== undefined && given !== null)
    problems.push({ path: 'inputs', code: 'type', message: 'inputs应为对象' });
  for (const name of Object.keys(sent))
    if (!Object.hasOwn(fields, name) || (fields[name]?.readOnly === true && !isSystemCall(call)))
      problems.push({
        path: `inputs.${name}`,
        code: 'unknown_field',
        message: `未知字段“${name.slice(0, 60)}”`,
      });
  const values: Record<string, unknown> = {};
  const here = recordScope(call, record);
  for (const field of Object.values(fields)) {
    if (!isAsked(action, field.name, here)) {
      values[field.name] = null;
      continue;
    }
    const raw =
      sent[field.name] === undefined && field.default !== undefined
        ? resolveFor(field, field.default, here)
        : sent[field.name];
    const parsed = field.type === 'lines' ? { value: raw ?? null } : parseField(raw, field);
    if ('problem' in parsed)
      problems.push({
        path: `inputs.${field.name}`,
        code: parsed.problem.code,
        message: titledMessage(field.title, parsed.problem.message),
      });
    else {
      values[field.name] = parsed.value;
      const fraction = fractionOfYen(field, parsed.value, here);
      if (fraction !== null) problems.push({ path: `inputs.${field.name}`, ...fraction });
      if (field.required && field.type !== 'boolean' && isFieldEmpty(parsed.value, field))
        problems.push({ path: `inputs.${field.name}`, code: 'required', message: `请填写${field.title}` });
    }
  }
  refuseProblems(problems);
  return normaliseFields(fields, values);
}

/** The expanded input fields of an action. */
export function inputFields(action: Action): Readonly<Record<string, Field>> {
  const known = expanded.get(action);
  if (known !== undefined) return known;
  const fields = Object.fromEntries(
    Object.entries(action.inputs ?? {}).map(([name, field]) => [name, expandField(name, field)]),
  );
  expanded.set(action, fields);
  return fields;
}

const expanded = new WeakMap<Action, Readonly<Record<string, Field>>>();
