import type { Plan } from '#contract/plan.ts';
import { amountText } from './figure-text.ts';
import { type OpenRecordAt, RecordLink } from './record-link.tsx';

export interface PlanMoneyProps {
  readonly plan: Pick<Plan, 'entries' | 'holds' | 'vouchers'>;
  readonly onOpen: OpenRecordAt;
}

/** Entries with the balance after them, what is held, and the voucher's lines. */
export function PlanMoney({ plan, onOpen }: PlanMoneyProps) {
  return (
    <>
      {plan.entries.length > 0 && (
        <section>
          <h3>入账</h3>
          <table className="money-table">
            <thead>
              <tr>
                <th>账户</th>
                <th>类型</th>
                <th className="number">金额</th>
                <th className="number">入账后余额</th>
              </tr>
            </thead>
            <tbody>
              {plan.entries.map((entry) => (
                <tr
                  key={`${entry.account.id ?? ''}-${entry.type}-${String(entry.isMirror)}-${entry.amount ?? ''}`}
                >
                  <td>
                    <RecordLink {...entry.account} onOpen={onOpen} />
                  </td>
                  <td>
                    {entry.type}
                    {entry.isMirror && <small>冲销</small>}
                    {entry.count > 1 && <small>{entry.count} 笔</small>}
                  </td>
                  <Amount value={entry.amount} currency={entry.currency} />
                  <Amount value={entry.after} currency={entry.currency} title="余额" />
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {plan.holds.length > 0 && (
        <section>
          <h3>冻结</h3>
          <table className="money-table">
            <thead>
              <tr>
                <th>账户</th>
                <th className="number">本单据冻结</th>
                <th className="number">之后可用</th>
              </tr>
            </thead>
            <tbody>
              {plan.holds.map((hold) => (
                <tr key={hold.account.id ?? ''}>
                  <td>
                    <RecordLink {...hold.account} onOpen={onOpen} />
                  </td>
                  <Amount value={hold.amount} currency={hold.currency} title="冻结" />
                  <Amount value={hold.available} currency={hold.currency} title="可用" />
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {plan.vouchers.map((voucher) => (
        <section key={`${voucher.event}-${voucher.date ?? ''}`}>
          <h3>
            {voucher.title} <small>{[voucher.event, voucher.date].filter(Boolean).join(' ')}</small>
          </h3>
          <VoucherLines lines={voucher.lines} />
        </section>
      ))}
    </>
  );
}

/** Debit and credit side by side. */
export function VoucherLines({ lines }: { readonly lines: Plan['vouchers'][number]['lines'] }) {
  return (
    <table className="money-table">
      <thead>
        <tr>
          <th>科目</th>
          <th className="number">借方</th>
          <th className="number">贷方</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, place) => (
          // Lines of one account may be equal.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={place}>
            <td>
              {line.code} {line.name}
            </td>
            <Amount value={line.debit} currency={line.currency} title="借" />
            <Amount value={line.credit} currency={line.currency} title="贷" />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Amount({
  value,
  currency,
  title,
}: {
  readonly value: string | null;
  readonly currency: string | null;
  /** Stands before the amount where the table has no room for its head. */
  readonly title?: string;
}) {
  const tone = value?.startsWith('-') === true ? ' negative' : '';
  if (value === null) return <td className="number" />;
  return (
    <td className={`number${tone}`} data-title={title}>
      {amountText(value, currency)} {currency !== null && <small>{currency}</small>}
    </td>
  );
}
