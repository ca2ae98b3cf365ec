import type { BinaryOperator, Expression } from './expression.ts';
import { type FormulaFunction, paramAt } from './formula-function.ts';
import { functionNamed } from './function-registry.ts';
import { typePath, type TypeScope } from './type-scope.ts';
import {
  areOfTwoCurrencies,
  BOOLEAN,
  commonType,
  comparisonFault,
  isNumeric,
  isYesNo,
  NUMBER,
  typeTitle,
  UNKNOWN,
  type ValueType,
} from './value-type.ts';
import {
  KIND_TITLES,
  literalType,
  elementOf,
  overSame,
  fitsKind,
  arithmeticFault,
  productOf,
  literalFault,
} from './fit-types.ts';

/** What is wrong with a formula: `at` is the place in its text, from 0. */
export interface TypeFault {
  readonly at: number;
  readonly message: string;
}

export interface TypedExpression {
  readonly type: ValueType;
  readonly faults: readonly TypeFault[];
}

/**
 * The type of a formula before it runs, and everything wrong with it: unknown paths, kinds that do not go together,
 * a comparison with a value that is none of the field's. What is at fault has type unknown, so that it is told once.
 */
export function typeExpression(expression: Expression, scope: TypeScope): TypedExpression {
  const faults: TypeFault[] = [];
  const type = new Typing(scope, faults).of(expression);
  return { type, faults };
}

class Typing {
  constructor(
    private readonly scope: TypeScope,
    private readonly faults: TypeFault[],
  ) {}

  of(expression: Expression): ValueType {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression);
      case 'path':
        return this.path(expression);
      case 'unary':
        return this.unary(expression);
      case 'binary':
        return this.binary(expression);
      case 'choice':
        return this.choice(expression);
      case 'call':
        return this.call(expression);
    }
  }

  private path({ path, at }: Expression & { readonly kind: 'path' }): ValueType {
    const found = typePath(path, this.scope);
    return 'type' in found ? found.type : this.fault(at, found.fault);
  }

  private unary({ operator, operand }: Expression & { readonly kind: 'unary' }): ValueType {
    const type = this.of(operand);
    const each = elementOf(type);
    const fits = operator === '!' ? isYesNo(each) : isNumeric(each);
    if (!fits) return this.fault(operand.at, `${operator === '!' ? '!' : '负号'}后面应为${operator === '!' ? '是否' : '数字'}，不是${typeTitle(each)}`); // prettier-ignore
    return operator === '!' ? overSame(type, BOOLEAN) : type;
  }

  private binary(expression: Expression & { readonly kind: 'binary' }): ValueType {
    const { operator, left, right } = expression;
    const a = this.of(left);
    const b = this.of(right);
    const over = this.columns([a, b], right.at);
    if (over === undefined) return UNKNOWN;
    const [x, y] = [elementOf(a), elementOf(b)];
    const result = this.operation(expression, x, y, operator);
    return over === null || result.kind === 'unknown' ? result : { kind: 'list', of: result, over };
  }

  private operation(
    { left, right }: Expression & { readonly kind: 'binary' },
    x: ValueType,
    y: ValueType,
    operator: BinaryOperator,
  ): ValueType {
    switch (operator) {
      case '&&':
      case '||':
        for (const [type, side] of [
          [x, left],
          [y, right],
        ] as const)
          // prettier-ignore
          if (!isYesNo(type)) this.fault(side.at, `${operator} 两边应为是否，不是${typeTitle(type)}`);
        return BOOLEAN;
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
        this.comparison(left, right, x, y);
        return BOOLEAN;
      default:
        return this.arithmetic(operator, left, right, x, y);
    }
  }

  private comparison(left: Expression, right: Expression, x: ValueType, y: ValueType): void {
    const fault = literalFault(left, y) ?? literalFault(right, x) ?? comparisonFault(x, y);
    if (fault !== null) this.fault(right.at, fault);
  }

  private arithmetic(
    operator: '+' | '-' | '*' | '/',
    left: Expression,
    right: Expression,
    x: ValueType,
    y: ValueType,
  ): ValueType {
    for (const [type, side] of [
      [x, left],
      [y, right],
    ] as const)
      // prettier-ignore
      if (!isNumeric(type)) return this.fault(side.at, arithmeticFault(operator, type));
    if (operator === '*' || operator === '/') return productOf(operator, x, y);
    if (areOfTwoCurrencies(x, y)) return this.fault(right.at, '两种币种的金额不能相加减，请先用 rate 折算');
    return commonType(x, y) ?? NUMBER;
  }

  private choice({ test, consequent, otherwise }: Expression & { readonly kind: 'choice' }): ValueType {
    const types = [test, consequent, otherwise].map((part) => this.of(part));
    return this.chosen([test, consequent, otherwise], types);
  }

  /** `if(test, a, b)` and `test ? a : b`. */
  private chosen(parts: readonly Expression[], types: readonly ValueType[]): ValueType {
    const [test = UNKNOWN, a = UNKNOWN, b = UNKNOWN] = types;
    const at = parts[2]?.at ?? 0;
    const over = this.columns(types, at);
    if (over === undefined) return UNKNOWN;
    if (!isYesNo(elementOf(test)))
      return this.fault(parts[0]?.at ?? 0, `条件应为是否，不是${typeTitle(elementOf(test))}`);
    const common = commonType(elementOf(a), elementOf(b));
    if (common === null)
      return this.fault(at, `两种结果应为同类，不能一个是${typeTitle(elementOf(a))}，一个是${typeTitle(elementOf(b))}`); // prettier-ignore
    return over === null ? common : { kind: 'list', of: common, over };
  }

  private call({ name, args, at }: Expression & { readonly kind: 'call' }): ValueType {
    const definition = functionNamed(name);
    if (definition === undefined) return UNKNOWN;
    const types = args.map((argument) => this.of(argument));
    const before = this.faults.length;
    if ('aggregate' in definition) return this.aggregate(name, definition, args, types);
    for (const [place, argument] of args.entries()) this.argument(name, definition, { argument, place, type: types[place] ?? UNKNOWN }); // prettier-ignore
    const isEach = 'evaluateLines' in definition;
    if (isEach && this.scope.place.lines === undefined)
      return this.fault(at, `函数 ${name} 逐行计算，只能用在明细的公式中`);
    const mapped = types.filter((_, place) => paramAt(definition, place).takes === 'value');
    const over = this.columns(mapped, at);
    if (over === undefined || this.faults.length > before) return UNKNOWN;
    // What takes single values is asked with those of one line.
    const single = types.map((type, place) =>
      paramAt(definition, place).takes === 'value' ? elementOf(type) : type,
    );
    const result = this.result(definition, args, single);
    return over === null || result.kind === 'unknown' ? result : { kind: 'list', of: result, over };
  }

  private argument(
    name: string,
    definition: FormulaFunction,
    {
      argument,
      place,
      type,
    }: { readonly argument: Expression; readonly place: number; readonly type: ValueType },
  ): void {
    const { kind, takes } = paramAt(definition, place);
    const isOpen = type.kind === 'unknown' || type.kind === 'null';
    if (takes === 'column' && type.kind !== 'list' && !isOpen) {
      this.fault(
        argument.at,
        `函数 ${name} 的第${place + 1}个参数应为一列值（如明细的字段），不是${typeTitle(type)}`,
      );
      return;
    }
    const one = elementOf(type);
    if (!fitsKind(one, kind))
      this.fault(
        argument.at,
        `函数 ${name} 的第${place + 1}个参数应为${KIND_TITLES[kind]}，不是${typeTitle(one)}`,
      );
  }

  /** A column, then perhaps a condition on the same lines; min and max also take single values. */
  private aggregate(
    name: string,
    definition: FormulaFunction,
    args: readonly Expression[],
    types: readonly ValueType[],
  ): ValueType {
    const last = types.at(-1) ?? UNKNOWN;
    const hasCondition = args.length > 1 && elementOf(last).kind === 'boolean';
    const values = hasCondition ? types.slice(0, -1) : types;
    const isPlain = definition.params.length > 1 && definition.params[0]?.startsWith('(');
    for (const [place, type] of values.entries()) {
      const at = args[place]?.at ?? 0;
      if (type.kind === 'unknown') continue;
      if (place > 0 && isPlain !== true)
        return this.fault(at, `函数 ${name} 的条件应为是否，不是${typeTitle(elementOf(type))}`);
      if (type.kind !== 'list' && isPlain !== true)
        return this.fault(at, `函数 ${name} 应作用于一列值（如明细的字段），不是${typeTitle(type)}`);
      if (hasCondition && type.kind !== 'list')
        return this.fault(at, `有条件时函数 ${name} 应作用于一列值，不是${typeTitle(type)}`);
      const { kind } = paramAt(definition, place);
      if (!fitsKind(elementOf(type), kind))
        return this.fault(at, `函数 ${name} 应作用于${KIND_TITLES[kind]}，不是${typeTitle(elementOf(type))}`);
    }
    const [first = UNKNOWN] = values;
    if (hasCondition && this.columns([first, last], args.at(-1)?.at ?? 0) === undefined) return UNKNOWN;
    return this.result(definition, args, values);
  }

  private result(
    definition: FormulaFunction,
    args: readonly Expression[],
    types: readonly ValueType[],
  ): ValueType {
    if (typeof definition.result !== 'function') return definition.result;
    const texts = args.map((argument) =>
      argument.kind === 'literal' && typeof argument.value === 'string' && !argument.isNumber
        ? argument.value
        : null,
    );
    const found = definition.result(types, { texts, names: this.scope.names ?? {} });
    return 'fault' in found ? this.fault(args[found.place]?.at ?? 0, found.fault) : found;
  }

  /** The lines that columns are taken over, null when all are single values; undefined, with a fault, for columns of different lines. */
  private columns(types: readonly ValueType[], at: number): string | null | undefined {
    const overs = new Set(types.flatMap((type) => (type.kind === 'list' ? [type.over] : [])));
    if (overs.size < 2) return [...overs][0] ?? null;
    this.fault(at, `不同明细的列（${[...overs].join('、')}）不能一起逐行计算`);
    return undefined;
  }

  private fault(at: number, message: string): ValueType {
    this.faults.push({ at, message });
    return UNKNOWN;
  }
}
