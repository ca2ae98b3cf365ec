import { Alert, Skeleton } from 'antd';
import type { PersonPreview } from '#contract/person-preview.ts';
import { useRead } from '#web/data/use-read.ts';
import { ReportTable } from '#web/pages/report/report-table.tsx';
import { faultText } from '#web/data/show-fault.ts';
import '#web/pages/report/report.css';

export interface SeenReportProps {
  readonly person: string;
  readonly role: string;
  readonly report: PersonPreview['reports'][number];
}

/** A report with its own parameters as the employee has it: the rows that he may see, and none of what is behind them. */
export function SeenReport({ person, role, report }: SeenReportProps) {
  const { data, error } = useRead(
    'GET /person-preview/:id/reports/run/:reportId',
    { params: { id: person, reportId: report.report }, query: { role } },
    { key: ['person-preview-report', person, role, report.report] },
  );
  return (
    <section className="person-preview-list" aria-label={report.title}>
      <h2>{report.title}</h2>
      {error !== null && <Alert type="error" showIcon message={faultText(error, '报表没有读到')} />}
      {data === undefined && error === null && <Skeleton active />}
      {data !== undefined && (
        <ReportTable result={data} onOpen={() => undefined} onOpenRecord={() => undefined} />
      )}
    </section>
  );
}
