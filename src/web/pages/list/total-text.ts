import type { Field } from '#engine/schema/resource.ts';
import { shownNumber } from '#web/fields/number-text.ts';

/** The totals row as text: an amount, or a line for each currency. */
export function totalTexts(
  totals: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, Field>>,
) {
  return Object.fromEntries(
    Object.entries(totals).flatMap(([name, total]) => {
      const field = fields[name];
      return field === undefined ? [] : [[name, totalText(total, field)]];
    }),
  );
}

function totalText(total: unknown, field: Field): string {
  if (typeof total === 'string' || typeof total === 'number') return shownNumber(String(total), field);
  if (typeof total !== 'object' || total === null) return '';
  return Object.entries(total)
    .map(([currency, amount]) => `${shownNumber(String(amount), field)} ${currency}`.trim())
    .join('\n');
}
