import type { TypeScope } from '../expression/type-scope.ts';
import { typeOfField } from '../expression/type-scope.ts';
import { isNumeric, type ValueType } from '../expression/value-type.ts';
import type { ValueDefinition, ValueDefinitions } from './effects-definition.ts';
import { valueFault } from '../filter/value-fault.ts';
import type { PathPlace } from './field-path.ts';
import type { LintContext } from './lint-context.ts';
import type { Field } from './resource.ts';
import type { JsonPath } from './source-file.ts';

/** What the names of a value may mean, beside the fields of the record it stands on. */
export interface ValuePlace extends Pick<TypeScope, 'source' | 'inputs' | 'given'> {
  readonly place: PathPlace;
}

/** A value of `set`, `map`, `inputs`: text is a formula that must fit `target`, anything else stands for itself. */
export function lintGivenValue(
  context: LintContext,
  path: JsonPath,
  value: ValueDefinition | undefined,
  { place, target, ...more }: ValuePlace & { readonly target?: ValueType },
): void {
  if (typeof value === 'string') context.formula(path, value, context.typeScope(place, more), target);
}

/**
 * Values by the field that they are for; the field must be one of `target`. Rows that are added may take a column.
 * `isWrite`: the values are written, so that what works itself out cannot be given.
 */
export function lintGivenValues(
  context: LintContext,
  path: JsonPath,
  values: ValueDefinitions | undefined,
  at: {
    readonly target: PathPlace;
    readonly where: ValuePlace;
    readonly areRows?: boolean;
    readonly isWrite?: boolean;
  },
): void {
  for (const [name, value] of Object.entries(values ?? {})) {
    const here = [...path, name];
    const field = context.field(here, name, at.target, 'key');
    if (field !== null && at.isWrite === true && worksItselfOut(field))
      context.report(here, `"${name}" 由系统计算，不能写入`, 'key');
    const misfit = field === null ? null : literalFault(value, field);
    if (misfit !== null) context.report(here, misfit);
    const one = field === null ? undefined : typeOfField(field, context.catalog);
    const type: ValueType | undefined =
      one === undefined || at.areRows !== true ? one : { kind: 'list', of: one, over: '' };
    lintGivenValue(context, here, value, { ...at.where, ...(type === undefined ? {} : { target: type }) });
  }
}

/** A formula, a sum over others, what is found, and what the engine itself keeps of every record. */
function worksItselfOut({ name, standard, formula, rollup, find }: Field): boolean {
  return [formula, rollup, find].some((own) => own !== undefined) || (standard && KEPT.has(name));
}

const KEPT: ReadonlySet<string> = new Set(['id', 'version', 'line_order', 'created_at', 'updated_at']);

/** Why a number or a yes or no is no value of a field; null when it is one, or a text, which is a formula. */
function literalFault(value: ValueDefinition, field: Field): string | null {
  if (typeof value === 'boolean') return field.type === 'boolean' ? null : `${field.title}不能是 ${value}`;
  if (typeof value !== 'number') return null;
  if (!isNumeric(typeOfField(field, { dictionaries: {} }))) return `${field.title}不能是数字 ${value}`;
  return valueFault(field.type === 'integer' ? value : String(value), field);
}
