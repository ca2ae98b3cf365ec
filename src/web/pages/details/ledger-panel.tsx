import { Tabs } from 'antd';
import type { LedgerEntries } from '#contract/ledger.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { useRead } from '#web/data/use-read.ts';
import { currencyOf, scalarText } from '#web/fields/field-text.ts';
import { figureText } from '../plan/figure-text.ts';
import { VoucherLines } from '../plan/plan-money.tsx';
import { type OpenRecordAt, RecordLink } from '../plan/record-link.tsx';
import { EntryTable } from './entry-table.tsx';
import { shownTime } from './history-row.ts';

export interface LedgerPanelProps {
  readonly resource: Resource;
  readonly id: string;
  readonly version: unknown;
  readonly isAccount: boolean;
}

/** What a document posted, holds and vouched; of an account its entries with the running balance, and who holds what. */
export function LedgerPanel({ resource, id, version, isAccount }: LedgerPanelProps) {
  const openRecord = useOpenRecord();
  const { data } = useRead(
    'GET /data/:resource/:id/entries',
    { params: { resource: resource.resource, id } },
    { key: ['entries', resource.resource, id, version] },
  );
  if (data === undefined) return null;
  const tabs = [
    ...data.entries.map((book) => ({
      key: book.ledger,
      label: `${book.title} ${book.total}`,
      children: <EntryTable book={book} isAccount={isAccount} onOpen={openRecord.byResource} />,
    })),
    ...(data.holds.length === 0
      ? []
      : [
          {
            key: 'holds',
            label: `冻结 ${data.holds.length}`,
            children: <Holds holds={data.holds} isAccount={isAccount} onOpen={openRecord.byResource} />,
          },
        ]),
    ...(data.vouchers.length === 0
      ? []
      : [
          {
            key: 'vouchers',
            label: `凭证 ${data.vouchers.length}`,
            children: data.vouchers.map((voucher) => (
              <Voucher key={voucher.id} voucher={voucher} onOpen={openRecord.byResource} />
            )),
          },
        ]),
  ];
  if (tabs.length === 0) return null;
  return (
    <section className="details-section ledger-panel">
      <h2>
        {isAccount ? '收支与冻结' : storedPerson()?.kind === 'partner' ? '资金往来' : '分录、冻结与凭证'}
      </h2>
      <Tabs size="small" items={tabs} />
    </section>
  );
}

interface HoldsProps {
  readonly holds: LedgerEntries['holds'];
  readonly isAccount: boolean;
  readonly onOpen: OpenRecordAt;
}

function Holds({ holds, isAccount, onOpen }: HoldsProps) {
  return (
    <table className="money-table">
      <thead>
        <tr>
          <th>{isAccount ? '占用单据' : '账户'}</th>
          <th>自</th>
          <th className="number">冻结金额</th>
        </tr>
      </thead>
      <tbody>
        {holds.map((hold) => (
          <tr key={`${hold.resource}-${hold.id ?? hold.since}`}>
            <td>
              {hold.title} {hold.id === null ? '（无权查看）' : <RecordLink {...hold} onOpen={onOpen} />}
            </td>
            <td>{shownTime(hold.since)}</td>
            <td className="number">{figureText(hold.amount, hold.currency ?? '')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Voucher({
  voucher,
  onOpen,
}: {
  readonly voucher: LedgerEntries['vouchers'][number];
  readonly onOpen: OpenRecordAt;
}) {
  const { resource } = usePageResource(voucher.resource);
  const book = resource?.voucherBook;
  if (book === undefined) return null;
  const { columns } = book;
  const amount = resource?.fields[book.lines]?.fields?.[columns.debit];
  return (
    <section className="plan">
      <h3>
        <RecordLink {...voucher} onOpen={onOpen} /> <small>{scalarText(voucher.date)}</small>
      </h3>
      <VoucherLines
        lines={voucher.lines.map((line) => ({
          code: cell(line, columns.code),
          name: cell(line, columns.name),
          debit: cell(line, columns.debit) || null,
          credit: cell(line, columns.credit) || null,
          currency: amount === undefined ? null : (currencyOf(amount, line) ?? null),
        }))}
      />
    </section>
  );
}

function cell(line: ErpRecord, name: string | undefined): string {
  return name === undefined ? '' : scalarText(line[name]);
}
