import { Button } from 'antd';
import { ADDRESS } from '#web/data/addresses.ts';
import { addDays, companyTime, companyToday } from '#engine/values/dates.ts';
import { formatDecimal, formatMoney } from '#engine/values/display.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { useTab } from '#web/app/tab-context.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { labelText, labelsOf } from '#web/fields/field-text.ts';
import { useRead } from '#web/data/use-read.ts';
import { useCanList, useRecords } from './use-figure.ts';
import { FirstDay } from './first-day.tsx';
import { GrowingLine } from './growing-line.tsx';
import { HomeList } from './home-list.tsx';
import { useDashboard } from './use-dashboard.ts';
import { ReportCards, ReportCharts } from './report-cards.tsx';
import './home.css';

/** 首页: what the day asks for, as cards and charts over reports; each opens what it counts. */
export function HomePage() {
  const person = storedPerson();
  const today = companyToday(new Date());
  const isStaff = person?.kind !== 'partner';
  const canList = useCanList();
  return (
    <div className="home">
      <h1>
        {person?.name ?? ''}，{greeting()}
        <small>{today}</small>
      </h1>
      {isStaff && person !== null && <FirstDay person={person} />}
      {isStaff && <GrowingLine />}
      {isStaff && <Starts />}
      {isStaff && <ReportCards name="home" first={[<PendingCard key="pending" />]} />}
      {isStaff && <ReportCharts name="home" />}
      <div className="home-columns">
        {canList('export_contract') && (
          <RecentRecords
            title="最近的外销合同"
            resource="export_contract"
            fields={['contract_no', 'buyer_id', 'total_amount']}
          />
        )}
        {canList('shipment') && (
          <RecentRecords
            title="最近的明细单"
            resource="shipment"
            fields={['shipment_no', 'buyer_id', 'total_amount']}
          />
        )}
        {canList('news') && <News />}
        {canList('currency_rate') && <Rates today={today} />}
      </div>
    </div>
  );
}

/** What the person's role begins most often. */
function Starts() {
  const { openTab } = useTab();
  const { starts = [] } = useDashboard('home') ?? {};
  if (starts.length === 0) return null;
  return (
    <nav className="home-starts" aria-label="快捷方式">
      {starts.map(({ title, address }) => (
        <Button key={title} size="small" onClick={() => openTab(address)}>
          {title}
        </Button>
      ))}
    </nav>
  );
}

function PendingCard() {
  const { openTab } = useTab();
  const { data, error } = useRead('GET /approval/counts', {}, { key: ['approval-counts'] });
  const count = data?.mine ?? 0;
  return (
    <button
      type="button"
      className={count > 0 ? 'home-card waiting' : 'home-card'}
      onClick={() => openTab(ADDRESS.inbox)}
    >
      <span>待我审核</span>
      <b>{error !== null ? '—' : data === undefined ? '…' : count}</b>
      <small>
        {error !== null
          ? error.message
          : data === undefined
            ? '读取中…'
            : count > 0
              ? data.groups.map((group) => `${group.title} ${group.count}`).join('，')
              : '没有等您审核的单据'}
      </small>
    </button>
  );
}

/** 公告: the latest published news. */
function News() {
  const openRecord = useOpenRecord();
  const read = useRecords({
    resource: 'news',
    filter: { status: { eq: 'published' } },
    sorters: ['-top', '-publish_at'],
    size: 8,
  });
  return (
    <HomeList title="公告" empty="暂无公告" read={read}>
      {(record) => (
        <>
          <button
            type="button"
            className="cell-link"
            onClick={() => openRecord.byResource('news', String(record['id']))}
          >
            {String(record['title'] ?? '')}
          </button>
          <small>{companyTime(String(record['publish_at'] ?? record['created_at'])).slice(0, 10)}</small>
        </>
      )}
    </HomeList>
  );
}

interface RecentProps {
  readonly title: string;
  readonly resource: string;
  readonly fields: readonly [string, string, string];
}

const ALL: Filter = { id: { null: false } };

function RecentRecords({ title, resource, fields }: RecentProps) {
  const openRecord = useOpenRecord();
  const read = useRecords({ resource, filter: ALL, sorters: ['-updated_at'], size: 8 });
  const [number, party, amount] = fields;
  return (
    <HomeList title={title} empty="还没有记录" read={read}>
      {(record) => {
        const labels = labelsOf(record);
        return (
          <>
            <button
              type="button"
              className="cell-link"
              onClick={() => openRecord.byResource(resource, String(record['id']))}
            >
              {String(record[number] ?? '')}
            </button>
            <span>{labelText(labels[party])}</span>
            <span className="number">
              {record[amount] === null
                ? ''
                : formatMoney(String(record[amount]), String(record['currency'] ?? ''))}{' '}
              {String(record['currency'] ?? '')}
            </span>
            <small>{labelText(labels['status'])}</small>
          </>
        );
      }}
    </HomeList>
  );
}

const SHOWN_KINDS = [
  ['buy', '买入'],
  ['mid', '中间'],
  ['book', '记账'],
] as const;
const SHOWN_CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY', 'HKD', 'AUD', 'CAD'];

/** The rates of the bank's last day, and the book rate that holds. */
function Rates({ today }: { readonly today: string }) {
  const read = useRecords({
    resource: 'currency_rate',
    filter: {
      currency: { in: SHOWN_CURRENCIES },
      or: [
        { kind: { in: ['buy', 'mid'] }, date: { gte: addDays(today, -DAY_RATES) } },
        { kind: { eq: 'book' }, date: { gte: addDays(today, -BOOK_RATES) } },
      ],
    },
    sorters: ['-date'],
    size: 200,
  });
  const rateOf = (currency: unknown, kind: string) =>
    read.data?.find((record) => record['currency'] === currency && record['kind'] === kind);
  // A company that enters no buying rates is not shown a column of dashes.
  const kinds = SHOWN_KINDS.filter(([kind]) => read.data?.some((record) => record['kind'] === kind) === true);
  return (
    <HomeList title="今日汇率" empty="还没有汇率" read={read} pick={latestRates}>
      {({ currency }) => {
        const day = rateOf(currency, 'buy') ?? rateOf(currency, 'mid');
        return (
          <>
            <b>{String(currency)}</b>
            {kinds.map(([kind, title]) => (
              <Rate key={kind} title={title} record={rateOf(currency, kind)} />
            ))}
            <small>{String((day ?? rateOf(currency, 'book'))?.['date'] ?? '')}</small>
          </>
        );
      }}
    </HomeList>
  );
}

/** Days that a bank's rate, and a month's book rate, may be old. */
const DAY_RATES = 10;
const BOOK_RATES = 400;

function Rate({ title, record }: { readonly title: string; readonly record: ErpRecord | undefined }) {
  return (
    <span className="rate">
      <small>{title}</small> {record === undefined ? '—' : formatDecimal(String(record['rate']))}
    </span>
  );
}

/** One record for each currency that has a rate. */
function latestRates(records: readonly ErpRecord[]): readonly ErpRecord[] {
  return SHOWN_CURRENCIES.map((code) => records.find((record) => record['currency'] === code)).filter(
    (record) => record !== undefined,
  );
}

function greeting(): string {
  const hour = Number(companyTime(new Date().toISOString()).slice(11, 13));
  if (hour < 11) return '早上好';
  return hour < 14 ? '中午好' : hour < 18 ? '下午好' : '晚上好';
}
