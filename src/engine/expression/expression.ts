/** A parsed formula: only what the whitelist knows, so evaluation needs no further checks. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | boolean | null }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'unary'; readonly operator: '-' | '!'; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'choice';
      readonly test: Expression;
      readonly consequent: Expression;
      readonly otherwise: Expression;
    }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] };

export const BINARY_OPERATORS = ['+', '-', '*', '/', '==', '!=', '<', '<=', '>', '>=', '&&', '||'] as const;
export type BinaryOperator = (typeof BINARY_OPERATORS)[number];

/** The functions of formulas with their least and greatest number of arguments. */
export const FUNCTION_ARITY = {
  sum: [1, 1],
  count: [1, 1],
  round: [1, 2],
  min: [1, 20],
  max: [1, 20],
  if: [3, 3],
  coalesce: [1, 20],
  contains: [2, 2],
  rate: [2, 3],
  days: [2, 2],
  addDays: [2, 2],
  addMonths: [2, 2],
  year: [1, 1],
  today: [0, 0],
  param: [1, 1],
  spread: [2, 2],
} as const satisfies Record<string, readonly [number, number]>;
export type FunctionName = keyof typeof FUNCTION_ARITY;

/** A formula that cannot be used; `offset` is the place in its text, from 0. */
export class ExpressionFault extends Error {
  override readonly name = 'ExpressionFault';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
