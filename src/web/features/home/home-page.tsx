import { ADDRESS } from '#web/data/addresses.ts';
import { Skeleton } from 'antd';
import { addDays, companyTime, companyToday } from '#engine/values/dates.ts';
import { formatDecimal, formatMoney, moneyText } from '#engine/values/display.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { useTab } from '#web/app/tab-context.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { useRead } from '#web/data/use-read.ts';
import { type FigureQuery, useCanList, useFigure, useRecords } from './use-figure.ts';
import { GrowingLine } from './growing-line.tsx';
import { ReportCards, ReportCharts } from './report-cards.tsx';
import './home.css';

interface Card extends FigureQuery {
  readonly title: string;
}

/** 首页: what the day asks for, as cards over the records that exist; each opens the list behind it. */
export function HomePage() {
  const person = storedPerson();
  const today = companyToday(new Date());
  const month = { between: [`${today.slice(0, 7)}-01`, today] };
  const isStaff = person?.kind !== 'partner';
  const canList = useCanList();
  const cards: readonly Card[] = [
    {
      title: '本月签约',
      resource: 'export_contract',
      filter: { sign_date: month, status: { nin: ['draft', 'rejected', 'void'] } },
      total: 'amount_usd',
    },
    {
      title: '本月明细单',
      resource: 'shipment',
      filter: { invoice_date: month, status: { nin: ['draft', 'rejected', 'cancelled'] } },
      total: 'total_amount',
    },
    {
      title: '执行中合同',
      resource: 'export_contract',
      filter: { status: { in: ['approved', 'signed', 'executing'] } },
      total: 'amount_usd',
    },
    {
      title: '待提交草稿',
      resource: 'export_contract',
      filter: { status: { in: ['draft', 'rejected'] } },
    },
    { title: '待确认订单', resource: 'export_order', filter: { status: { eq: 'submitted' } } },
    { title: '待审核明细单', resource: 'shipment', filter: { status: { eq: 'pending' } } },
  ];
  return (
    <div className="home">
      <h1>
        {person?.name ?? ''}，{greeting()}
        <small>{today}</small>
      </h1>
      {isStaff && <GrowingLine />}
      <div className="home-cards">
        {isStaff && <PendingCard />}
        {isStaff && <ReportCards name="home" />}
        {cards
          .filter((card) => !isStaff && canList(card.resource))
          .map((card) => (
            <FigureCard key={card.title} card={card} />
          ))}
      </div>
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

function FigureCard({ card }: { readonly card: Card }) {
  const openRecord = useOpenRecord();
  const { data, error } = useFigure(card, true);
  return (
    <button type="button" className="home-card" onClick={() => openRecord.list(card.resource, card.filter)}>
      <span>{card.title}</span>
      <b>{data === undefined ? (error === null ? '…' : '—') : data.isCapped ? '10,000+' : data.count}</b>
      <small>
        {data === undefined || data.totals.length === 0
          ? (error?.message ?? '票')
          : data.totals
              .slice(0, 2)
              .map(({ currency, amount }) =>
                currency === 'USD' ? moneyText(amount) : `${currency} ${formatMoney(amount)}`,
              )
              .join('，')}
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
