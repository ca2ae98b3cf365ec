import { addDays } from '#engine/values/dates.ts';

/** What a month sells against an even one: orders for Christmas come from summer to autumn, few around the Spring Festival. */
const MONTHS = [0.7, 0.5, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.4, 1.2, 1, 0.8] as const;
/** How much more the last day of a span sells than its first. */
const GROWTH = 0.8;

/** The days of a span by the share of its business that is done by then: 0 is the first one, just below 1 the last. */
export function seasonalDays(from: string, days: number): (share: number) => string {
  let sum = 0;
  const until = Array.from({ length: days }, (_entry, place) => {
    const month = Number(addDays(from, place).slice(5, 7));
    return (sum += (MONTHS[month - 1] ?? 1) * (1 + (GROWTH * place) / days));
  });
  return (share) => {
    const found = until.findIndex((part) => part > share * sum);
    return addDays(from, found < 0 ? days - 1 : found);
  };
}
