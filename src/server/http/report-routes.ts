import type { AppServices } from '#server/auth/app-services.ts';
import { dashboardOf, ownReports } from '#server/records/report/dashboard.ts';
import { drillReport } from '#server/records/report/drill-report.ts';
import { paramAnswers, paramsOf, servedReport } from '#server/records/report/report-params.ts';
import { exportRefusal, openSources } from '#server/records/report/report-sources.ts';
import { MAX_LINES, runReport } from '#server/records/report/run-report.ts';
import { exportReport } from '#server/workflow/transfer/export-report.ts';
import { openReportExport } from '#server/workflow/transfer/report-export-job.ts';
import { XLSX_TYPE } from '#server/workflow/transfer/write-workbook.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { serve } from './serve.ts';
import { whileWaitedFor } from './while-waited-for.ts';

/** Reports by their numbers; no report is named here. */
export function registerReportRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /dashboard/:name', async (request) =>
    answer(dashboardOf(services, callerOf(request), request.params.name)),
  );
  serve(app, 'GET /reports/own', async (request) => answer([...ownReports(services, callerOf(request))]));
  serve(app, 'GET /report/:reportId', async (request) => {
    const caller = callerOf(request);
    const report = servedReport(services, caller, request.params.reportId);
    return answer({
      report: report.report,
      title: report.title,
      params: await paramAnswers(services, caller, report),
      exportRefusal: exportRefusal(report, openSources(services, caller, report)),
    });
  });
  serve(app, 'POST /report/:reportId/run', async (request, reply) => {
    const caller = callerOf(request);
    const report = servedReport(services, caller, request.params.reportId);
    const { params, pageSize = MAX_LINES } = request.body;
    const values = paramsOf(report, params, caller);
    return answer(
      await runReport(services, caller, { report, values, limit: pageSize, signal: whileWaitedFor(reply) }),
    );
  });
  serve(app, 'POST /report/:reportId/drill', async (request, reply) => {
    const caller = callerOf(request);
    const report = servedReport(services, caller, request.params.reportId);
    const values = paramsOf(report, request.body.params, caller);
    const asked = { report, values, limit: 0, signal: whileWaitedFor(reply), drill: request.body };
    return answer(await drillReport(services, caller, asked));
  });
  serve(app, 'POST /report/:reportId/export', async (request, reply) => {
    const caller = callerOf(request);
    const report = openReportExport(services, caller, { report: request.params.reportId });
    const values = paramsOf(report, request.body.params, caller);
    const made = await exportReport(services, caller, { report, values, signal: whileWaitedFor(reply) });
    if (made.kind === 'job') return answer({ jobId: made.jobId });
    const { name, bytes } = made;
    return reply
      .type(XLSX_TYPE)
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store')
      .send(bytes);
  });
}
