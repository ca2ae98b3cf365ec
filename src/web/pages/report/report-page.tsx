import { Alert, Button, Empty, Skeleton, Spin, Tooltip } from 'antd';
import { useEffect, useState } from 'react';
import type { ReportAnswer, ReportResult } from '#contract/reports.ts';
import { companyTime } from '#engine/values/dates.ts';
import { callForFile } from '#web/data/http.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { useRead } from '#web/data/use-read.ts';
import { currentSite } from '#web/data/site.ts';
import { ExportProgress } from '#web/pages/list/export-progress.tsx';
import { PageFault } from '#web/pages/page-fault.tsx';
import { useExport } from '#web/pages/list/use-export.ts';
import { faultText } from '#web/data/show-fault.ts';
import { type ChosenParams, useReportAddress } from './report-address.ts';
import { ReportCharts } from './report-chart.tsx';
import { asFilter, ReportDrill } from './report-drill.tsx';
import { ReportSubscribe } from './report-subscribe.tsx';
import { ReportParamsBar } from './report-params-bar.tsx';
import { type ClickedCell, ReportTable } from './report-table.tsx';
import { type ReportRun, useReportRun } from './use-report-run.ts';
import './report.css';

/** The generic report page: parameters, chart and table of any report. */
export function ReportPage({ report }: { readonly report: string }) {
  const { data, error, isLoading, reload } = useRead(
    'GET /report/:reportId',
    { params: { reportId: report } },
    { key: ['report', report] },
  );
  if (isLoading) return <Skeleton active paragraph={{ rows: 10 }} className="page-skeleton" />;
  if (data === undefined)
    return <PageFault error={error} message={faultText(error, '报表没有打开')} onRetry={reload} />;
  return <OpenReport definition={data} />;
}

function OpenReport({ definition }: { readonly definition: ReportAnswer }) {
  const [params, setParams] = useReportAddress();
  const [cell, setCell] = useState<ClickedCell | null>(null);
  const missing = definition.params.find(
    ({ name, required, value }) => required && isEmpty(name in params ? params[name] : value),
  );
  const run = useReportRun(String(definition.report), params, missing === undefined);
  const openRecord = useOpenRecord();
  const { result } = run;
  return (
    <div className="report-page">
      <header className="report-head">
        <h1>{definition.title}</h1>
        <Tools definition={definition} params={params} run={run} />
      </header>
      <ReportParamsBar
        params={definition.params}
        value={params}
        onRun={(next) => (JSON.stringify(next) === JSON.stringify(params) ? run.run() : setParams(next))}
      />
      {missing !== undefined && <p className="report-note">请先填写“{missing.title}”</p>}
      <RunState run={run} />
      {result !== null && (
        <article className={run.isRunning ? 'report-sheet is-stale' : 'report-sheet'}>
          <SheetHead result={result} />
          <Notes result={result} refusal={definition.exportRefusal} />
          {result.rows.length === 0 ? (
            <Empty
              image={Empty.PRESENTED_IMAGE_SIMPLE}
              description="这些条件下没有数据，可放宽期间或去掉条件"
            />
          ) : (
            <>
              {result.chart !== null && (
                <ReportCharts result={result} chart={result.chart} onOpen={setCell} />
              )}
              <ReportTable result={result} onOpen={setCell} onOpenRecord={openRecord.byResource} />
            </>
          )}
          <ReportDrill
            result={result}
            params={params}
            cell={cell}
            onClose={() => setCell(null)}
            onOpenRecord={openRecord.byResource}
            onOpenList={(resource, filter) => openRecord.list(resource, asFilter(filter))}
          />
        </article>
      )}
    </div>
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function Tools({
  definition,
  params,
  run,
}: {
  readonly definition: ReportAnswer;
  readonly params: ChosenParams;
  readonly run: ReportRun;
}) {
  const file = useExport(definition.title, () =>
    callForFile('POST /report/:reportId/export', {
      params: { reportId: String(definition.report) },
      body: { params },
      timeoutMs: 120_000,
    }),
  );
  const isThere = run.result !== null && run.result.rows.length > 0;
  return (
    <span className="report-tools">
      <Tooltip title={definition.exportRefusal}>
        <span>
          <ExportProgress run={file} isDisabled={!isThere || definition.exportRefusal !== null} />
        </span>
      </Tooltip>
      <ReportSubscribe definition={definition} params={params} />
      <Button disabled={!isThere} onClick={() => window.print()}>
        打印
      </Button>
    </span>
  );
}

/** What the sheet says on paper; on the screen the page says it. */
function SheetHead({ result }: { readonly result: ReportResult }) {
  return (
    <header className="report-paper-head">
      <p>{currentSite().coName}</p>
      <h1>{result.title}</h1>
      <p>{result.params.map(({ title, text }) => `${title}：${text}`).join('　')}</p>
    </header>
  );
}

/** Who may not export is not sent there. */
function cappedNote(isClosed: boolean): string {
  const what = '行数过多，仅列出前面的行；小计与合计为全部数据';
  return isClosed ? `${what}，请缩小条件` : `${what}，完整内容请导出`;
}

function Notes({ result, refusal }: { readonly result: ReportResult; readonly refusal: string | null }) {
  const notes = [
    ...(result.isCapped ? [cappedNote(refusal !== null)] : []),
    ...(result.hidden.length > 0 ? [`您无权查看：${result.hidden.join('、')}`] : []),
  ];
  return (
    <>
      <p className="report-note">{[...notes, `${companyTime(result.at)} 计算`].join('；')}</p>
      {refusal !== null && <p className="report-note report-refusal">{refusal}</p>}
    </>
  );
}

/** Slow and failed are each told as such. */
function RunState({ run }: { readonly run: ReportRun }) {
  const seconds = useSeconds(run.isRunning, run.since);
  if (run.isRunning)
    return (
      <p className="report-running" role="status">
        <Spin size="small" /> 正在计算{seconds >= 2 ? `，已用 ${seconds} 秒` : '…'}
        {seconds >= 1 && (
          <Button type="link" size="small" onClick={run.cancel}>
            取消
          </Button>
        )}
      </p>
    );
  if (run.fault !== null)
    return (
      <Alert
        type="error"
        showIcon
        message={run.fault}
        action={
          <Button size="small" onClick={run.run}>
            重试
          </Button>
        }
      />
    );
  if (run.isCancelled)
    return (
      <Alert
        type="info"
        showIcon
        message="已取消计算"
        action={
          <Button size="small" onClick={run.run}>
            重新计算
          </Button>
        }
      />
    );
  return null;
}

function useSeconds(isRunning: boolean, since: number): number {
  const [now, setNow] = useState(since);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [isRunning, since]);
  return Math.max(0, Math.floor((now - since) / 1000));
}
