import { readContext } from '../../filter/read-context.ts';
import { lookUp } from '../../schema/lookup-table.ts';
import { suggestion } from '../../schema/suggest-name.ts';
import { isDate } from '../../values/dates.ts';
import type { FormulaFunction, Result, Value } from '../formula-function.ts';
import { NUMBER, TEXT, UNKNOWN, type ValueType } from '../value-type.ts';
import { toValue } from '../values.ts';

const paramType: Result = (_, { texts: [name], names: { params } }) => {
  if (name === null || name === undefined || params === undefined) return UNKNOWN;
  return params.get(name) ?? { fault: `未知参数 "${name}"${suggestion(name, params.keys())}`, place: 0 };
};

const TABLE_TYPES: Readonly<Record<string, ValueType>> = { number: NUMBER, text: TEXT };

const lookupType: Result = (types, { texts: [name], names: { tables } }) => {
  if (name === null || name === undefined)
    return { fault: "表名应写成文本，如 lookup('interest_year_days', currency)", place: 0 };
  if (tables === undefined) return UNKNOWN;
  const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
  if (table === undefined)
    return { fault: `未知的表 "${name}"${suggestion(name, Object.keys(tables))}`, place: 0 };
  const given = types.length - 1;
  if (given !== table.keys.length)
    return {
      fault: `表“${table.title}”需要${table.keys.length}个键（${table.keys.join('、')}），给了${given}个`,
      place: 0,
    };
  return TABLE_TYPES[table.value] ?? UNKNOWN;
};

/** What is set outside the record: parameters, exchange rates, tables. Nothing when it is not known. */
export const SURROUNDINGS_FUNCTIONS = {
  /** `param('QTY_TOLERANCE')` as of today, `param('REFUND_DEADLINE', date)` as of a date. */
  param: {
    title: '参数',
    params: ['text', 'date?'],
    result: paramType,
    evaluate: ([name = null, date], { context }) => {
      if (typeof name !== 'string') return null;
      if (date === undefined || context.paramOn === undefined)
        return toValue(readContext(`param.${name}`, context));
      return isDate(date) ? context.paramOn(name, date) : null;
    },
  },
  /** CNY per unit of a currency: `rate(currency, 'book', date)`; without a date, today's. CNY itself is 1. */
  rate: {
    title: '汇率',
    params: ['text', 'text', 'date?'],
    result: NUMBER,
    evaluate: ([currency = null, kind = null, date], { context }) => {
      if (typeof currency !== 'string' || typeof kind !== 'string') return null;
      if (kind === 'usd_cross' ? currency === 'USD' : currency === 'CNY') return '1';
      return context.rate?.(currency, kind, isDate(date) ? date : context.today) ?? null;
    },
  },
  /** `lookup('interest_year_days', currency)`: the value of a table of setup/tables.json under its keys. */
  lookup: {
    title: '查表',
    params: ['text', 'any', 'any...'],
    result: lookupType,
    evaluate: ([name = null, ...keys], { tables }): Value => {
      const table =
        typeof name === 'string' && tables !== undefined && Object.hasOwn(tables, name)
          ? tables[name]
          : undefined;
      return table === undefined ? null : lookUp(table, keys);
    },
  },
} as const satisfies Record<string, FormulaFunction>;
