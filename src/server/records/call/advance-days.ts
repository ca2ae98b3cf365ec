import { advanceParam } from '#engine/schema/formula-names.ts';
import type { Setup } from '#engine/schema/setup-files.ts';
import type { Reader } from './statement.ts';

/** How many days before its date a warning comes: the file's number or parameter by event, and the rows that win over it. */
export interface AdvanceDays {
  readonly shipped: readonly { readonly event: string; readonly days: number | string }[];
  readonly rows: ReadonlyMap<string, number>;
}

export const NO_ADVANCE: AdvanceDays = { shipped: [], rows: new Map() };

/** Reads what files and active rows of the notice sources say; `db` is null while there is no table of them. */
export async function readAdvanceDays(db: Reader | null, events: Setup['events']): Promise<AdvanceDays> {
  const shipped = Object.entries(events).flatMap(([event, { advance_days: days }]) =>
    days === undefined ? [] : [{ event, days }],
  );
  const rows =
    db === null
      ? []
      : await db.query<{ event_code: string; advance_days: string }>(
          `select event_code, advance_days::text as advance_days from message_source
           where status = 'active' and not is_deleted and advance_days is not null`,
        );
  return { shipped, rows: new Map(rows.map((row) => [row.event_code, Number(row.advance_days)])) };
}

/** The days as parameters, for the conditions of clock actions: `param('AGREEMENT_EXPIRING_DAYS')`. */
export function advanceParams(
  { shipped, rows }: AdvanceDays,
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    shipped.map(({ event, days }) => [
      advanceParam(event),
      String(rows.get(event) ?? (typeof days === 'number' ? days : (params[days] ?? 0))),
    ]),
  );
}
