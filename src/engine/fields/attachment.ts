import { type FieldBehaviour, formatPlain, isEmptyValue, refuse } from './field-behaviour.ts';
import { isId } from './reference.ts';

const MAX_FILES = 100;

/** Ids of uploaded files, always a list. */
export const ATTACHMENT: FieldBehaviour = {
  column: () => 'uuid[]',
  jsonSchema: (field) => ({
    type: 'array',
    items: { type: 'string' },
    maxItems: typeof field.max === 'number' ? field.max : MAX_FILES,
    uniqueItems: true,
  }),
  parse: (value, field) => {
    if (!Array.isArray(value) || !value.every(isId)) return refuse('type', '附件应为文件编号的列表');
    if (new Set(value).size < value.length) return refuse('duplicate', '附件重复');
    const max = typeof field.max === 'number' ? field.max : MAX_FILES;
    return value.length > max ? refuse('too_many', `最多${max}个附件`) : { value };
  },
  format: (value) => (Array.isArray(value) ? `${value.length}个附件` : formatPlain(value)),
  isEmpty: isEmptyValue,
  operators: ['null'],
};
