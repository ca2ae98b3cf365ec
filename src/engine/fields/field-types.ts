import type { FieldType, FilterOperator } from '../schema/definition.ts';
import type { Field } from '../schema/resource.ts';
import { ATTACHMENT } from './attachment.ts';
import { BOOLEAN } from './boolean.ts';
import { DATE } from './date.ts';
import { DATETIME } from './datetime.ts';
import { DECIMAL } from './decimal.ts';
import { DICTIONARY } from './dictionary.ts';
import { type FieldBehaviour, isEmptyValue, type ParsedValue, refuse } from './field-behaviour.ts';
import { INTEGER } from './integer.ts';
import { JSON_FIELD } from './json.ts';
import { LINES } from './lines.ts';
import { MONEY_FIELD } from './money.ts';
import { PERCENT } from './percent.ts';
import { REFERENCE } from './reference.ts';
import { RICHTEXT } from './richtext.ts';
import { SECRET } from './secret.ts';
import { TEXT } from './text.ts';
import { TEXTAREA } from './textarea.ts';

/** What every field type does; the compiler lists a type that was forgotten. */
export const FIELD_TYPE_BEHAVIOUR = {
  text: TEXT,
  textarea: TEXTAREA,
  richtext: RICHTEXT,
  integer: INTEGER,
  decimal: DECIMAL,
  money: MONEY_FIELD,
  percent: PERCENT,
  date: DATE,
  datetime: DATETIME,
  boolean: BOOLEAN,
  dictionary: DICTIONARY,
  reference: REFERENCE,
  attachment: ATTACHMENT,
  lines: LINES,
  json: JSON_FIELD,
  secret: SECRET,
} as const satisfies Record<FieldType, FieldBehaviour>;

const MAX_VALUES = 200;

/** Whether a field is a column of its own: not lines, nor what is worked out when it is read. */
export function hasColumn(field: Field): boolean {
  const isWorkedOut = field.liveBy !== undefined || field.lineageBy !== undefined || field.stored === false;
  return field.type !== 'lines' && !isWorkedOut;
}

/** The SQL type of a field's column, `uuid[]` for a list; null for lines, which have a table. `id` is a uuid though it has no target. */
export function fieldColumn(field: Field): string | null {
  if (!hasColumn(field)) return null;
  if (field.standard && field.name === 'id') return 'uuid';
  const column = FIELD_TYPE_BEHAVIOUR[field.type].column(field);
  return field.multiple === true && field.type !== 'attachment' ? `${column}[]` : column;
}

/**
 * Parses one value of a field, a list when the field is `multiple`. Null and undefined give null, an empty list too.
 * @example parseField('12.50', { type: 'money', ... }) // { value: '12.50' }
 */
export function parseField(value: unknown, field: Field): ParsedValue {
  if (value === null || value === undefined) return { value: null };
  const behaviour = FIELD_TYPE_BEHAVIOUR[field.type];
  if (field.multiple !== true || field.type === 'attachment') return behaviour.parse(value, field);
  if (!Array.isArray(value)) return refuse('type', '应为列表');
  if (value.length > MAX_VALUES) return refuse('too_many', `最多${MAX_VALUES}个`);
  if (new Set(value).size < value.length) return refuse('duplicate', '列表中有重复的值');
  const values: unknown[] = [];
  for (const item of value) {
    const parsed = behaviour.parse(item, field);
    if ('problem' in parsed) return parsed;
    if (parsed.value === null) return refuse('type', '列表中不能有空值');
    values.push(parsed.value);
  }
  return { value: values };
}

/** Text of a field's value for lists, messages and exports; empty gives ''. */
export function formatField(value: unknown, field: Field): string {
  if (isEmptyValue(value)) return '';
  const behaviour = FIELD_TYPE_BEHAVIOUR[field.type];
  if (Array.isArray(value) && field.multiple === true && field.type !== 'attachment')
    return value.map((item) => behaviour.format(item, field)).join('、');
  return behaviour.format(value, field);
}

/** True when a field counts as not filled in (what `required` looks at). */
export function isFieldEmpty(value: unknown, field: Field): boolean {
  return FIELD_TYPE_BEHAVIOUR[field.type].isEmpty(value);
}

/** The comparisons that make sense for a field. */
export function operatorsOf(field: Pick<Field, 'type' | 'multiple'>): readonly FilterOperator[] {
  return field.multiple === true && field.type !== 'attachment'
    ? ['has', 'hasAny', 'null']
    : FIELD_TYPE_BEHAVIOUR[field.type].operators;
}
