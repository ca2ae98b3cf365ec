import type { Subject } from '#engine/schema/resource.ts';
import { hasJob, type JobTask } from '#server/kernel/worker.ts';
import type { Row } from '#server/kernel/db/database.ts';
import { rowText } from '#server/kernel/db/row-text.ts';
import type { Services } from '#server/records/services.ts';
import { writeAudit } from '#server/records/write/write-audit.ts';
import { type Letter, type MailResult, sendLetter } from './mail-transport.ts';
import { MAIL_TASK, MAX_ATTEMPTS } from './record-mails.ts';

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
export async function failLostMails({ db }: Pick<Services, 'db'>): Promise<void> {
  await db.execute(
    `update sys_mail m set status = 'failed', error = $1
     where m.status in ('waiting', 'sending') and not ${hasJob(MAIL_TASK, 'm.id')}`,
    [CUT_OFF],
  );
}

/** Sends a mail that waits. One that was being sent when its process died may have left: it is not sent twice by itself. */
async function sendMail(services: Services, id: string): Promise<void> {
  const [row] = await services.db.query(
    `update sys_mail set status = 'sending', attempts = attempts + 1 where id = $1 and status = 'waiting' returning *`,
    [id],
  );
  if (row === undefined) {
    await services.db.execute(
      `update sys_mail set status = 'failed', error = $2 where id = $1 and status = 'sending'`,
      [id, CUT_OFF],
    );
    return;
  }
  const letter = await letterOf(services, row);
  const result: MailResult =
    letter === null
      ? { isTaken: false, isFinal: true, reason: '附件已不存在' }
      : await sendLetter(services.config, letter);
  await keepResult(services, row, result);
}

async function keepResult(services: Services, row: Row, result: MailResult): Promise<void> {
  const { db } = services;
  const id = rowText(row, 'id');
  if (result.isTaken) {
    await db.transaction(async (tx) => {
      await tx.execute(
        `update sys_mail set status = 'sent', way = $2, error = null, sent_at = $3 where id = $1`,
        [id, result.way, services.clock().toISOString()],
      );
      const where = result.way === 'smtp' ? '邮件已发出' : '邮件已写入发件箱目录';
      await tell(services, tx, { row, opinion: `${where}：${rowText(row, 'subject')}` });
    });
    return;
  }
  const isOver = result.isFinal || Number(row['attempts']) >= MAX_ATTEMPTS;
  await db.transaction(async (tx) => {
    await tx.execute(`update sys_mail set status = $2, error = $3 where id = $1`, [
      id,
      isOver ? 'failed' : 'waiting',
      result.reason,
    ]);
    if (isOver)
      await tell(services, tx, {
        row,
        opinion: `邮件发送失败：${rowText(row, 'subject')}；${result.reason}`,
      });
  });
  // The worker runs it again after a while.
  if (!isOver) throw new TypeError(`mail ${id} not taken`);
}

/** What became of it stands in the history of the record. */
async function tell(
  services: Services,
  tx: Parameters<typeof writeAudit>[0],
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
