import { type FieldBehaviour, isEmptyValue } from './field-behaviour.ts';
import { parseText, textSchema } from './text-value.ts';

/** Write-only: the server keeps an argon2id hash; it is in no answer, audit row, export, filter or search text. */
export const SECRET: FieldBehaviour = {
  column: () => 'text',
  jsonSchema: (field) => ({ ...textSchema(field, 'secret'), writeOnly: true }),
  parse: (value, field) => parseText(value, field, 'secret'),
  format: () => '',
  isEmpty: isEmptyValue,
  operators: [],
};
