import type { VoucherAccount, VoucherPair } from '#engine/ledger/plan-voucher.ts';
import type { KnownAccount } from '#engine/ledger/voucher-lines.ts';
import type { VoucherBookDefinition } from '#engine/schema/ledger-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { quoteName, type Tx } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { textOf } from '#server/records/call/text-of.ts';

/**
 * The accounts of a voucher's pairs: rows of the company by key, else what setup/accounts.json says; and rows that the
 * document names itself. @throws RULE_REFUSED for a key without an account
 */
export async function knownAccounts(
  tx: Tx,
  call: Call,
  { book, pairs }: { readonly book: VoucherBookDefinition; readonly pairs: readonly VoucherPair[] },
): Promise<(account: VoucherAccount) => KnownAccount> {
  const all = pairs.flatMap(({ debit, credit }) => [debit, credit]);
  const chart = book.accounts === undefined ? undefined : call.catalog.resources[book.accounts.of];
  const rows =
    chart === undefined || book.accounts === undefined
      ? NONE
      : await chartRows(tx, call, { chart, names: book.accounts, all });
  return (account) => {
    const row = rows.get(account.kind === 'key' ? account.key : account.id);
    const shipped = call.catalog.accounts?.[account.kind === 'key' ? account.key : (row?.key ?? '')];
    if (row !== undefined)
      return {
        ...row,
        key: account.kind === 'key' ? account.key : row.key,
        ...(shipped?.foreign === true ? { foreign: true } : {}),
      };
    if (account.kind === 'key' && shipped !== undefined) return { ...shipped, key: account.key };
    throw new AppError('RULE_REFUSED', { message: '过账键未设置会计科目' });
  };
}

const NONE: ReadonlyMap<string, KnownAccount> = new Map();

/** Rows of the chart of accounts by key and by id; keys of rows that are out of use count for nothing. */
async function chartRows(
  tx: Tx,
  call: Call,
  asked: {
    readonly chart: Resource;
    readonly names: NonNullable<VoucherBookDefinition['accounts']>;
    readonly all: readonly VoucherAccount[];
  },
): Promise<ReadonlyMap<string, KnownAccount>> {
  const { chart, names, all } = asked;
  const keys = all.flatMap((account) => (account.kind === 'key' ? [account.key] : []));
  const ids = all.flatMap((account) => (account.kind === 'record' ? [account.id] : []));
  const inUse = chart.lifecycle === undefined ? 'true' : 't.status = $4';
  const rows = await tx.query(
    `select t.id, t.${quoteName(names.key)} as key, t.${quoteName(names.code)} as code, t.${quoteName(names.name)} as name,
       ${inUse} as in_use
     from ${tableOf(chart)} t
     where not t.is_deleted and t.co_code = $1 and (t.${quoteName(names.key)} = any($2::text[]) or t.id = any($3::uuid[]))`,
    [
      call.caller.subject.co_code,
      keys,
      ids,
      ...(chart.lifecycle === undefined ? [] : [chart.lifecycle.initial]),
    ],
  );
  const known = new Map<string, KnownAccount>();
  for (const row of rows) {
    const key = row['key'] === null ? null : textOf(row['key']);
    const account = { key, code: textOf(row['code']), name: textOf(row['name']) };
    known.set(String(row['id']), account);
    if (key !== null && row['in_use'] === true) known.set(key, account);
  }
  return known;
}
