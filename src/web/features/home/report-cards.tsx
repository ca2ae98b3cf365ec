import type { ReportResult, ReportResultRow } from '#contract/reports.ts';
import { formatMoney, moneyIn } from '#engine/values/display.ts';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { compareDecimals, isPlainDecimal, subtractDecimals } from '#engine/values/decimal.ts';
import { useTab } from '#web/app/tab-context.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { ReportChart } from '#web/pages/report/report-chart.tsx';
import { reportAddress } from '#web/pages/report/report-address.ts';
import { asFilter, ReportDrill } from '#web/pages/report/report-drill.tsx';
import type { ClickedCell } from '#web/pages/report/report-table.tsx';
import { useSeen } from './use-seen.ts';
import { type DashboardCard, type DashboardChart, useCardReport, useDashboard } from './use-dashboard.ts';
import '#web/pages/report/report.css';

/** Cards over the totals of reports, after those that stand first; each opens its report. No card stands in a row alone. */
export function ReportCards({
  name,
  first,
}: {
  readonly name: string;
  readonly first: readonly ReactNode[];
}) {
  const dashboard = useDashboard(name);
  const cards = dashboard?.cards ?? [];
  const count = first.length + cards.length;
  return (
    <div className={cardsClass(count)} style={cardsStyle(count)}>
      {first}
      {cards.map((card) => (
        <ReportCard key={card.title} card={card} />
      ))}
    </div>
  );
}

/** So many stand in one row of a wide screen. */
const MOST_IN_ROW = 9;

/** How a box of cards is laid out: by how many stand in a row. */
export function cardsClass(count: number): string {
  const names = [
    'home-cards',
    ...(count % 2 === 1 ? ['is-odd'] : []),
    ...(count <= MOST_IN_ROW ? ['fits-row'] : []),
  ];
  return names.join(' ');
}

export function cardsStyle(count: number): CSSProperties {
  return Object.assign<CSSProperties, object>({}, { '--in-row': inRow(count), '--cards': count });
}

/**
 * How many cards stand in a row: rows of one length where there are such, else none that stands alone in the last, whose
 * cards share its room.
 */
export function inRow(count: number): number {
  if (count <= 5) return Math.max(count, 1);
  const even = [5, 4, 3].find((many) => count % many === 0);
  return even ?? [4, 5, 3].find((many) => count % many > 1) ?? 4;
}

function ReportCard({ card }: { readonly card: DashboardCard }) {
  const { openTab } = useTab();
  const { result, fault } = useCardReport(card, 1);
  const change = useChange(card, result?.total);
  const isHidden = result !== undefined && isKeptFrom(result, [card.column]);
  const count = card.stock === true ? '' : `${result?.total?.count ?? 0} 笔`;
  const isBad = card.tone === 'bad' && (result?.total?.count ?? 0) > 0;
  return (
    <button
      type="button"
      className={isBad ? 'home-card waiting' : 'home-card'}
      onClick={() => openTab(reportAddress(card.route, card.params))}
    >
      <span>{card.title}</span>
      <b>
        {result === undefined ? (fault === null ? '…' : '—') : isHidden ? '—' : amountOf(result.total, card)}
      </b>
      <small>
        {fault ??
          (result === undefined ? '' : isHidden ? '无权查看' : [count, change].filter(Boolean).join('，'))}
      </small>
    </button>
  );
}

/** True where the reader may see none of these columns: a zero in their place would be a figure that is not true. */
export function isKeptFrom(
  { columns, hidden }: Pick<ReportResult, 'columns' | 'hidden'>,
  wanted: readonly string[],
): boolean {
  return hidden.length > 0 && wanted.length > 0 && !columns.some(({ key }) => wanted.includes(key));
}

/** What changed since the figure that a card is compared with; asked for when the card stands. */
function useChange(card: DashboardCard, now: ReportResultRow | null | undefined): string {
  const asked = { report: card.report, params: card.before ?? {} };
  const { result } = useCardReport(asked, 1, card.before !== undefined && now !== undefined);
  // Without other parameters the same answer lies in the cache.
  if (card.before === undefined || result === undefined) return '';
  const change = subtractDecimals(plainAmount(now, card), plainAmount(result.total, card));
  const { against = '' } = card;
  if (isZero(change)) return `与${against}持平`;
  return `较${against} ${change.startsWith('-') ? '' : '+'}${formatMoney(change)}`;
}

function plainAmount(row: ReportResultRow | null | undefined, { column, currency }: DashboardCard): string {
  const cell = row?.cells[column];
  if (isPlainDecimal(cell)) return cell;
  const amount = typeof cell === 'object' && cell !== null ? Reflect.get(cell, currency ?? '') : undefined;
  return isPlainDecimal(amount) ? amount : '0';
}

function isZero(amount: string): boolean {
  return compareDecimals(amount, '0') === 0;
}

/** The total of a card's column; of a column in original currency that of its currency. */
export function amountOf(
  row: ReportResultRow | null | undefined,
  { column, currency }: Pick<DashboardCard, 'column' | 'currency'>,
): string {
  const cell = row?.cells[column];
  if (isPlainDecimal(cell)) return formatMoney(cell);
  if (typeof cell !== 'object' || cell === null) return '0.00';
  const amounts = Object.entries(cell).filter(([code]) => currency === undefined || code === currency);
  if (amounts.length === 0) return '0.00';
  return amounts
    .map(([code, amount]) =>
      currency === undefined ? moneyIn(code, String(amount)) : formatMoney(String(amount), code),
    )
    .join('，');
}

/** Charts over reports, after the cards. */
export function ReportCharts({ name }: { readonly name: string }) {
  const dashboard = useDashboard(name);
  return (
    <div className="home-charts">
      {(dashboard?.charts ?? []).map((chart) => (
        <ChartCard key={chart.title} chart={chart} />
      ))}
    </div>
  );
}

/** Too little to draw. */
function isBare(result: ReportResult, { kind }: DashboardChart): boolean {
  return kind === 'cards' ? !result.rows.some(({ isLine }) => isLine) : result.rows.length < 2;
}

/** A chart and its figures are fetched when one comes near it: a phone shows its cards first. */
function ChartCard({ chart }: { readonly chart: DashboardChart }) {
  const { openTab } = useTab();
  const openRecord = useOpenRecord();
  const [place, isSeen] = useSeen();
  const [cell, setCell] = useState<ClickedCell | null>(null);
  const { result, fault } = useCardReport(chart, 200, isSeen);
  return (
    <section
      ref={place}
      className={`home-list chart-card${chart.kind === 'cards' && result !== undefined ? ' is-figures' : ''}`}
    >
      <h2>
        <button
          type="button"
          className="cell-link"
          onClick={() => openTab(reportAddress(chart.route, chart.params))}
        >
          {chart.title}
        </button>
      </h2>
      {result === undefined ? (
        <p className="home-empty">{fault ?? '…'}</p>
      ) : isKeptFrom(result, chart.y) ? (
        <p className="home-empty">无权查看</p>
      ) : isBare(result, chart) ? (
        <p className="home-empty">{chart.kind === 'cards' ? '现在没有可看的数字' : '数据还不够画图'}</p>
      ) : (
        <ReportChart result={result} chart={chart} onOpen={setCell} />
      )}
      {result !== undefined && (
        <ReportDrill
          result={result}
          params={chart.params}
          cell={cell}
          onClose={() => setCell(null)}
          onOpenRecord={openRecord.byResource}
          onOpenList={(resource, filter) => openRecord.list(resource, asFilter(filter))}
        />
      )}
    </section>
  );
}
