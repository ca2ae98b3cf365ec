import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Subject } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addJob } from '#server/kernel/worker.ts';
import { standBehindWall } from '#server/records/call/behind-wall.ts';
import { type Call, openCall } from '#server/records/call/open-call.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { auditExport } from './audit-transfer.ts';
import { type ExportColumn, exportColumns } from './export-columns.ts';
import { countRows, type ExportRequest, exportRows } from './export-rows.ts';
import { requireSameStanding, type SubjectNow } from './export-standing.ts';
import {
  addPersonJob,
  endJob,
  failLostJobs,
  findJob,
  jobView,
  readJob,
  startJob,
  tellProgress,
} from './job-store.ts';
import {
  isReportExport,
  openReportExport,
  REPORT_EXPORT_TASK,
  reportExportTasks,
} from './report-export-job.ts';
import { type CellValue, MAX_SHEET_ROWS, type Sheet, type SheetColumn } from './sheet-cell.ts';
import { aboveList, totalRows } from './list-sheet.ts';
import { writeWorkbook, XLSX_TYPE } from './write-workbook.ts';

/** The worker's name for exports. */
export const EXPORT_TASK = 'export_list';
const CLEAN_TASK = 'clean_exports';
const LOST_TASK = 'fail_lost_exports';
const KEPT_DAYS = 7;
const PROGRESS_ROWS = 2_000;

/** What the worker does for exports. */
export function exportTasks(
  services: Services,
  subjectNow: SubjectNow,
): Readonly<Record<string, (payload: unknown) => Promise<void>>> {
  return {
    [EXPORT_TASK]: (payload) => runExport(services, subjectNow, payload),
    ...reportExportTasks(services, subjectNow),
    [CLEAN_TASK]: () => cleanExports(services),
    [LOST_TASK]: () => failLostExports(services),
  };
}

/** Files of exports are removed after a week, at 03:30 in Shanghai; every five minutes what was lost is looked for. */
export const EXPORT_SCHEDULE = [
  { task: CLEAN_TASK, pattern: '30 19 * * *' },
  { task: LOST_TASK, pattern: '*/5 * * * *', isMadeUpFor: false, isAlone: true },
] as const;

/** Exports whose job is gone fail, so that their person asks anew. */
export function failLostExports({ db }: Pick<Services, 'db'>): Promise<void> {
  return failLostJobs(db, [EXPORT_TASK, REPORT_EXPORT_TASK]);
}

interface ExportInput {
  readonly resource: string;
  readonly subject: Subject;
  readonly address: string;
  readonly request: ExportRequest;
}

/** Queues a large export; gives the job's id. */
export function queueExport(call: Call, request: ExportRequest): Promise<string> {
  const { services, caller, resource } = call;
  const input: ExportInput = {
    resource: resource.resource,
    subject: caller.subject,
    address: caller.address,
    request,
  };
  return services.db.transaction(async (tx) => {
    const id = await addPersonJob(services, tx, {
      caller,
      kind: 'export',
      title: `导出${resource.title}`,
      input,
    });
    await addJob(tx, EXPORT_TASK, { id }, { maxAttempts: 2 });
    return id;
  });
}

/** Stops an export; nothing happens to one that has ended. */
export async function cancelExport(services: Services, caller: Caller, id: string): Promise<void> {
  const job = await findJob(services, caller, id);
  await endJob(services.db, job.id, { status: 'cancelled' });
}

/** The file of a finished export, for its person in the role that asked for it, while that role may still export. */
export async function exportFile(
  services: Services,
  caller: Caller,
  id: string,
): Promise<{ readonly name: string; readonly stream: Readable }> {
  const job = await findJob(services, caller, id);
  requireSameStanding(inputOf(job.input).subject, caller.subject);
  if (isReportExport(job.input)) openReportExport(services, caller, job.input);
  else openCall(services, caller, inputOf(job.input).resource, 'export');
  if (job.status !== 'done') throw new AppError('JOB_NOT_READY', { message: jobView(job).message });
  const stream = job.fileKey === null ? null : await services.files.storage.read(job.fileKey);
  if (stream === null) throw new AppError('NOT_FOUND', { message: '文件已过期，请重新导出' });
  return { name: job.fileName ?? '导出.xlsx', stream };
}

/** Writes the file of a queued export. Rights are looked at again: they may have changed while it waited. */
async function runExport(services: Services, subjectNow: SubjectNow, payload: unknown): Promise<void> {
  const id = idOf(payload);
  const job = id === null ? null : await readJob(services.db, id);
  if (job === null || !(await startJob(services.db, job.id))) return;
  const folder = await mkdtemp(join(tmpdir(), 'erp-export-'));
  try {
    const input = inputOf(job.input);
    const subject = requireSameStanding(input.subject, await subjectNow(input.subject));
    const call = openExport(services, { ...input, subject }, job.id);
    const path = join(folder, 'export.xlsx');
    const { request } = input;
    const columns = exportColumns(call, request.columns);
    const rows = await writeExport(call, { id: job.id, path, request, columns });
    const fileKey = `exports/${job.id}.xlsx`;
    await services.files.storage.keep(fileKey, path, XLSX_TYPE);
    const fileName = `${call.resource.title}-${call.caller.context.today}.xlsx`;
    const isKept = await services.db.transaction(async (tx) => {
      const isDone = await endJob(tx, job.id, { status: 'done', fileKey, fileName });
      if (isDone) await auditExport(tx, call, { request, columns, rows });
      return isDone;
    });
    if (!isKept) await services.files.storage.remove(fileKey);
  } catch (error) {
    if (error instanceof ExportCancelled) return;
    services.log.error({ err: error, job: job.id }, 'export failed');
    const message = error instanceof AppError && error.status < 500 ? error.message : '导出失败，请稍后重试';
    await endJob(services.db, job.id, { status: 'failed', error: message });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the file; gives the number of its rows. */
async function writeExport(
  call: Call,
  job: {
    readonly id: string;
    readonly path: string;
    readonly request: ExportRequest;
    readonly columns: readonly ExportColumn[];
  },
): Promise<number> {
  const { db, reader } = call.services;
  const { request, columns } = job;
  return reader.transaction(
    async (tx) => {
      await standBehindWall(tx, call);
      const total = await countRows(tx, call, { request, most: null });
      const report = async (done: number): Promise<void> => {
        if (!(await tellProgress(db, job.id, { done, total }))) throw new ExportCancelled();
      };
      await report(0);
      const above = aboveList(call, request);
      const below = await totalRows(tx, call, { request, columns });
      const rows = reported(exportRows(tx, call, { request, columns }), report);
      await pipeline(
        writeWorkbook(sheetsOf({ name: call.resource.title, columns, rows, total, above, below })),
        createWriteStream(job.path, { mode: 0o600 }),
      );
      return total;
    },
    // What was written to the file cannot be undone: no second try inside.
    { isolation: 'repeatable read', readOnly: true, attempts: 1 },
  );
}

/** One sheet, or as many as the rows need. */
function sheetsOf(given: {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: AsyncGenerator<readonly CellValue[]>;
  readonly total: number;
  readonly above: NonNullable<Sheet['above']>;
  readonly below: NonNullable<Sheet['below']>;
}): readonly Sheet[] {
  const { name, columns, rows, total, above, below } = given;
  const perSheet = MAX_SHEET_ROWS - 1 - above.length - below.length;
  const count = Math.max(1, Math.ceil(total / perSheet));
  return Array.from({ length: count }, (_sheet, index) => ({
    name: index === 0 ? name : `${name}${index + 1}`,
    columns,
    above,
    rows: take(rows, perSheet),
    below: index === count - 1 ? below : [],
  }));
}

async function* take<T>(rows: AsyncGenerator<T>, most: number): AsyncGenerator<T> {
  for (let count = 0; count < most; count += 1) {
    const next = await rows.next();
    if (next.done === true) return;
    yield next.value;
  }
}

async function* reported<T>(
  rows: AsyncGenerator<T>,
  report: (done: number) => Promise<void>,
): AsyncGenerator<T> {
  let done = 0;
  for await (const row of rows) {
    yield row;
    done += 1;
    if (done % PROGRESS_ROWS === 0) await report(done);
  }
}

function openExport(services: Services, { subject, address, resource }: ExportInput, id: string): Call {
  const context = services.definitions.contextFor(subject, services.clock());
  return openCall(services, { subject, sessionId: '', requestId: id, address, context }, resource, 'export');
}

/** The row was written by `queueExport`: its shape is known. */
function inputOf(input: unknown): ExportInput {
  return input as ExportInput;
}

function idOf(payload: unknown): string | null {
  const id: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'id') : null;
  return typeof id === 'string' ? id : null;
}

async function cleanExports(services: Services): Promise<void> {
  const old = await services.db.query(
    `update sys_job set file_key = null where file_key is not null and kind = 'export' and finished_at < $1::timestamptz - make_interval(days => ${KEPT_DAYS})
     returning id`,
    [services.clock().toISOString()],
  );
  for (const { id } of old) await services.files.storage.remove(`exports/${String(id)}.xlsx`);
}

class ExportCancelled extends Error {}
