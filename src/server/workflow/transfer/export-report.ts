import type { Caller, Services } from '#server/records/services.ts';
import { askedTrend } from '#server/records/report/asked-trend.ts';
import { exportRefusal, openSources } from '#server/records/report/report-sources.ts';
import { type AskedReport, MAX_LINES, runReport } from '#server/records/report/run-report.ts';
import type { ExportAnswer } from './export-list.ts';
import { queueReportExport } from './report-export-job.ts';
import { auditReportExport, reportFileName, reportSheet } from './report-sheet.ts';
import { workbookBytes } from './write-workbook.ts';

/**
 * A report as a spreadsheet, the report whose chart stands below it on a sheet of its own; or the job that writes it
 * where it has more lines than a page.
 */
export async function exportReport(
  services: Services,
  caller: Caller,
  asked: Pick<AskedReport, 'report' | 'values' | 'signal'>,
): Promise<ExportAnswer> {
  const result = await runReport(services, caller, { ...asked, limit: MAX_LINES });
  if (result.isCapped) return { kind: 'job', jobId: await queueReportExport(services, caller, asked) };
  const trend = askedTrend(services, caller, asked);
  const sheets =
    trend === null || !mayExport(services, caller, trend.report)
      ? []
      : [
          reportSheet(
            await runReport(services, caller, { ...trend, signal: asked.signal, limit: MAX_LINES }),
          ),
        ];
  const bytes = await workbookBytes([reportSheet(result), ...sheets]);
  await auditReportExport(services, services.db, { caller, result });
  return { kind: 'file', name: reportFileName(result, caller), bytes };
}

function mayExport(services: Services, caller: Caller, report: AskedReport['report']): boolean {
  return exportRefusal(report, openSources(services, caller, report)) === null;
}
