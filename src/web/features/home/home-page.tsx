import { ADDRESS } from '#web/data/addresses.ts';
import { Skeleton } from 'antd';
import { addDays, companyTime, companyToday } from '#engine/values/dates.ts';
import { formatDecimal, formatMoney } from '#engine/values/display.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { useTab } from '#web/app/tab-context.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { useRead } from '#web/data/use-read.ts';
import { useCanList, useRecords } from './use-figure.ts';
import { FirstDay } from './first-day.tsx';
import { GrowingLine } from './growing-line.tsx';
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
      {isStaff && <ReportCards name="home" first={[<PendingCard key="pending" />]} />}
      {isStaff && <ReportCharts name="home" />}
      <div className="home-columns">
        <RecentRecords
          title="最近的外销合同"
          resource="export_contract"
          isOn={canList('export_contract')}
          sorters={['-updated_at']}
          fields={['contract_no', 'buyer_id', 'total_amount']}
        />
        <RecentRecords
          title="最近的明细单"
          resource="shipment"
          isOn={canList('shipment')}
          sorters={['-updated_at']}
          fields={['shipment_no', 'buyer_id', 'total_amount']}
        />
        <News isOn={canList('news')} />
        <Rates isOn={canList('currency_rate')} since={addDays(today, -400)} />
      </div>
    </div>
  );
}

function PendingCard() {
  const { openTab } = useTab();
  const { data } = useRead('GET /approval/counts', {}, { key: ['approval-counts'] });
  const count = data?.mine ?? 0;
  return (
    <button
      type="button"
      className={count > 0 ? 'home-card waiting' : 'home-card'}
      onClick={() => openTab(ADDRESS.inbox)}
    >
      <span>待我审核</span>
      <b>{data === undefined ? '…' : count}</b>
      <small>
        {count > 0
          ? (data?.groups ?? []).map((group) => `${group.title} ${group.count}`).join('，')
          : '没有等您审核的单据'}
      </small>
    </button>
  );
}

/** 公告: the latest published news. */
function News({ isOn }: { readonly isOn: boolean }) {
  const openRecord = useOpenRecord();
  const { data } = useRecords(
    { resource: 'news', filter: { status: { eq: 'published' } }, sorters: ['-top', '-publish_at'], size: 8 },
    isOn,
  );
  return (
    <section className="home-list">
      <h2>公告</h2>
      {(!isOn || data?.length === 0) && <p className="home-empty">暂无公告</p>}
      <ul>
        {(data ?? []).map((record) => (
          <li key={String(record['id'])}>
            <button
              type="button"
              className="cell-link"
              onClick={() => openRecord.byResource('news', String(record['id']))}
            >
              {String(record['title'] ?? '')}
            </button>
            <small>{companyTime(String(record['publish_at'] ?? record['created_at'])).slice(0, 10)}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RecentProps {
  readonly title: string;
  readonly resource: string;
  readonly isOn: boolean;
  readonly sorters: readonly string[];
  readonly fields: readonly [string, string, string];
}

const ALL: Filter = { id: { null: false } };

function RecentRecords({ title, resource, isOn, sorters, fields }: RecentProps) {
  const openRecord = useOpenRecord();
  const { data, isLoading } = useRecords({ resource, filter: ALL, sorters, size: 8 }, isOn);
  if (!isOn) return null;
  const [number, party, amount] = fields;
  return (
    <section className="home-list">
      <h2>{title}</h2>
      {isLoading && <Skeleton active />}
      {data?.length === 0 && <p className="home-empty">还没有记录</p>}
      <ul>
        {(data ?? []).map((record) => {
          const labels = record['_labels'];
          const label = (name: string) =>
            typeof labels === 'object' && labels !== null ? String(Reflect.get(labels, name) ?? '') : '';
          return (
            <li key={String(record['id'])}>
              <button
                type="button"
                className="cell-link"
                onClick={() => openRecord.byResource(resource, String(record['id']))}
              >
                {String(record[number] ?? '')}
              </button>
              <span>{label(party)}</span>
              <span className="number">
                {record[amount] === null ? '' : formatMoney(String(record[amount]))}{' '}
                {String(record['currency'] ?? '')}
              </span>
              <small>{label('status')}</small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const SHOWN_CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY', 'HKD', 'AUD', 'CAD'];

/** The latest book rates. */
function Rates({ isOn, since }: { readonly isOn: boolean; readonly since: string }) {
  const { data } = useRecords(
    {
      resource: 'currency_rate',
      filter: { kind: { eq: 'book' }, date: { gte: since }, currency: { in: SHOWN_CURRENCIES } },
      sorters: ['-date'],
      size: 60,
    },
    isOn,
  );
  if (!isOn) return null;
  const latest = SHOWN_CURRENCIES.map((code) => data?.find((record) => record['currency'] === code)).filter(
    (record) => record !== undefined,
  );
  return (
    <section className="home-list">
      <h2>本月记账汇率</h2>
      {latest.length === 0 && <p className="home-empty">还没有汇率</p>}
      <ul>
        {latest.map((record) => (
          <li key={String(record['id'])}>
            <b>{String(record['currency'])}</b>
            <span className="number">{formatDecimal(String(record['rate']))}</span>
            <small>{String(record['date'])}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function greeting(): string {
  const hour = new Date().getHours();
  if (hour < 11) return '早上好';
  return hour < 14 ? '中午好' : hour < 18 ? '下午好' : '晚上好';
}
