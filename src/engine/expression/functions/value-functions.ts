import type { FormulaFunction, Value } from '../formula-function.ts';
import { BOOLEAN, commonType, TEXT, typeTitle, UNKNOWN, type ValueType } from '../value-type.ts';
import { isTrue } from '../values.ts';

/** Choosing between values, and texts. `if` is also what `?:` means. */
export const VALUE_FUNCTIONS = {
  if: {
    title: '按条件取值',
    params: ['boolean', 'any', 'any'],
    result: ([, a = UNKNOWN, b = UNKNOWN]) => commonType(a, b) ?? UNKNOWN,
    evaluate: ([test = null, a = null, b = null]) => (isTrue(test) ? a : b),
  },
  coalesce: {
    title: '第一个不为空的值',
    params: ['any', 'any...'],
    result: (types) => commonOf(types),
    evaluate: (args) => args.find((value) => value !== null) ?? null,
  },
  contains: {
    title: '包含',
    params: ['(any)', 'text'],
    result: BOOLEAN,
    evaluate: ([whole = null, part = null]) => containsText(whole, part),
  },
  text: {
    title: '连接文字',
    params: ['any', 'any...'],
    result: TEXT,
    showsArguments: true,
    evaluate: (args) => args.map((value) => (typeof value === 'string' ? value : '')).join('') || null,
  },
} as const satisfies Record<string, FormulaFunction>;

/** The type that holds all, or which argument does not go with those before it. */
export function commonOf(
  types: readonly ValueType[],
): ValueType | { readonly fault: string; readonly place: number } {
  let common: ValueType = { kind: 'null' };
  for (const [place, type] of types.entries()) {
    const next = commonType(common, type);
    if (next === null)
      return { fault: `各参数应为同类，不能一个是${typeTitle(common)}，一个是${typeTitle(type)}`, place };
    common = next;
  }
  return common;
}

/** Whether a text has another inside it (letter case counts), or a list has a value. */
function containsText(whole: Value, part: Value): boolean {
  if (typeof part !== 'string' || part === '' || whole === null || typeof whole === 'boolean') return false;
  return whole.includes(part);
}
