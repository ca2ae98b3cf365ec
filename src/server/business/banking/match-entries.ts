import { roundDecimal } from '#engine/values/decimal.ts';

/** A movement of the bank's statement that nothing is matched with. */
export interface OpenLine {
  readonly id: string;
  readonly date: string;
  readonly amount: string;
  readonly bankRef: string;
}

/** An entry of the book that stands in no statement. */
export interface OpenEntry {
  readonly id: string;
  readonly date: string;
  readonly amount: string;
  readonly bankRef: string;
}

/** Which entry a line is, and how sure that is: `ref` by the bank's own number, `amount` by amount and day. */
export interface Match {
  readonly line: string;
  readonly entry: string;
  readonly by: 'ref' | 'amount';
}

/** Days that book and bank may lie apart. */
const MAX_DAYS = 7;

/**
 * Pairs of lines and entries of one amount, each used once: first those with one number of the bank, then the nearest
 * days. Whatever could be two entries of the same distance is left to people.
 */
export function matchEntries(lines: readonly OpenLine[], entries: readonly OpenEntry[]): readonly Match[] {
  const byAmount = byAmounts(entries);
  return [...byAmounts(lines)].flatMap(([amount, same]) => matchAlike(same, byAmount.get(amount) ?? []));
}

function byAmounts<Movement extends { readonly amount: string }>(
  movements: readonly Movement[],
): ReadonlyMap<string, readonly Movement[]> {
  const groups = new Map<string, Movement[]>();
  for (const movement of movements) {
    const key = roundDecimal(movement.amount, 2);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [movement]);
    else group.push(movement);
  }
  return groups;
}

/** The same among lines and entries of one amount. */
function matchAlike(lines: readonly OpenLine[], entries: readonly OpenEntry[]): readonly Match[] {
  const left = new Set(entries);
  const open = new Set(lines);
  const matches: Match[] = [];
  const take = (line: OpenLine, entry: OpenEntry, by: Match['by']): void => {
    left.delete(entry);
    open.delete(line);
    matches.push({ line: line.id, entry: entry.id, by });
  };
  for (const line of lines) {
    const [entry, other] = [...left].filter(({ bankRef }) => bankRef !== '' && bankRef === line.bankRef);
    if (entry !== undefined && other === undefined) take(line, entry, 'ref');
  }
  for (let days = 0; days <= MAX_DAYS && left.size > 0; days += 1)
    for (const line of [...open]) {
      const near = [...left].filter((entry) => daysApart(line.date, entry.date) === days);
      const [first] = near;
      const alike = [...open].filter(({ date }) => date === line.date);
      // One entry only, or no more entries than lines of that day: then it does not matter which.
      if (first !== undefined && alike.length >= near.length) take(line, first, 'amount');
    }
  return matches;
}

function daysApart(a: string, b: string): number {
  return Math.abs(Math.round((Date.parse(`${a}T00:00:00Z`) - Date.parse(`${b}T00:00:00Z`)) / 86_400_000));
}
