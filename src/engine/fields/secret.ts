import { type FieldBehaviour, isEmptyValue } from './field-behaviour.ts';
import type { Field } from '../schema/resource.ts';
import { NEW_PASSWORD_LENGTH } from '../values/new-password.ts';
import { parseText, textSchema } from './text-value.ts';

/** Write-only: the server keeps an argon2id hash; it is in no answer, audit row, export, filter or search text. */
export const SECRET: FieldBehaviour = {
  column: () => 'text',
  jsonSchema: (field) => ({ ...textSchema(withLength(field), 'secret'), writeOnly: true }),
  parse: (value, field) => parseText(value, withLength(field), 'secret'),
  format: () => '',
  isEmpty: isEmptyValue,
  operators: [],
};

/** A field may ask for more, not for less. */
function withLength(field: Field): Field {
  const min =
    typeof field.min === 'number' ? Math.max(field.min, NEW_PASSWORD_LENGTH.min) : NEW_PASSWORD_LENGTH.min;
  return { ...field, min, max: field.max ?? NEW_PASSWORD_LENGTH.max };
}
