/** A parsed formula: only what the whitelist knows, so evaluation needs no further checks. `at` is its place in the text, from 0. */
export type Expression = { readonly at: number } & (
  | { readonly kind: 'literal'; readonly value: string | boolean | null; readonly isNumber: boolean }
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
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
);

export const BINARY_OPERATORS = ['+', '-', '*', '/', '==', '!=', '<', '<=', '>', '>=', '&&', '||'] as const;
export type BinaryOperator = (typeof BINARY_OPERATORS)[number];

/** A formula that cannot be used; `offset` is the place in its text, from 0. */
export class ExpressionFault extends Error {
  override readonly name = 'ExpressionFault';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
