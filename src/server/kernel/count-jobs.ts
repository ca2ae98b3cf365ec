import type { Queryable } from '#server/kernel/db/database.ts';

export interface JobCount {
  readonly task: string;
  /** `failed`: tried as often as it may be. */
  readonly state: 'ready' | 'scheduled' | 'running' | 'failed';
  readonly jobs: number;
  /** Of those that are ready: for how long the first has been. */
  readonly waitingS: number;
}

/** The jobs that are there, by task and state; none before a worker has made its tables. */
export async function countJobs(db: Queryable): Promise<readonly JobCount[]> {
  const [worker] = await db.query(
    `select to_regclass('graphile_worker.jobs') is not null as there`,
    [],
    'jobs_there',
  );
  if (worker?.['there'] !== true) return [];
  const rows = await db.query<{ task: string; state: JobCount['state']; jobs: number; waiting: number }>(
    COUNT,
    [],
    'jobs_count',
  );
  return rows.map(({ task, state, jobs, waiting }) => ({ task, state, jobs, waitingS: waiting }));
}

const COUNT = `
  select task_identifier as task, state, count(*)::int as jobs,
    (case when state = 'ready' then greatest(extract(epoch from now() - min(run_at)), 0) else 0 end)::float8 as waiting
  from (select task_identifier, run_at,
      case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
        when run_at > now() then 'scheduled' else 'ready' end as state
    from graphile_worker.jobs) j
  group by task_identifier, state`;
