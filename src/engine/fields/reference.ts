import {
  EQUALITY_OPERATORS,
  type FieldBehaviour,
  formatPlain,
  isEmptyValue,
  refuse,
} from './field-behaviour.ts';

const UUID_PATTERN = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
const UUID = new RegExp(UUID_PATTERN);

/** The id of another record, or of a line of one. That it exists and may be picked is checked by the server. */
export const REFERENCE: FieldBehaviour = {
  column: () => 'uuid',
  jsonSchema: () => ({ type: 'string', pattern: UUID_PATTERN }),
  parse: (value) => (isId(value) ? { value } : refuse('type', '引用的记录编号不正确')),
  format: formatPlain,
  isEmpty: isEmptyValue,
  operators: EQUALITY_OPERATORS,
};

/** True for the text form of a UUID in lower case. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
