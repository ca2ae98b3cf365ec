import type { Tx } from '#server/kernel/db/database.ts';

/** A supplier's account as it is registered. A type, not an interface: rows are indexed by column. */
type Account = {
  readonly supplier_id: string;
  readonly account_no: string;
  readonly cnaps_id: string | null;
  readonly is_default: boolean | null;
};

/**
 * The account conflict between a supplier that is kept and one that gives way to it (resources.md, supplier `merge`);
 * null when there is none. What the replaced one is owed is paid to its default account; once its documents belong to
 * the kept one, they may only be paid to an account of that one. So the two conflict when the kept one has accounts and
 * the other's default is not among them, or is held at another bank. A side without accounts conflicts with nothing.
 */
export async function findBankConflict(
  tx: Tx,
  suppliers: { readonly keep: string; readonly replaced: string },
): Promise<{ readonly kept: string; readonly replaced: string } | null> {
  const rows = await tx.query<Account>(
    `select parent_id as supplier_id, account_no, cnaps_id, is_default from supplier__banks
     where parent_id = any($1::uuid[]) order by is_default desc nulls last, line_order`,
    [[suppliers.keep, suppliers.replaced]],
  );
  const kept = rows.filter((row) => row.supplier_id === suppliers.keep);
  const paid = rows.find((row) => row.supplier_id === suppliers.replaced);
  const [first] = kept;
  if (paid === undefined || first === undefined) return null;
  const same = kept.filter((account) => plainNumber(account) === plainNumber(paid));
  if (same.some(({ cnaps_id }) => cnaps_id === paid.cnaps_id)) return null;
  return { kept: (same[0] ?? first).account_no, replaced: paid.account_no };
}

/** Blanks and dashes are only for reading. */
function plainNumber({ account_no }: Account): string {
  return account_no.replaceAll(/[\s-]/g, '').toUpperCase();
}
