import { addDays, companyToday, daysBetween } from '#engine/values/dates.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { useCanList, useFigure, useRecords } from './use-figure.ts';
import './home.css';

/** A date that must not pass unseen. */
interface Warning {
  readonly title: string;
  readonly resource: string;
  readonly label: string;
  readonly date: string;
  readonly leadDays: number;
  readonly open: Filter;
}

/** Lead times as the system parameters default them (flows.md section 1). */
const WARNINGS: readonly Warning[] = [
  {
    title: '合同最迟装运期',
    resource: 'export_contract',
    label: 'contract_no',
    date: 'latest_shipment',
    leadDays: 14,
    open: { status: { in: ['approved', 'signed', 'executing'] } },
  },
  {
    title: '合作协议到期',
    resource: 'cooperation_agreement',
    label: 'agreement_no',
    date: 'end_date',
    leadDays: 30,
    open: { status: { in: ['effective', 'expiring'] } },
  },
  {
    title: '委托方营业执照到期',
    resource: 'partner',
    label: 'name',
    date: 'license_expiry',
    leadDays: 30,
    open: { status: { eq: 'active' } },
  },
  {
    title: '关联关系到期',
    resource: 'relation',
    label: 'relation_no',
    date: 'valid_to',
    leadDays: 30,
    open: { status: { eq: 'active' } },
  },
  {
    title: '信用证有效期',
    resource: 'letter_of_credit',
    label: 'lc_no',
    date: 'expiry_date',
    leadDays: 7,
    open: { status: { nin: ['draft', 'closed', 'cancelled', 'paid'] } },
  },
  {
    title: '退税申报截止',
    resource: 'tax_refund',
    label: 'refund_no',
    date: 'deadline',
    leadDays: 60,
    open: { status: { in: ['collecting', 'ready'] } },
  },
  {
    title: '退税最迟申报',
    resource: 'tax_refund',
    label: 'refund_no',
    date: 'final_deadline',
    leadDays: 60,
    open: { status: { in: ['collecting', 'ready', 'rejected', 'clawback'] } },
  },
  {
    title: '单证备案截止',
    resource: 'document_filing',
    label: 'filing_no',
    date: 'due_date',
    leadDays: 15,
    open: { status: { in: ['pending', 'incomplete', 'overdue'] } },
  },
  {
    title: '函调预计复函',
    resource: 'refund_letter',
    label: 'letter_no',
    date: 'due_date',
    leadDays: 15,
    open: { status: { eq: 'open' } },
  },
  {
    title: '代理证明开具截止',
    resource: 'agent_invoice_application',
    label: 'app_no',
    date: 'cert_due',
    leadDays: 60,
    open: { kind: { eq: 'export_cert' }, status: { in: ['draft', 'pending', 'rejected'] } },
  },
];

/** 预警: one card for each kind of due date, red for overdue and orange for near ones, and the most urgent records. */
export function WarningsPage() {
  const canList = useCanList();
  const today = companyToday(new Date());
  const shown = WARNINGS.filter((warning) => canList(warning.resource));
  return (
    <div className="home">
      <h1>
        预警<small>{today}</small>
      </h1>
      <div className="home-cards">
        {shown.map((warning) => (
          <WarningCard key={warning.title} warning={warning} today={today} />
        ))}
      </div>
      <div className="home-columns">
        {shown.map((warning) => (
          <Urgent key={warning.title} warning={warning} today={today} />
        ))}
      </div>
      {shown.length === 0 && <p className="home-empty">您的角色没有需要关注的预警</p>}
    </div>
  );
}

function overdueFilter(warning: Warning, today: string): Filter {
  return { ...warning.open, [warning.date]: { lt: today } };
}

function nearFilter(warning: Warning, today: string): Filter {
  return { ...warning.open, [warning.date]: { between: [today, addDays(today, warning.leadDays)] } };
}

function WarningCard({ warning, today }: { readonly warning: Warning; readonly today: string }) {
  const openRecord = useOpenRecord();
  const overdue = useFigure({ resource: warning.resource, filter: overdueFilter(warning, today) }, true);
  const near = useFigure({ resource: warning.resource, filter: nearFilter(warning, today) }, true);
  if (overdue.error !== null || near.error !== null) return null;
  return (
    <div className="home-card warning-card">
      <span>{warning.title}</span>
      <button
        type="button"
        className={overdue.data?.count === 0 ? 'none' : 'overdue'}
        onClick={() => openRecord.list(warning.resource, overdueFilter(warning, today))}
      >
        <b>{overdue.data?.count ?? '…'}</b> 已过期
      </button>
      <button
        type="button"
        className={near.data?.count === 0 ? 'none' : 'near'}
        onClick={() => openRecord.list(warning.resource, nearFilter(warning, today))}
      >
        <b>{near.data?.count ?? '…'}</b> {warning.leadDays} 天内
      </button>
    </div>
  );
}

function Urgent({ warning, today }: { readonly warning: Warning; readonly today: string }) {
  const openRecord = useOpenRecord();
  const { data } = useRecords(
    {
      resource: warning.resource,
      filter: { ...warning.open, [warning.date]: { lte: addDays(today, warning.leadDays) } },
      sorters: [warning.date],
      size: 6,
    },
    true,
  );
  if (data === undefined || data.length === 0) return null;
  return (
    <section className="home-list">
      <h2>{warning.title}</h2>
      <ul>
        {data.map((record) => {
          const date = String(record[warning.date]);
          const days = daysBetween(today, date);
          return (
            <li key={String(record['id'])}>
              <button
                type="button"
                className="cell-link"
                onClick={() => openRecord.byResource(warning.resource, String(record['id']))}
              >
                {String(record[warning.label] ?? '')}
              </button>
              <span>{date}</span>
              <small className={days < 0 ? 'overdue' : 'near'}>
                {days < 0 ? `逾期 ${-days} 天` : days === 0 ? '今天' : `剩 ${days} 天`}
              </small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
