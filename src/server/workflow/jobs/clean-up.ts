import type { Services } from '#server/records/services.ts';
import { sweepBytes } from '#server/records/files/sweep-bytes.ts';
import { sweepFileRows } from '#server/records/files/sweep-rows.ts';
import type { Database } from '#server/kernel/db/database.ts';
import { emptyQuarantine } from '#server/kernel/migrations/quarantine.ts';
import type { JobTask } from '#server/kernel/worker.ts';

const TASK = 'clean_up';
const SWEEP_TASK = 'sweep_files';

/** What has served its time is removed every night. */
export function cleanUpTasks(services: Services, owner: Database): Readonly<Record<string, JobTask>> {
  return {
    [TASK]: async () => {
      await cleanUp(services);
      await leaveQuarantine(services, owner);
    },
    [SWEEP_TASK]: () => sweepFiles(services),
  };
}

/** In UTC: 03:40 and 04:20 in Shanghai. */
export const CLEAN_UP_SCHEDULE = [
  { task: TASK, pattern: '40 19 * * *' },
  { task: SWEEP_TASK, pattern: '20 20 * * *', isAlone: true },
] as const;

/** Bytes first: those of a row that goes tonight stay for a backup that is being made. */
export async function sweepFiles(services: Services): Promise<void> {
  await sweepBytes(services);
  await sweepFileRows(services);
}

/** Rows past their use, by table. Audit, logins and notices are never cleaned; old notices are archived. */
const OUTLIVED: readonly { readonly table: string; readonly where: string }[] = [
  // A browser tries a request again for minutes, not for days.
  { table: 'sys_idempotency', where: `at < $1::timestamptz - interval '7 days'` },
  { table: 'sys_ticket', where: `expires_at < $1::timestamptz - interval '30 days'` },
  // The daily limit of a number looks one day back.
  { table: 'sys_sms_code', where: `created_at < $1::timestamptz - interval '30 days'` },
  { table: 'sys_session', where: `last_seen_at < $1::timestamptz - interval '90 days'` },
  { table: 'sys_call', where: `at < $1::timestamptz - interval '2 days'` },
  { table: 'sys_invoice_query', where: `at < $1::timestamptz - interval '7 days'` },
  { table: 'sys_upload_link', where: `expires_at < $1::timestamptz - interval '90 days'` },
  // A link lives 90 days at most, and its row 90 more.
  { table: 'sys_upload', where: `at < $1::timestamptz - interval '180 days'` },
  // A task that still waits then is told of again.
  { table: 'sys_told', where: `at < $1::timestamptz - interval '365 days'` },
  { table: 'sys_import', where: `created_at < $1::timestamptz - interval '30 days'` },
];
const BATCH = 5_000;
const NOTICE_DAYS = 90;

/** Removes outlived rows and archives old notices in short statements; a table that fails keeps no other from being cleaned. */
export async function cleanUp({ db, clock, log }: Services): Promise<void> {
  const now = clock().toISOString();
  const guarded = async (table: string, text: string): Promise<void> => {
    try {
      let touched = BATCH;
      while (touched === BATCH) touched = await db.execute(text, [now]);
    } catch (error) {
      log.error({ err: error, table }, 'clean-up failed');
    }
  };
  for (const { table, where } of OUTLIVED)
    await guarded(
      table,
      `delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${BATCH}))`,
    );
  await guarded(
    'sys_notice',
    `update sys_notice set archived_at = $1::timestamptz where id = any(array(select id from sys_notice
       where archived_at is null and created_at < $1::timestamptz - interval '${NOTICE_DAYS} days' limit ${BATCH}))`,
  );
}

/** What migrations dropped goes for good after its days; only the owner of the tables may. */
async function leaveQuarantine({ clock, log }: Services, owner: Database): Promise<void> {
  try {
    const gone = await emptyQuarantine(owner, clock());
    if (gone.length > 0) log.info({ gone }, 'quarantine emptied');
  } catch (error) {
    log.error({ err: error }, 'quarantine cannot be emptied');
  }
}
