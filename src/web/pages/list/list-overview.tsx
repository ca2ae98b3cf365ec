import { useQuery } from '@tanstack/react-query';
import type { Comparison, Filter } from '#engine/schema/definition.ts';
import type { OverviewDefinition } from '#engine/schema/layout-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { companyToday } from '#engine/values/dates.ts';
import { compareDecimals } from '#engine/values/decimal.ts';
import { callApi } from '#web/data/http.ts';
import { shownNumber } from '#engine/values/shown-number.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { DueCalendar } from './due-calendar.tsx';
import {
  calendarMonths,
  type Completeness,
  completenessOf,
  drawnMonths,
  dueMonths,
  type DueMonth,
  monthField,
} from './overview-figures.ts';
import './list-overview.css';

/** So many records are looked at, the most urgent ones; so many of them are shown one by one. */
const MOST = 200;
const SHOWN = 8;
const CALENDARS = 3;
const MOST_PX = 48;
const LEAST_PX = 4;

export interface ListOverviewProps {
  readonly resource: Resource;
  readonly overview: OverviewDefinition;
  /** What the list shows. */
  readonly filter: Filter | null;
  readonly keyword: string;
  readonly onFilter: (fields: Readonly<Record<string, Comparison>>) => void;
}

/** What stands above a list: months with what is due in them, and how far the most urgent records have come. */
export function ListOverview({ resource, overview, filter, keyword, onFilter }: ListOverviewProps) {
  const { data, error } = useOverviewRecords(resource.resource, overview, { filter, keyword });
  const openRecord = useOpenRecord();
  if (error !== null || data === undefined || data.records.length === 0) return null;
  const today = companyToday(new Date());
  const date = monthField(overview);
  const money = resource.fields[overview.amount ?? ''];
  const titleOf = (name: string): string => resource.fields[name]?.title ?? name;
  const urgent = completenessOf(overview, data.records, today);
  return (
    <section className="list-overview" aria-label="概览">
      <Months
        months={dueMonths(overview, data.records)}
        title={[
          overview.amount === undefined ? '' : titleOf(overview.amount),
          `按${titleOf(date)}`,
          data.isCapped ? `（最近${MOST}条）` : '',
        ].join('')}
        overdueBefore={overview.month === undefined ? today.slice(0, 7) : ''}
        shown={(amount) => (money === undefined ? '' : shownNumber(amount, money))}
        onMonth={(month) => onFilter({ [date]: { between: [`${month}-01`, `${month}-${lastDay(month)}`] } })}
      />
      <DueCalendar
        months={calendarMonths(overview, data.records, { today, most: CALENDARS })}
        today={today}
        titles={Object.fromEntries(overview.dates.map((name) => [name, titleOf(name)]))}
        onDay={(name, day) => onFilter({ [name]: { between: [day, day] } })}
      />
      <ul className="overview-records">
        {urgent.slice(0, SHOWN).map((item) => (
          <RecordLine
            key={String(item.record['id'])}
            item={item}
            label={String(item.record[resource.label] ?? '')}
            onOpen={() => openRecord.byResource(resource.resource, String(item.record['id']))}
          />
        ))}
      </ul>
    </section>
  );
}

/** The records of the list that are still to be dealt with, the most urgent first. */
function useOverviewRecords(
  resource: string,
  overview: OverviewDefinition,
  { filter, keyword }: Pick<ListOverviewProps, 'filter' | 'keyword'>,
) {
  const parts = [filter, overview.where].filter((part) => part !== null && part !== undefined);
  const filters: Filter | null = parts.length === 0 ? null : { and: parts };
  const [date = ''] = overview.dates;
  return useQuery({
    queryKey: ['overview', resource, filters, keyword],
    staleTime: 30_000,
    queryFn: async () => {
      const answer = await callApi('POST /data/:resource/query', {
        params: { resource },
        body: { currentPage: 1, pageSize: MOST, filters, keyword, sorters: [date] },
      });
      return { records: answer.records, isCapped: answer.total > MOST };
    },
  });
}

interface MonthsProps {
  readonly months: readonly DueMonth[];
  readonly title: string;
  /** Earlier months are overdue; empty where the months are no deadlines. */
  readonly overdueBefore: string;
  /** Money as people read it; empty when the list has none. */
  readonly shown: (amount: string) => string;
  readonly onMonth: (month: string) => void;
}

/** A bar a month, as high as its money beside the others'. */
function Months({ months, title, overdueBefore, shown, onMonth }: MonthsProps) {
  const most = months.reduce((best, { amount }) => (compareDecimals(amount, best) > 0 ? amount : best), '0');
  const { drawn, left } = drawnMonths(months);
  return (
    <figure className="overview-months">
      <figcaption>{left === 0 ? title : `${title}（另有 ${left} 条为 0）`}</figcaption>
      <div>
        {drawn.map(({ month, count, amount }) => (
          <button
            key={month}
            type="button"
            className={month < overdueBefore ? 'overdue' : ''}
            onClick={() => onMonth(month)}
          >
            <b style={{ height: `${heightOf(amount, most)}px` }} />
            <span>{month}</span>
            <small>{count}条 </small>
            <small>{shown(amount)}</small>
          </button>
        ))}
      </div>
    </figure>
  );
}

/** Pixels of 48; only a picture, so a JS number will do. */
function heightOf(amount: string, most: string): number {
  if (compareDecimals(most, '0') <= 0) return LEAST_PX;
  // Nothing at stake is no bar; little is one that is seen.
  return compareDecimals(amount, '0') <= 0
    ? 0
    : Math.max(LEAST_PX, (Number(amount) / Number(most)) * MOST_PX);
}

interface RecordLineProps {
  readonly item: Completeness;
  readonly label: string;
  readonly onOpen: () => void;
}

/** One record: its number, what is there and what is missing, and the days that are left. */
function RecordLine({ item, label, onOpen }: RecordLineProps) {
  const { steps, due, daysLeft } = item;
  const isOverdue = daysLeft !== null && daysLeft < 0;
  const missing = steps.filter(({ isDone }) => !isDone).map(({ title }) => title);
  return (
    <li className={isOverdue ? 'overdue' : ''}>
      <button type="button" className="cell-link" onClick={onOpen}>
        {label}
      </button>
      <span className="overview-steps" title={missing.length === 0 ? '齐备' : `缺：${missing.join('、')}`}>
        {steps.map(({ title, isDone }) => (
          <i key={title} className={isDone ? 'done' : 'missing'}>
            {title}
          </i>
        ))}
      </span>
      <small>{due === null ? '' : `${due} ${daysText(daysLeft ?? 0)}`}</small>
    </li>
  );
}

function daysText(days: number): string {
  return days < 0 ? `逾期 ${-days} 天` : days === 0 ? '今天' : `剩 ${days} 天`;
}

function lastDay(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return String(new Date(Date.UTC(year, number, 0)).getUTCDate());
}
