import type { FormulaFunction, Value } from '../formula-function.ts';
import { isDate } from '../../values/dates.ts';
import { isPlainDecimal } from '../../values/decimal.ts';
import {
  BOOLEAN,
  commonType,
  INTEGER,
  NUMBER,
  TEXT,
  typeTitle,
  UNKNOWN,
  type ValueType,
} from '../value-type.ts';
import { flatten, isTrue } from '../values.ts';

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
    params: ['(any)', 'any'],
    result: BOOLEAN,
    evaluate: ([whole = null, part = null]) => containsText(whole, part),
  },
  /** The beginning of a name, the rest as stars: whom it is about may be recognised, not read. */
  masked: {
    title: '部分隐去',
    params: ['text'],
    result: TEXT,
    evaluate: ([text = null]) => (typeof text === 'string' && text !== '' ? maskWords(text) : null),
  },
  /** Whether a text is written as a plain number. */
  isNumber: {
    title: '是数字',
    params: ['text'],
    result: BOOLEAN,
    evaluate: ([value = null]) => (value === null ? null : isPlainDecimal(value)),
  },
  /** The number that a text says; nothing when it says none. */
  toNumber: {
    title: '取数字',
    params: ['text'],
    result: NUMBER,
    evaluate: ([value = null]) => (isPlainDecimal(value) ? value : null),
  },
  /** Whether a text is a date, `2026-11-20`. */
  isDate: {
    title: '是日期',
    params: ['text'],
    result: BOOLEAN,
    evaluate: ([value = null]) => (value === null ? null : isDate(value)),
  },
  text: {
    title: '连接文字',
    params: ['any', 'any...'],
    result: TEXT,
    showsArguments: true,
    evaluate: (args) => args.map((value) => (typeof value === 'string' ? value : '')).join('') || null,
  },
  /** `words(' ', payee_name, purpose, contract_no)`: what there is of several texts, with something between. */
  words: {
    title: '连接各项文字',
    params: ['text', 'any', 'any...'],
    result: TEXT,
    showsArguments: true,
    evaluate: ([between = null, ...texts]) =>
      texts.filter((value) => typeof value === 'string' && value !== '').join(toText(between)) || null,
  },
  /** `join(', ', items.contract_id.contract_no, true)`: the texts of a column with something between; `true` leaves out repetitions. */
  join: {
    title: '连接各行文字',
    params: ['text', '[any]', 'boolean?'],
    result: TEXT,
    evaluate: ([between = null, column = null, isOnce = null]) => {
      const texts = flatten([column]).filter((value) => typeof value === 'string');
      return (isOnce === true ? [...new Set(texts)] : texts).join(toText(between)) || null;
    },
  },
  /** `length(hs_code)`: how many characters a text has. */
  length: {
    title: '字数',
    params: ['text'],
    result: INTEGER,
    evaluate: ([value = null]) => String([...toText(value)].length),
  },
  /** `parts('品名;材质', ';')`: a column of what stands between the separators; nothing has no parts. Half and full width count alike. */
  parts: {
    title: '拆分文字',
    params: ['text', 'text'],
    result: { kind: 'list', of: TEXT, over: 'parts' },
    evaluate: ([whole = null, between = null]) => partsOf(toText(whole), toText(between)),
  },
  /** `places(parts(…))`: 1, 2, 3 … for each value of a column. */
  places: {
    title: '序号',
    params: ['[any]'],
    result: { kind: 'list', of: INTEGER, over: 'parts' },
    evaluate: ([column = null]) => (Array.isArray(column) ? column.map((_, place) => String(place + 1)) : []),
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

function toText(value: Value): string {
  return typeof value === 'string' ? value : '';
}

function partsOf(whole: string, between: string): readonly string[] {
  if (whole === '' || between === '') return [];
  return whole
    .normalize('NFKC')
    .split(between.normalize('NFKC'))
    .map((part) => part.trim());
}

/** At most four letters, and a third of the name. */
function maskWords(text: string): string {
  const letters = [...text];
  const shown = Math.min(4, Math.ceil(letters.length / 3));
  return letters.slice(0, shown).join('') + '*'.repeat(letters.length - shown);
}
