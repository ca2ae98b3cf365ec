import { applyDefaults, applyLineDefaults } from '#engine/record/apply-defaults.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import type { FormOptions } from './form-options.ts';
import { formScope } from './form-scope.ts';
import { knownValues, lineFieldsOf } from './form-values.ts';

/** A new record as the form opens it: what it is given, defaults, the first state, formulas. */
export function newRecord(options: FormOptions): ErpRecord {
  const { resource, stamped = {}, initial = {} } = options;
  const empty: Record<string, unknown> = { ...initial, ...stamped };
  for (const field of lineFieldsOf(resource)) empty[field.name] ??= [];
  const filled = knownValues(applyDefaults(resource, empty, formScope(options, empty)));
  const initialState = resource.lifecycle?.initial;
  const record =
    initialState === undefined || filled['status'] !== undefined
      ? filled
      : { ...filled, status: initialState };
  return computeRecord(resource, record, formScope(options, record));
}

/** A new line below another; a default that is a record waits for the server. */
export function newLine(lines: Field, scope: Scope, above: ErpRecord | undefined): ErpRecord {
  const line = knownValues(applyLineDefaults(lines, {}, scope, above));
  const nameless = Object.values(lines.fields ?? {}).filter(isNamelessDefault);
  return Object.fromEntries(
    Object.entries(line).filter(([name]) => !nameless.some((column) => column.name === name)),
  );
}

/** A default that is a record: its name comes with the server's answer. */
export function isNamelessDefault({ type, default: start }: Field): boolean {
  return type === 'reference' && start !== undefined;
}
