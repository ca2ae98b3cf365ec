import type { ReportResultRow } from '#contract/reports.ts';
import { formatMoney } from '#engine/values/display.ts';
import { isPlainDecimal } from '#engine/values/decimal.ts';
import { useTab } from '#web/app/tab-context.ts';
import { ReportChart } from '#web/pages/report/report-chart.tsx';
import { reportAddress } from '#web/pages/report/report-address.ts';
import { type DashboardCard, type DashboardChart, useCardReport, useDashboard } from './use-dashboard.ts';
import '#web/pages/report/report.css';

/** Cards over the totals of reports; each opens its report. */
export function ReportCards({ name }: { readonly name: string }) {
  const dashboard = useDashboard(name);
  return (dashboard?.cards ?? []).map((card) => <ReportCard key={card.title} card={card} />);
}

function ReportCard({ card }: { readonly card: DashboardCard }) {
  const { openTab } = useTab();
  const { result, fault } = useCardReport(card, 1);
  const isBad = card.tone === 'bad' && (result?.total?.count ?? 0) > 0;
  return (
    <button
      type="button"
      className={isBad ? 'home-card waiting' : 'home-card'}
      onClick={() => openTab(reportAddress(card.route, card.params))}
    >
      <span>{card.title}</span>
      <b>{result === undefined ? (fault === null ? '…' : '—') : amountOf(result.total, card)}</b>
      <small>{fault ?? (result === undefined ? '' : `${result.total?.count ?? 0} 笔`)}</small>
    </button>
  );
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
    .map(([code, amount]) => `${currency === undefined ? `${code} ` : ''}${formatMoney(String(amount))}`)
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

function ChartCard({ chart }: { readonly chart: DashboardChart }) {
  const { openTab } = useTab();
  const { result, fault } = useCardReport(chart, 200);
  return (
    <section className="home-list">
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
      ) : result.rows.length < 2 ? (
        <p className="home-empty">数据还不够画图</p>
      ) : (
        <ReportChart result={result} chart={chart} />
      )}
    </section>
  );
}
