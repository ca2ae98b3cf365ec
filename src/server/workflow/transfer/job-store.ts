import type { JobView } from '#contract/transfer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';
import { isRecordId } from '#server/records/read/read-stored.ts';
import type { Queryable, Row } from '#server/kernel/db/database.ts';
import { hasJob } from '#server/kernel/worker.ts';
import type { Caller, Services } from '#server/records/services.ts';

/** A job as it is kept. */
export interface JobRow {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
  readonly total: number | null;
  readonly input: unknown;
  readonly error: string | null;
  readonly fileKey: string | null;
  readonly fileName: string | null;
}

const MOST_WAITING = 3;
/** A running job tells of itself at every batch; one silent for this long died with its process. */
const SILENT_S = 180;
const CUT_OFF = '任务中断，请重新导出';

/** Registers a job of a person. @throws RATE_LIMITED when several are under way */
export async function addPersonJob(
  services: Pick<Services, 'clock'>,
  on: Queryable,
  job: { readonly caller: Caller; readonly kind: string; readonly title: string; readonly input: unknown },
): Promise<string> {
  const { subject } = job.caller;
  const id = uuidv7(services.clock());
  const added = await on.execute(
    `insert into sys_job (id, co_code, person_id, kind, title, status, input)
     select $1, $2, $3, $4, $5, 'waiting', $6::jsonb
     where (select count(*) from sys_job where person_id = $3 and status in ('waiting', 'running') and created_at > now() - interval '1 day') < ${MOST_WAITING}`,
    [id, subject.co_code, subject.id, job.kind, job.title, JSON.stringify(job.input)],
  );
  if (added === 0) throw new AppError('RATE_LIMITED', { message: '已有多个导出正在进行，请等待完成后再试' });
  return id;
}

/** The job of a person; another's is not found. */
export async function findJob(services: Pick<Services, 'db'>, caller: Caller, id: string): Promise<JobRow> {
  const rows = isRecordId(id)
    ? await services.db.query(
        `select *, status = 'running' and coalesce((result->>'beat')::timestamptz, started_at) < now() - make_interval(secs => ${SILENT_S}) as is_silent
         from sys_job where id = $1 and person_id = $2`,
        [id, caller.subject.id],
      )
    : [];
  const [row] = rows;
  if (row === undefined) throw new AppError('NOT_FOUND', { message: '任务不存在' });
  if (row['is_silent'] === true) {
    await endJob(services.db, id, { status: 'failed', error: CUT_OFF });
    return { ...jobRow(row), status: 'failed', error: CUT_OFF };
  }
  return jobRow(row);
}

/** A job for whoever works it off. */
export async function readJob(on: Queryable, id: string): Promise<JobRow | null> {
  const [row] = await on.query('select * from sys_job where id = $1', [id]);
  return row === undefined ? null : jobRow(row);
}

/** What the API tells of a job. */
export function jobView(job: JobRow): JobView {
  const isOpen = job.status === 'waiting' || job.status === 'running';
  const share = job.total === null || job.total === 0 ? 0 : Math.min(job.progress / job.total, 1);
  return {
    id: job.id,
    status: statusOf(job.status),
    progress: job.status === 'done' ? 1 : isOpen ? Math.min(share, 0.99) : share,
    message: messageOf(job),
  };
}

/** Takes a job up; false when it was cancelled meanwhile or is done. */
export async function startJob(on: Queryable, id: string): Promise<boolean> {
  const taken = await on.execute(
    `update sys_job set status = 'running', started_at = now(), progress = 0, result = jsonb_build_object('beat', now())
     where id = $1 and status in ('waiting', 'running')`,
    [id],
  );
  return taken > 0;
}

/** Tells how far a job is; false when it was cancelled. */
export async function tellProgress(
  on: Queryable,
  id: string,
  { done, total }: { readonly done: number; readonly total: number },
): Promise<boolean> {
  const told = await on.execute(
    `update sys_job set progress = $2, total = $3, result = jsonb_build_object('beat', now()) where id = $1 and status = 'running'`,
    [id, done, total],
  );
  return told > 0;
}

/** Ends a job that is under way; false when it has ended already. */
export async function endJob(
  on: Queryable,
  id: string,
  end:
    | { readonly status: 'done'; readonly fileKey: string; readonly fileName: string }
    | { readonly status: 'failed'; readonly error: string }
    | { readonly status: 'cancelled' },
): Promise<boolean> {
  const ended = await on.execute(
    `update sys_job set status = $2, finished_at = now(), file_key = $3, file_name = $4, error = $5
     where id = $1 and status in ('waiting', 'running')`,
    [
      id,
      end.status,
      'fileKey' in end ? end.fileKey : null,
      'fileName' in end ? end.fileName : null,
      'error' in end ? end.error : null,
    ],
  );
  return ended > 0;
}

/** Ends the jobs under way that nobody works on or will: what the worker had to do is no part of a restored backup. */
export async function failLostJobs(on: Queryable, tasks: readonly string[]): Promise<void> {
  const lost = tasks.map((task) => `not ${hasJob(task, 'o.id')}`).join(' and ');
  await on.execute(
    `update sys_job o set status = 'failed', finished_at = now(), error = $1
     where o.status in ('waiting', 'running') and ${lost}`,
    [CUT_OFF],
  );
}

function jobRow(row: Row): JobRow {
  const text = (name: string): string | null => {
    const value = row[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    id: String(row['id']),
    status: String(row['status']),
    progress: Number(row['progress'] ?? 0),
    total: row['total'] === null ? null : Number(row['total']),
    input: row['input'],
    error: text('error'),
    fileKey: text('file_key'),
    fileName: text('file_name'),
  };
}

function statusOf(status: string): JobView['status'] {
  return status === 'done' || status === 'failed' || status === 'cancelled' ? status : 'running';
}

function messageOf(job: JobRow): string {
  if (job.error !== null) return job.error;
  if (job.status === 'waiting') return '排队中';
  if (job.status === 'done') return '已完成';
  if (job.status === 'cancelled') return '已取消';
  return job.total === null ? '正在准备' : `已写入 ${job.progress} / ${job.total} 行`;
}
