import { Empty, Segmented, Skeleton } from 'antd';
import { useSearchParams } from 'react-router-dom';
import { useRead } from '#web/data/use-read.ts';
import { faultText } from '#web/data/show-fault.ts';
import { PageFault } from '#web/pages/page-fault.tsx';
import { ReportPage } from './report-page.tsx';

/** The reports that people of the company made: one beside the other, the chosen one in the URL. */
export function OwnReportsPage() {
  const [params, setParams] = useSearchParams();
  const { data, error, isLoading, reload } = useRead('GET /reports/own', {}, { key: ['own-reports'] });
  if (isLoading) return <Skeleton active className="page-skeleton" />;
  if (data === undefined)
    return <PageFault error={error} message={faultText(error, '报表没有取到')} onRetry={reload} />;
  const chosen = data.find(({ report }) => String(report) === params.get('report')) ?? data[0];
  if (chosen === undefined) return <Empty description="还没有自定义报表，可在“报表配置”中新增" />;
  return (
    <div className="own-reports">
      <Segmented
        value={chosen.report}
        options={data.map(({ report, title }) => ({ value: report, label: title }))}
        onChange={(report) => setParams({ report: String(report) })}
      />
      <ReportPage key={chosen.report} report={String(chosen.report)} />
    </div>
  );
}
