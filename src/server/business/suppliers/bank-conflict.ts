import { findLinesNamed } from '#server/business/find-named.ts';
import type { SystemContext } from '#server/records/write/system-write.ts';

/**
 * The account conflict between a supplier that is kept and one that gives way to it (resources.md, supplier `merge`);
 * null when there is none. What the replaced one is owed is paid to its default account; once its documents belong to
 * the kept one, they may only be paid to an account of that one. So the two conflict when the kept one has accounts and
 * the other's default is not among them, or is held at another bank. A side without accounts conflicts with nothing.
 */
export async function findBankConflict(
  context: SystemContext,
  suppliers: { readonly keep: string; readonly replaced: string },
): Promise<{ readonly kept: string; readonly replaced: string } | null> {
  const rows = await findLinesNamed(context, ['supplier', 'banks'], {
    where: { 'parent.id': { in: [suppliers.keep, suppliers.replaced] } },
    fields: ['parent.id', 'account_no', 'cnaps_id'],
    order: ['-is_default', 'line_order'],
  });
  const accountsOf = (id: string) =>
    rows
      .filter((row) => row['parent.id'] === id)
      .map((row) => ({ number: String(row.account_no ?? ''), bank: row.cnaps_id }));
  const kept = accountsOf(suppliers.keep);
  const [paid] = accountsOf(suppliers.replaced);
  const [first] = kept;
  if (paid === undefined || first === undefined) return null;
  const same = kept.filter(({ number }) => plainNumber(number) === plainNumber(paid.number));
  if (same.some(({ bank }) => bank === paid.bank)) return null;
  return { kept: (same[0] ?? first).number, replaced: paid.number };
}

/** Blanks and dashes are only for reading. */
function plainNumber(number: string): string {
  return number.replaceAll(/[\s-]/g, '').toUpperCase();
}
