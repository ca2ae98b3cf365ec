import type { TypeScope } from '../expression/type-scope.ts';
import { typeOfField } from '../expression/type-scope.ts';
import type { ValueType } from '../expression/value-type.ts';
import type { ValueDefinition, ValueDefinitions } from './effects-definition.ts';
import type { PathPlace } from './field-path.ts';
import type { LintContext } from './lint-context.ts';
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

/** Values by the field that they are for; the field must be one of `target`. Rows that are added may take a column. */
export function lintGivenValues(
  context: LintContext,
  path: JsonPath,
  values: ValueDefinitions | undefined,
  at: { readonly target: PathPlace; readonly where: ValuePlace; readonly areRows?: boolean },
): void {
  for (const [name, value] of Object.entries(values ?? {})) {
    const field = context.field([...path, name], name, at.target, 'key');
    const one = field === null ? undefined : typeOfField(field, context.catalog);
    const type: ValueType | undefined =
      one === undefined || at.areRows !== true ? one : { kind: 'list', of: one, over: '' };
    lintGivenValue(context, [...path, name], value, {
      ...at.where,
      ...(type === undefined ? {} : { target: type }),
    });
  }
}
