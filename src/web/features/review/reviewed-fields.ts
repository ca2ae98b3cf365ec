import type { Field } from '#engine/schema/resource.ts';
import { typedDecimal, typedInteger } from '#web/fields/number-text.ts';

/**
 * What an approver typed, by field, as it is sent: numbers as they are typed anywhere else, all other text as it stands,
 * without the space around it; what is empty is null. Text that is no number goes along for the server to refuse.
 * @example reviewedFields([amount, conditions], { amount: '1,200', conditions: '30%, 每月对账' })
 * // { amount: '1200', conditions: '30%, 每月对账' }
 */
export function reviewedFields(
  fields: readonly Field[],
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number | null>> {
  return Object.fromEntries(
    fields.map((field) => [field.name, valueOf(field, (texts[field.name] ?? '').trim())]),
  );
}

function valueOf({ type }: Field, text: string): string | number | null {
  if (text === '') return null;
  if (type === 'integer') return typedInteger(text);
  return type === 'decimal' || type === 'money' || type === 'percent' ? typedDecimal(text) : text;
}
