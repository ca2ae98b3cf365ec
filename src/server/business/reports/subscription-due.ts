import { addDays, addMonths } from '#engine/values/dates.ts';

export const FREQUENCIES = ['weekly', 'monthly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** When a subscription falls due: the day, and the week or month that has just ended. */
export interface DueReport {
  readonly on: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The last day on or before `today` on which such subscriptions are sent: Mondays, or the first of a month.
 * @example dueReport('monthly', '2026-11-22') // { on: '2026-11-01', from: '2026-10-01', to: '2026-10-31' }
 */
export function dueReport(every: Frequency, today: string): DueReport {
  if (every === 'monthly') {
    const on = `${today.slice(0, 8)}01`;
    return { on, from: addMonths(on, -1), to: addDays(on, -1) };
  }
  // Sundays are 0.
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  const on = addDays(today, -((weekday + 6) % 7));
  return { on, from: addDays(on, -7), to: addDays(on, -1) };
}
