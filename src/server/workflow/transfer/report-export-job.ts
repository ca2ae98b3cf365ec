import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ParamValues } from '#engine/report/report-params.ts';
import type { Subject } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addJob } from '#server/kernel/worker.ts';
import { servedReport } from '#server/records/report/report-params.ts';
import { exportRefusal, openSources } from '#server/records/report/report-sources.ts';
import { type AskedReport, runReport } from '#server/records/report/run-report.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { requireSameStanding, type SubjectNow } from './export-standing.ts';
import { addPersonJob, endJob, type JobRow, readJob, startJob, tellProgress } from './job-store.ts';
import { auditReportExport, MAX_EXPORTED, reportFileName, reportSheet, rowsOf } from './report-sheet.ts';
import { writeWorkbook, XLSX_TYPE } from './write-workbook.ts';

/** The worker's name for files of reports. */
export const REPORT_EXPORT_TASK = 'export_report';
/** So often a job that reckons asks whether it is still wanted. */
const ASK_MS = 2_000;

/** What the worker does for reports that are too long to be waited for. */
export function reportExportTasks(
  services: Services,
  subjectNow: SubjectNow,
): Readonly<Record<string, (payload: unknown) => Promise<void>>> {
  return { [REPORT_EXPORT_TASK]: (payload) => runQueued(services, subjectNow, payload) };
}

interface ReportExport {
  readonly report: string;
  readonly values: ParamValues;
  readonly subject: Subject;
  readonly address: string;
}

/** Queues the file of a report; gives the job's id. */
export function queueReportExport(
  services: Services,
  caller: Caller,
  { report, values }: Pick<AskedReport, 'report' | 'values'>,
): Promise<string> {
  const { subject, address } = caller;
  const input: ReportExport = { report: String(report.report), values, subject, address };
  return services.db.transaction(async (tx) => {
    const id = await addPersonJob(services, tx, {
      caller,
      kind: 'export',
      title: `导出${report.title}`,
      input,
    });
    await addJob(tx, REPORT_EXPORT_TASK, { id }, { maxAttempts: 2 });
    return id;
  });
}

/** True for what `queueReportExport` wrote. */
export function isReportExport(input: unknown): input is ReportExport {
  return typeof input === 'object' && input !== null && 'report' in input;
}

/** The report, for whoever may still open it and take its sources out. @throws AppError FORBIDDEN */
export function openReportExport(
  services: Services,
  caller: Caller,
  { report: id }: Pick<ReportExport, 'report'>,
): AskedReport['report'] {
  const report = servedReport(services, caller, id);
  if (exportRefusal(report, openSources(services, caller, report)) !== null) throw new AppError('FORBIDDEN');
  return report;
}

/** Rights are looked at again: they may have changed while it waited. */
async function runQueued(services: Services, subjectNow: SubjectNow, payload: unknown): Promise<void> {
  const id: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'id') : null;
  const job = typeof id === 'string' ? await readJob(services.db, id) : null;
  if (job === null || !isReportExport(job.input) || !(await startJob(services.db, job.id))) return;
  const given = new AbortController();
  const watch = setInterval(() => void stopUnwanted(services, job, given), ASK_MS);
  try {
    const subject = requireSameStanding(job.input.subject, await subjectNow(job.input.subject));
    await writeReport(services, { ...job, input: { ...job.input, subject } }, given.signal);
  } catch (error) {
    if (given.signal.aborted) return;
    services.log.error({ err: error, job: job.id }, 'report export failed');
    const message = error instanceof AppError && error.status < 500 ? error.message : '导出失败，请稍后重试';
    await endJob(services.db, job.id, { status: 'failed', error: message });
  } finally {
    clearInterval(watch);
  }
}

/** The statement of a job that was cancelled is stopped. */
async function stopUnwanted(services: Services, { id }: JobRow, given: AbortController): Promise<void> {
  const job = await readJob(services.db, id).catch(() => null);
  if (job !== null && job.status !== 'running') given.abort();
}

async function writeReport(
  services: Services,
  job: JobRow & { readonly input: ReportExport },
  signal: AbortSignal,
): Promise<void> {
  const { subject, address, values } = job.input;
  const context = services.definitions.contextFor(subject, services.clock());
  const caller: Caller = { subject, sessionId: '', requestId: job.id, address, context };
  const report = openReportExport(services, caller, job.input);
  const result = await runReport(services, caller, { report, values, limit: MAX_EXPORTED, signal });
  const total = rowsOf(result).length;
  const tell = async (done: number): Promise<void> => {
    await tellProgress(services.db, job.id, { done, total });
    signal.throwIfAborted();
  };
  await tell(0);
  const folder = await mkdtemp(join(tmpdir(), 'erp-report-'));
  try {
    const path = join(folder, 'report.xlsx');
    await pipeline(writeWorkbook([reportSheet(result, tell)]), createWriteStream(path, { mode: 0o600 }));
    const fileKey = `exports/${job.id}.xlsx`;
    await services.files.storage.keep(fileKey, path, XLSX_TYPE);
    const isKept = await services.db.transaction(async (tx) => {
      const fileName = reportFileName(result, caller);
      const isDone = await endJob(tx, job.id, { status: 'done', fileKey, fileName });
      if (isDone) await auditReportExport(services, tx, { caller, result });
      return isDone;
    });
    if (!isKept) await services.files.storage.remove(fileKey);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
