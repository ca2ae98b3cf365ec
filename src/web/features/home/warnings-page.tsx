import { App, Input, Modal, Skeleton } from 'antd';
import { useState } from 'react';
import { addDays, companyToday } from '#engine/values/dates.ts';
import { addDecimals, compareDecimals } from '#engine/values/decimal.ts';
import { moneyIn } from '#engine/values/display.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { callApi } from '#web/data/http.ts';
import { faultText, showFault } from '#web/data/show-fault.ts';
import { useTab } from '#web/app/tab-context.ts';
import { reportAddress } from '#web/pages/report/report-address.ts';
import { cardsClass, cardsStyle } from './report-cards.tsx';
import { type DashboardCard, useCardReports, useDashboard } from './use-dashboard.ts';
import { MUTE_RESOURCE, useMuted } from './use-muted.ts';
import { type WarningRow, warningRows } from './warning-rows.ts';
import './home.css';

/** So many of the most urgent stand below the cards. */
const MOST_URGENT = 20;
const MUTE_DAYS = 7;

/** 预警: one card a report of due dates, red for overdue and orange for near ones, and the most urgent records of all. */
export function WarningsPage() {
  const today = companyToday(new Date());
  const dashboard = useDashboard('warnings');
  const muted = useMuted(today);
  const cards = dashboard?.cards ?? [];
  const answers = useCardReports(cards, LINES);
  const warnings = cards.map((card, index) => warningRows(answers[index]?.data, card, muted));
  return (
    <div className="home">
      <h1>
        预警<small>{today}</small>
      </h1>
      <div className={cardsClass(cards.length)} style={cardsStyle(cards.length)}>
        {cards.map((card, index) => (
          <WarningCard
            key={card.title}
            card={card}
            rows={answers[index]?.data === undefined ? null : (warnings[index] ?? [])}
            isCapped={answers[index]?.data?.isCapped === true}
            fault={answers[index]?.error ?? null}
          />
        ))}
      </div>
      {cards.length > 0 && answers.every(({ isPending }) => !isPending) && (
        <Urgent
          rows={warnings.flat()}
          isWhole={answers.every(({ error }) => error === null)}
          today={today}
          onMuted={muted.reload}
        />
      )}
      {dashboard === undefined && <Skeleton active paragraph={{ rows: 8 }} />}
      {dashboard !== undefined && cards.length === 0 && (
        <p className="home-empty">您的角色没有需要关注的预警</p>
      )}
    </div>
  );
}

/** As many as the report itself shows, so that both count the same. */
const LINES = 5_000;

interface WarningCardProps {
  readonly card: DashboardCard;
  /** Null while they are waited for. */
  readonly rows: readonly WarningRow[] | null;
  /** There are more, less urgent ones. */
  readonly isCapped: boolean;
  /** Why they did not come. */
  readonly fault: Error | null;
}

function WarningCard({ card, rows, isCapped, fault }: WarningCardProps) {
  const { openTab } = useTab();
  const severities = [
    { tone: 'overdue', title: '已逾期', params: card.late ?? card.params, isOverdue: true },
    { tone: 'near', title: '临近', params: card.params, isOverdue: false },
  ];
  return (
    <div className="home-card warning-card">
      <span>{card.title}</span>
      {severities.map(({ tone, title, params, isOverdue }) => {
        const own = rows?.filter((row) => row.isOverdue === isOverdue) ?? [];
        return (
          <button
            key={tone}
            type="button"
            className={own.length === 0 ? 'none' : tone}
            onClick={() => openTab(reportAddress(card.route, params))}
          >
            <b>{rows !== null ? `${own.length}${isCapped ? '+' : ''}` : fault === null ? '…' : '—'}</b>{' '}
            {title}
            {own.length > 0 && <small>{`${isCapped ? '其中已读到 ' : ''}${sumOf(own, card)}`}</small>}
          </button>
        );
      })}
      {rows === null && fault !== null && <small role="alert">{faultText(fault, '没有读到')}</small>}
    </div>
  );
}

/** What the records of a card come to, by currency where it has several. */
function sumOf(rows: readonly WarningRow[], card: DashboardCard): string {
  const sums = new Map<string, string>();
  for (const { amounts } of rows)
    for (const [currency, amount] of amounts)
      sums.set(currency, addDecimals(sums.get(currency) ?? '0', amount));
  return [...sums]
    .filter(([, sum]) => compareDecimals(sum, '0') !== 0)
    .map(([currency, sum]) => moneyIn(currency === '' ? (card.currency ?? '') : currency, sum))
    .join('，');
}

interface UrgentProps {
  readonly rows: readonly WarningRow[];
  /** Whether all reports have answered. */
  readonly isWhole: boolean;
  readonly today: string;
  readonly onMuted: () => void;
}

function Urgent({ rows, isWhole, today, onMuted }: UrgentProps) {
  const [asked, setAsked] = useState<WarningRow | null>(null);
  const first = rows.toSorted((a, b) => a.urgency - b.urgency).slice(0, MOST_URGENT);
  return (
    <section className="home-list">
      <h2>最紧急的{rows.length > first.length ? ` ${first.length} 项` : '事项'}</h2>
      {first.length === 0 && isWhole && <p className="home-empty">没有逾期或临近期限的事项</p>}
      {!isWhole && <p className="home-empty">有预警没有读到，下面不是全部</p>}
      <ul className="urgent">
        {first.map((warning) => (
          <li key={`${warning.report} ${warning.key}`}>
            <small>{warning.card}</small>
            <WarningName warning={warning} />
            <span>{warning.party}</span>
            <small className={warning.isOverdue ? 'overdue' : 'near'}>
              {warning.isOverdue
                ? `逾期 ${Math.abs(warning.days)} 天`
                : warning.days === 0
                  ? '今天'
                  : `剩 ${Math.abs(warning.days)} 天`}
            </small>
            {warning.isOverdue ? (
              <i />
            ) : (
              <button type="button" className="cell-link" onClick={() => setAsked(warning)}>
                忽略
              </button>
            )}
          </li>
        ))}
      </ul>
      {asked !== null && (
        <MuteDialog warning={asked} today={today} onClose={() => setAsked(null)} onMuted={onMuted} />
      )}
    </section>
  );
}

/** What has no page of its own here is only named. */
function WarningName({ warning: { name, record } }: { readonly warning: WarningRow }) {
  const { addressOfRecord, byResource } = useOpenRecord();
  if (record === null || addressOfRecord(record.resource, record.id) === null) return <span>{name}</span>;
  return (
    <button type="button" className="cell-link" onClick={() => byResource(record.resource, record.id)}>
      {name}
    </button>
  );
}

interface MuteProps {
  readonly warning: WarningRow;
  readonly today: string;
  readonly onClose: () => void;
  readonly onMuted: () => void;
}

/** Puts a warning aside for seven days, with a reason. */
function MuteDialog({ warning, today, onClose, onMuted }: MuteProps) {
  const { message } = App.useApp();
  const [reason, setReason] = useState('');
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      await callApi('POST /data/:resource', {
        params: { resource: MUTE_RESOURCE },
        body: {
          report: warning.report,
          record_id: warning.id,
          name: warning.name,
          reason,
          until: addDays(today, MUTE_DAYS),
        },
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
