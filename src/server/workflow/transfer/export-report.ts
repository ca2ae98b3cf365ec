import type { Caller, Services } from '#server/records/services.ts';
import { type AskedReport, MAX_LINES, runReport } from '#server/records/report/run-report.ts';
import type { ExportAnswer } from './export-list.ts';
import { queueReportExport } from './report-export-job.ts';
import { auditReportExport, reportFileName, reportSheet } from './report-sheet.ts';
import { workbookBytes } from './write-workbook.ts';

/** A report as a spreadsheet, or the job that writes it where it has more lines than a page. */
export async function exportReport(
  services: Services,
  caller: Caller,
  asked: Pick<AskedReport, 'report' | 'values' | 'signal'>,
): Promise<ExportAnswer> {
  const result = await runReport(services, caller, { ...asked, limit: MAX_LINES });
  if (result.isCapped) return { kind: 'job', jobId: await queueReportExport(services, caller, asked) };
  const bytes = await workbookBytes([reportSheet(result)]);
  await auditReportExport(services, services.db, { caller, result });
  return { kind: 'file', name: reportFileName(result, caller), bytes };
}
