import { fieldAt, type Scope } from '../filter/scope.ts';
import type { Field } from '../schema/resource.ts';
import { companyTime, isDatetime } from '../values/dates.ts';
import { isPlainDecimal, multiplyDecimals } from '../values/decimal.ts';
import { formatDecimal, formatMoney, formatPercent, groupDigits } from '../values/display.ts';
import type { Expression } from './expression.ts';
import type { Value } from './formula-function.ts';
import { functionNamed } from './function-registry.ts';
import { isSingle, isTrue } from './values.ts';

type Evaluate = (expression: Expression, scope: Scope) => Value;

/** What people see of an argument: amounts with separators and cents, percents, labels, 是 and 否; a column joined by 、. */
export function shownValue(expression: Expression, scope: Scope, evaluate: Evaluate): Value {
  const again = (part: Expression): Value => shownValue(part, scope, evaluate);
  switch (expression.kind) {
    case 'literal':
      return evaluate(expression, scope);
    case 'choice': {
      const test = evaluate(expression.test, scope);
      if (isSingle(test)) return again(isTrue(test) ? expression.consequent : expression.otherwise);
      break;
    }
    case 'call': {
      const { name, args } = expression;
      const [first] = args;
      if (name === 'coalesce') return again(args.find((part) => evaluate(part, scope) !== null) ?? expression.args[0] ?? expression); // prettier-ignore
      const definition = functionNamed(name);
      if (first?.kind === 'path' && definition !== undefined && 'aggregate' in definition)
        return shown(evaluate(expression, scope), fieldAt(scope, first.path), scope);
      break;
    }
  }
  const value = evaluate(expression, scope);
  if (expression.kind === 'path') return shown(value, fieldAt(scope, expression.path), scope);
  return isComputed(expression) && isPlainDecimal(value)
    ? groupDigits(value)
    : shown(value, undefined, scope);
}

/** A number that the formula computes; what only looks like one may be a code. */
function isComputed(expression: Expression): boolean {
  if (expression.kind === 'binary' || expression.kind === 'unary') return true;
  return expression.kind === 'call' && paramsOf(expression.name).some((param) => param.includes('number'));
}

function paramsOf(name: string): readonly string[] {
  return functionNamed(name)?.params ?? [];
}

function shown(value: Value, field: Field | undefined, scope: Scope): Value {
  if (value === null) return null;
  if (Array.isArray(value)) {
    const parts = value.map((item: Value) => shown(item, field, scope)).filter((text) => text !== null);
    return parts.length === 0 ? null : parts.join('、');
  }
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (typeof value !== 'string') return null;
  if (field === undefined) return isDatetime(value) ? companyTime(value) : value;
  switch (field.type) {
    case 'money':
      return formatMoney(value);
    case 'percent':
      return isPlainDecimal(value) ? formatPercent(multiplyDecimals(value, '100')) : value;
    case 'decimal':
    case 'integer':
      return formatDecimal(value);
    case 'datetime':
      return companyTime(value);
    default:
      return labelOf(value, field, scope);
  }
}

function labelOf(value: string, field: Field, { catalog }: Scope): string {
  const option =
    field.options !== undefined && Object.hasOwn(field.options, value) ? field.options[value] : undefined;
  if (option !== undefined) return option;
  const name = field.dictionary;
  const dictionary =
    name !== undefined && Object.hasOwn(catalog.dictionaries, name) ? catalog.dictionaries[name] : undefined;
  return dictionary?.items.find((item) => item.value === value)?.label ?? value;
}
