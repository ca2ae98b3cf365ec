import { App, Input, Modal, Skeleton } from 'antd';
import { useState } from 'react';
import type { ReportResult, ReportResultRow } from '#contract/reports.ts';
import { addDays, companyToday } from '#engine/values/dates.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { callApi } from '#web/data/http.ts';
import { showFault } from '#web/data/show-fault.ts';
import { useTab } from '#web/app/tab-context.ts';
import { cellText } from '#web/pages/report/report-text.ts';
import { reportAddress } from '#web/pages/report/report-address.ts';
import { amountOf, inRow } from './report-cards.tsx';
import { type DashboardCard, useCardReport, useDashboard } from './use-dashboard.ts';
import { type Muted, MUTE_RESOURCE, useMuted } from './use-muted.ts';
import './home.css';

/** So many of the most urgent stand below the cards. */
const MOST_URGENT = 20;
const MUTE_DAYS = 7;

/** 预警: one card a report of due dates, red for overdue and orange for near ones, and the most urgent records. */
export function WarningsPage() {
  const today = companyToday(new Date());
  const dashboard = useDashboard('warnings');
  const muted = useMuted(today);
  const cards = dashboard?.cards ?? [];
  return (
    <div className="home">
      <h1>
        预警<small>{today}</small>
      </h1>
      <div className={`home-cards in-${inRow(cards.length)}${cards.length % 2 === 1 ? ' is-odd' : ''}`}>
        {cards.map((card) => (
          <WarningCard key={card.title} card={card} muted={muted} />
        ))}
      </div>
      <div className="home-columns">
        {cards.map((card) => (
          <Urgent key={card.title} card={card} muted={muted} today={today} />
        ))}
      </div>
      {dashboard === undefined && <Skeleton active paragraph={{ rows: 8 }} />}
      {dashboard !== undefined && cards.length === 0 && (
        <p className="home-empty">您的角色没有需要关注的预警</p>
      )}
    </div>
  );
}

const LINES = 1_000;

function WarningCard({ card, muted }: { readonly card: DashboardCard; readonly muted: Muted }) {
  const { openTab } = useTab();
  const { result, fault } = useCardReport(card, LINES);
  if (fault !== null) return null;
  const rows = warningRows(result, card, muted);
  const overdue = rows.filter(({ isOverdue }) => isOverdue).length;
  const near = rows.length - overdue;
  const open = () => openTab(reportAddress(card.route, card.params));
  return (
    <div className="home-card warning-card">
      <span>{card.title}</span>
      <button type="button" className={overdue === 0 ? 'none' : 'overdue'} onClick={open}>
        <b>{result === undefined ? '…' : overdue}</b> 已逾期
      </button>
      <button type="button" className={near === 0 ? 'none' : 'near'} onClick={open}>
        <b>{result === undefined ? '…' : near}</b> 临近
      </button>
      {result?.total != null && (
        <small>{`${amountOf(result.total, card)} ${card.currency ?? ''}`.trim()}</small>
      )}
    </div>
  );
}

function Urgent({
  card,
  muted,
  today,
}: {
  readonly card: DashboardCard;
  readonly muted: Muted;
  readonly today: string;
}) {
  const openRecord = useOpenRecord();
  const { result } = useCardReport(card, LINES);
  const [asked, setAsked] = useState<WarningRow | null>(null);
  const rows = warningRows(result, card, muted).toSorted((a, b) => a.urgency - b.urgency);
  if (result === undefined || rows.length === 0) return null;
  return (
    <section className="home-list">
      <h2>{card.title}</h2>
      <ul>
        {rows.slice(0, MOST_URGENT).map((warning) => (
          <li key={warning.key}>
            <button
              type="button"
              className="cell-link"
              onClick={() => openRecord.byResource(warning.resource, warning.id)}
            >
              {warning.name}
            </button>
            <span>{warning.party}</span>
            <small className={warning.isOverdue ? 'overdue' : 'near'}>
              {warning.isOverdue
                ? `逾期 ${Math.abs(warning.days)} 天`
                : warning.days === 0
                  ? '今天'
                  : `剩 ${Math.abs(warning.days)} 天`}
            </small>
            {!warning.isOverdue && (
              <button type="button" className="cell-link" onClick={() => setAsked(warning)}>
                忽略
              </button>
            )}
          </li>
        ))}
      </ul>
      {asked !== null && (
        <MuteDialog
          warning={asked}
          report={card.report}
          today={today}
          onClose={() => setAsked(null)}
          onMuted={muted.reload}
        />
      )}
    </section>
  );
}

interface MuteProps {
  readonly warning: WarningRow;
  readonly report: number;
  readonly today: string;
  readonly onClose: () => void;
  readonly onMuted: () => void;
}

/** Puts a warning aside for seven days, with a reason. */
function MuteDialog({ warning, report, today, onClose, onMuted }: MuteProps) {
  const { message } = App.useApp();
  const [reason, setReason] = useState('');
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      await callApi('POST /data/:resource', {
        params: { resource: MUTE_RESOURCE },
        body: { report, record_id: warning.id, name: warning.name, reason, until: addDays(today, MUTE_DAYS) },
      });
      onMuted();
      onClose();
    } catch (error) {
      showFault(message, error, '没有保存');
    } finally {
      setSaving(false);
    }
  };
  return (
    <Modal
      open
      title={`忽略 ${warning.name}，${MUTE_DAYS} 天内不再提示`}
      okText="忽略"
      okButtonProps={{ disabled: reason.trim() === '', loading: isSaving }}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <Input.TextArea
        autoFocus
        aria-label="原因"
        placeholder="原因"
        maxLength={200}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </Modal>
  );
}

interface WarningRow {
  readonly key: string;
  readonly resource: string;
  readonly id: string;
  readonly name: string;
  readonly party: string;
  readonly days: number;
  readonly isOverdue: boolean;
  /** The smaller the more urgent. */
  readonly urgency: number;
}

/** The lines of a report as warnings, those that were put aside left out. */
function warningRows(
  result: ReportResult | undefined,
  card: DashboardCard,
  muted: Muted,
): readonly WarningRow[] {
  return (result?.rows ?? []).flatMap((row): readonly WarningRow[] => {
    const days = Number(row.cells[card.days ?? '']);
    if (!row.isLine || row.id === null || row.source === null || Number.isNaN(days)) return [];
    const urgency = card.overdue === 'positive' ? -days : days;
    const isOverdue = urgency < 0;
    if (!isOverdue && muted.has(card.report, row.id)) return [];
    const [name = '', party = ''] = wordsOf(result, row);
    return [
      {
        key: `${row.source} ${row.id}`,
        resource: row.source,
        id: row.id,
        name,
        party,
        days,
        isOverdue,
        urgency,
      },
    ];
  });
}

function wordsOf(result: ReportResult | undefined, row: ReportResultRow): readonly string[] {
  const columns = (result?.columns ?? []).filter(
    ({ isFigure, as, group }) => !isFigure && as === 'text' && group === undefined,
  );
  // What the reader may not see, or is not there, says nothing.
  return columns.flatMap((column) => {
    const text = cellText(row, column);
    return text.kind === 'text' && text.text !== '—' ? [text.text] : [];
  });
}
