import { type FieldBehaviour, formatPlain, isEmptyValue, TEXT_OPERATORS } from './field-behaviour.ts';
import { maskText, parseText, textSchema } from './text-value.ts';

/** One line of text; `options` make it a small closed list. */
export const TEXT: FieldBehaviour = {
  column: () => 'text',
  jsonSchema: (field) => textSchema(field, 'text'),
  parse: (value, field) => {
    if (typeof value === 'string' && /[\r\n]/.test(value))
      return { problem: { code: 'text', message: '不能换行' } };
    return parseText(value, field, 'text');
  },
  format: (value, field) => {
    const text = formatPlain(value);
    if (field.mask !== undefined) return maskText(text, field.mask);
    return field.options?.[text] ?? text;
  },
  isEmpty: isEmptyValue,
  operators: TEXT_OPERATORS,
};
