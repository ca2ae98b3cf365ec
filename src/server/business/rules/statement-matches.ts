import { addDays } from '#engine/values/dates.ts';
import { matchEntries, type OpenEntry } from '#server/business/banking/match-entries.ts';
import { findLinesNamed, findNamed } from '#server/business/find-named.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { textOf } from './rule-values.ts';

/** How far around a statement's days the book is looked through. */
const AROUND_DAYS = 7;

/** Open lines with what they may be: by the bank's own number for certain, by amount and day as a proposal. */
export async function withMatches(
  call: RuleCall,
  account: string,
  lines: readonly OpenRecord[],
): Promise<readonly OpenRecord[]> {
  const entries = await openEntries(call, account, lines);
  const open = lines.flatMap((line, place) =>
    line['entry_id'] === null || line['entry_id'] === undefined
      ? [
          {
            id: String(place),
            date: textOf(line, 'value_date') ?? '',
            amount: textOf(line, 'amount') ?? '0',
            bankRef: textOf(line, 'bank_ref') ?? '',
          },
        ]
      : [],
  );
  const matches = new Map(matchEntries(open, entries).map((match) => [match.line, match]));
  return lines.map((line, place) => {
    const match = matches.get(String(place));
    if (match === undefined) return line;
    return match.by === 'ref'
      ? { ...line, entry_id: match.entry, proposal_id: null }
      : { ...line, proposal_id: match.entry };
  });
}

/** Entries of the account around these days that no statement holds. */
async function openEntries(
  call: RuleCall,
  account: string,
  lines: readonly OpenRecord[],
): Promise<readonly OpenEntry[]> {
  const dates = lines.map((line) => textOf(line, 'value_date') ?? '').toSorted();
  const rows = await findNamed(call, 'bank_entry', {
    where: {
      account_id: { eq: account },
      business_date: {
        gte: addDays(dates[0] ?? '', -AROUND_DAYS),
        lte: addDays(dates.at(-1) ?? '', AROUND_DAYS),
      },
    },
    fields: ['id', 'business_date', 'amount', 'bank_ref'],
    order: ['business_date'],
  });
  const taken = await findLinesNamed(call, ['bank_statement', 'lines'], {
    where: { 'parent.account_id': { eq: account }, entry_id: { null: false } },
    fields: ['entry_id'],
  });
  const used = new Set(taken.map((row) => String(row.entry_id)));
  return rows
    .filter((row) => !used.has(String(row.id)))
    .map((row) => ({
      id: String(row.id),
      date: String(row.business_date),
      amount: String(row.amount),
      bankRef: textOf(row, 'bank_ref') ?? '',
    }));
}
