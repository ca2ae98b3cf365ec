import type { Subject } from '#engine/schema/resource.ts';
import { hasJob, type JobTask } from '#server/kernel/worker.ts';
import type { Row } from '#server/kernel/db/database.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import type { Services } from '#server/records/services.ts';
import { writeAudit } from '#server/records/write/write-audit.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { type Letter, type MailResult, sendLetter } from './mail-transport.ts';
import { MAIL_TASK, queueMailJob } from './record-mails.ts';

/** What the worker does for mails. */
export function mailTasks(services: Services): Readonly<Record<string, JobTask>> {
  return {
    [MAIL_TASK]: (payload) => sendMail(services, idOf(payload)),
    [LOST_TASK]: () => failLostMails(services),
  };
}

const LOST_TASK = 'fail_lost_mails';

/** Every five minutes. */
export const MAIL_SCHEDULE = [
  { task: LOST_TASK, pattern: '*/5 * * * *', isMadeUpFor: false, isAlone: true },
] as const;

const CUT_OFF = '发送时中断，可能已经发出：请先与收件人核对，再决定是否重发';

/**
 * Mails that nobody will send: their job was not in the backup that was restored, or was cut off at its last try. They
 * fail, so that a person decides; none is sent by this, since it may have left before.
 */
export async function failLostMails(services: Services): Promise<void> {
  await services.db.transaction(async (tx) => {
    const rows = await tx.query(
      `select * from sys_mail m where m.status in ('waiting', 'sending') and not ${hasJob(MAIL_TASK, 'm.id')}
       order by m.created_at for update`,
    );
    for (const row of rows) await failMail(services, tx, { row, reason: CUT_OFF });
  });
}

/** Sends a mail that waits. One that was being sent when its process died may have left: it is not sent twice by itself. */
async function sendMail(services: Services, id: string): Promise<void> {
  const [row] = await services.db.query(
    `update sys_mail set status = 'sending', attempts = attempts + 1 where id = $1 and status = 'waiting' returning *`,
    [id],
  );
  if (row === undefined) return failCutOff(services, id);
  const letter = await letterOf(services, row);
  const result: MailResult =
    letter === null
      ? { isTaken: false, isFinal: true, reason: '附件已不存在' }
      : await sendLetter(services.config, letter);
  await services.db.transaction((tx) => keepResult(services, tx, { row, result }));
}

async function failCutOff(services: Services, id: string): Promise<void> {
  await services.db.transaction(async (tx) => {
    const [row] = await tx.query(`select * from sys_mail where id = $1 and status = 'sending' for update`, [
      id,
    ]);
    if (row !== undefined) await failMail(services, tx, { row, reason: CUT_OFF });
  });
}

/** Between the tries of a mail that is refused for now: a server that restarts or puts strangers off is well again by then. */
const PAUSES_MIN = [1, 5, 30, 120] as const;

async function keepResult(
  services: Services,
  tx: Tx,
  { row, result }: { readonly row: Row; readonly result: MailResult },
): Promise<void> {
  const id = rowText(row, 'id');
  const now = services.clock();
  if (result.isTaken) {
    await tx.execute(
      `update sys_mail set status = 'sent', way = $2, error = null, sent_at = $3 where id = $1`,
      [id, result.way, now.toISOString()],
    );
    const where = result.way === 'smtp' ? '邮件已发出' : '邮件已写入发件箱目录';
    await tell(services, tx, { row, opinion: `${where}：${rowText(row, 'subject')}` });
    return;
  }
  const pauseMin = result.isFinal ? undefined : PAUSES_MIN[Number(row['attempts']) - 1];
  if (pauseMin === undefined) return failMail(services, tx, { row, reason: result.reason });
  await tx.execute(`update sys_mail set status = 'waiting', error = $2 where id = $1`, [id, result.reason]);
  // A job of its own: the worker's library would try it four times within half a minute.
  await queueMailJob(tx, id, new Date(now.getTime() + pauseMin * 60_000));
}

/** Nobody tries it any more: its sender hears of it, who closed the page in the belief that it leaves. */
async function failMail(
  services: Services,
  tx: Tx,
  { row, reason }: { readonly row: Row; readonly reason: string },
): Promise<void> {
  await tx.execute(`update sys_mail set status = 'failed', error = $2 where id = $1`, [
    rowText(row, 'id'),
    reason,
  ]);
  const opinion = `${rowText(row, 'subject')}；${reason}`;
  await tell(services, tx, { row, opinion: `邮件发送失败：${opinion}` });
  const resource = rowText(row, 'resource');
  const sender = rowTextOrNull(row, 'person_id');
  if (sender === null || currentCatalog(services).resources[resource] === undefined) return;
  const caller = systemCaller(services, rowTextOrNull(row, 'co_code') ?? '');
  const call = openSystemCall(services, caller, resource);
  const record = await readStored(tx, call, rowText(row, 'record_id'));
  if (record !== null) await emitEvent(tx, call, { event: 'MAIL_FAILED', record, to: [sender], opinion });
}

/** What became of it stands in the history of the record. */
async function tell(
  services: Services,
  tx: Tx,
  { row, opinion }: { readonly row: Row; readonly opinion: string },
): Promise<void> {
  // Written by `queueMail`: its shape is known.
  const subject = row['subject_of'] as Subject;
  await writeAudit(
    tx,
    { caller: { subject, requestId: rowText(row, 'id'), address: '' }, at: services.clock() },
    {
      resource: rowText(row, 'resource'),
      record_id: rowText(row, 'record_id'),
      co_code: row['co_code'],
      action: 'mail',
      opinion: opinion.slice(0, 4_000),
    },
  );
}

async function letterOf(services: Services, row: Row): Promise<Letter | null> {
  const listed: unknown = row['attachments'];
  const attachments: Letter['attachments'][number][] = [];
  for (const one of Array.isArray(listed) ? (listed as readonly { readonly id: string }[]) : []) {
    const file = await services.files.find(one.id);
    const stream = file === null ? null : await services.files.storage.read(file.storageKey);
    if (file === null || stream === null) return null;
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(Buffer.from(chunk));
    attachments.push({ name: file.name, type: file.type, bytes: Buffer.concat(chunks) });
  }
  return {
    id: rowText(row, 'id'),
    to: row['to_addresses'] as readonly string[],
    cc: row['cc_addresses'] as readonly string[],
    subject: rowText(row, 'subject'),
    body: rowText(row, 'body'),
    attachments,
  };
}

function idOf(payload: unknown): string {
  const id: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'id') : null;
  return typeof id === 'string' ? id : '';
}
