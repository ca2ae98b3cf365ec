import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import type { Invariant } from './check-invariants.ts';

/** What must hold of every ledger, account and voucher book that the definitions declare (flows INV-02, INV-04, INV-15). */
export function ledgerInvariants(catalog: Pick<Catalog, 'resources'>): readonly Invariant[] {
  return Object.values(catalog.resources).flatMap((resource) => [
    ...ofAccount(resource, catalog),
    ...ofLedger(resource),
    ...ofBook(resource),
  ]);
}

function ofAccount(resource: Resource, catalog: Pick<Catalog, 'resources'>): readonly Invariant[] {
  const { account } = resource;
  const ledger = account === undefined ? undefined : catalog.resources[account.ledger];
  if (account === undefined || ledger?.ledger === undefined) return [];
  const { account: key, amount } = ledger.ledger;
  const entries = `select sum(e.${quoteName(amount)}) from ${tableOf(ledger)} e where e.${quoteName(key)} = t.id`;
  const balance: Invariant = {
    code: 'INV-02',
    title: '余额等于流水合计',
    of: resource.resource,
    broken: `coalesce(t.${quoteName(account.balance)}, 0) <> coalesce((${entries}), 0)`,
  };
  if (account.held === undefined || account.available === undefined) return [balance];
  const holds = `select sum(h.amount) from sys_hold h where h.account_resource = '${resource.resource}' and h.account_id = t.id`;
  const held = `coalesce(t.${quoteName(account.held)}, 0)`;
  return [
    balance,
    {
      code: 'INV-04',
      title: '冻结等于占用合计，可用等于余额减冻结',
      of: resource.resource,
      broken: `${held} <> coalesce((${holds}), 0)
        or coalesce(t.${quoteName(account.available)}, 0) <> coalesce(t.${quoteName(account.balance)}, 0) - ${held}`,
    },
  ];
}

function ofLedger(resource: Resource): readonly Invariant[] {
  const { ledger } = resource;
  if (ledger === undefined) return [];
  const [after, amount, account] = [ledger.after, ledger.amount, ledger.account].map(quoteName);
  const before = `select e.${after} from ${tableOf(resource)} e
    where e.${account} = t.${account} and e.posted_seq < t.posted_seq order by e.posted_seq desc limit 1`;
  return [
    {
      code: 'INV-02',
      title: '变动后余额逐笔连续',
      of: resource.resource,
      broken: `t.${after} <> t.${amount} + coalesce((${before}), 0)`,
    },
  ];
}

function ofBook(resource: Resource): readonly Invariant[] {
  const { voucherBook: book } = resource;
  if (book === undefined) return [];
  const [debit, credit] = [book.columns.debit, book.columns.credit].map(quoteName);
  return [
    {
      code: 'INV-15',
      title: '凭证借贷相等',
      of: resource.resource,
      broken: `coalesce((select sum(coalesce(l.${debit}, 0) - coalesce(l.${credit}, 0))
        from ${linesTableOf(resource, book.lines)} l where l.parent_id = t.id), 0) <> 0`,
    },
  ];
}
