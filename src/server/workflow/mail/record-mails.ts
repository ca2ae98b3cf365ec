import { v7 as uuid } from 'uuid';
import { canSee } from '#engine/access/resource-access.ts';
import type { MailDraft, MailForm, MailView } from '#contract/mails.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Row, Tx } from '#server/kernel/db/database.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';
import { addJob } from '#server/kernel/worker.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { StoredBytes } from '#server/records/files/file-service.ts';
import { readableFile } from '#server/records/files/file-access.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import { writeAudit } from '#server/records/write/write-audit.ts';
import { fingerprintOf } from '#server/workflow/printing/assemble-set.ts';
import { makePdf } from '#server/workflow/printing/print-service.ts';
import { printRecord, type RecordPrint, templateOf } from '#server/workflow/printing/print-record.ts';
import { mailWay } from './mail-transport.ts';

/** The worker's name for mails. One after the other, so that a server that hangs holds one worker only. */
export const MAIL_TASK = 'send_mail';
const MAIL_QUEUE = 'mail';
/** How often one job is begun when the program ends under it; what the server refuses for now gets a job of its own. */
const JOB_ATTEMPTS = 4;
const MAX_BYTES = 20 * 1024 * 1024;
const MOST_LISTED = 100;

/** The mails of a record, the latest first, with whether what they brought would read otherwise now. @throws NOT_FOUND */
export async function mailsOf(call: Call, id: string): Promise<readonly MailView[]> {
  await requireRecord(call, id);
  const rows = await call.services.db.query(
    `select * from sys_mail where resource = $1 and record_id = $2 order by created_at desc, id desc limit ${MOST_LISTED}`,
    [call.resource.resource, id],
  );
  const now = new Map<string, string | null>();
  const views: MailView[] = [];
  for (const row of rows) {
    const ids = printIdsOf(row);
    const key = ids.join(' ');
    if (!now.has(key)) now.set(key, await fingerprintNow(call, id, ids));
    const then = now.get(key) ?? null;
    views.push({ ...viewOf(row), isOutdated: then !== null && then !== row['fingerprint'] });
  }
  return views;
}

/** What a mail of a print is proposed to say, and what it may bring. @throws NOT_FOUND */
export async function draftMail(
  call: Call,
  asked: { readonly id: string; readonly printId: string },
): Promise<MailDraft> {
  const stored = await requireRecord(call, asked.id);
  const print = await printRecord(call, asked);
  const { files, ...words } = print.mail;
  return {
    ...words,
    refusal: print.mailRefusal,
    way: mailWay(call.services.config),
    prints: call.resource.print.map(({ id, title }) => ({ id, title })),
    files: await filesOf(call, stored, files),
  };
}

/** Keeps a mail with its attachments as they are now, and has it sent when that is committed. @throws NOT_FOUND, ACTION_NOT_ALLOWED, RULE_REFUSED */
export async function queueMail(call: Call, id: string, form: MailForm): Promise<MailView> {
  const { services, caller, resource } = call;
  const stored = await requireRecord(call, id);
  const prints = await sendablePrints(call, stored, form);
  const mailId = uuid();
  const at = services.clock();
  const kept: { readonly id: string; readonly name: string }[] = [];
  let size = 0;
  const papers: StoredBytes[] = [];
  for (const print of prints) {
    const bytes = await makePdf(services.config, [print]);
    size += bytes.length;
    papers.push(await services.files.store({ bytes, name: `${print.name}.pdf` }));
  }
  for (const fileId of form.fileIds) {
    const file = await readableFile(services, caller, fileId);
    if (file.resource !== resource.resource || file.recordId !== id) throw new AppError('NOT_FOUND');
    size += file.size;
    papers.push(file);
  }
  if (papers.length === 0) throw new AppError('RULE_REFUSED', { message: '请至少选择一个附件' });
  if (size > MAX_BYTES) throw new AppError('RULE_REFUSED', { message: '附件合计超过 20 MB，请减少附件' });
  const owner = {
    coCode: caller.subject.co_code,
    createdBy: caller.subject.id,
    resource: 'sys_mail',
    recordId: mailId,
  };
  const row = await services.db.transaction(async (tx) => {
    // It may be run again.
    kept.length = 0;
    for (const paper of papers) {
      const file = await services.files.register(tx, paper, { ...owner, field: 'attachments', at });
      kept.push({ id: file.id, name: file.name });
    }
    const [added] = await tx.query(
      `insert into sys_mail (id, co_code, resource, record_id, person_id, person_name, subject_of, to_addresses, cc_addresses,
         subject, body, attachments, prints, fingerprint, created_at)
       values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11, $12::jsonb, $13::jsonb, $14, $15) returning *`,
      [
        mailId, stored['co_code'] ?? caller.subject.co_code, resource.resource, id, caller.subject.id, caller.subject.name,
        JSON.stringify(caller.subject), form.to, form.cc, form.subject, form.body, JSON.stringify(kept),
        JSON.stringify(form.printIds), fingerprintOf(prints), at.toISOString(),
      ],
    ); // prettier-ignore
    await writeAudit(
      tx,
      { caller, at },
      {
        resource: resource.resource,
        record_id: id,
        co_code: stored['co_code'],
        action: 'mail',
        opinion:
          `发邮件至 ${[...form.to, ...form.cc].join('、')}：${form.subject}；附件：${kept.map(({ name }) => name).join('、')}`.slice(
            0,
            4_000,
          ),
      },
    );
    await queueMailJob(tx, mailId);
    return added;
  });
  if (row === undefined) throw new AppError('INTERNAL');
  return { ...viewOf(row), isOutdated: false };
}

/** The prints of a mail, looked at anew. Files were made of what the first one stands for: what refuses that refuses them. */
async function sendablePrints(
  call: Call,
  stored: OpenRecord,
  { printIds, period }: Pick<MailForm, 'printIds' | 'period'>,
): Promise<readonly RecordPrint[]> {
  for (const printId of printIds) await runFirst(call, { stored, printId });
  const prints: RecordPrint[] = [];
  for (const printId of printIds)
    prints.push(await printRecord(call, { id: String(stored['id']), printId, period }));
  const refusal = prints.map(({ mailRefusal }) => mailRefusal).find((reason) => reason !== null) ?? null;
  if (refusal !== null) throw new AppError('ACTION_NOT_ALLOWED', { message: refusal });
  return prints;
}

/** Has a mail that failed sent again, as it was, while what it brings may still leave. @throws NOT_FOUND, ACTION_NOT_ALLOWED */
export async function resendMail(
  call: Call,
  asked: { readonly id: string; readonly mailId: string },
): Promise<void> {
  const stored = await requireRecord(call, asked.id);
  const { db } = call.services;
  const [failed] = isRecordId(asked.mailId)
    ? await db.query(
        `select prints from sys_mail where id = $1 and resource = $2 and record_id = $3 and status = 'failed'`,
        [asked.mailId, call.resource.resource, asked.id],
      )
    : [];
  if (failed !== undefined) await sendablePrints(call, stored, { printIds: printIdsOf(failed) });
  await db.transaction(async (tx) => {
    const changed = isRecordId(asked.mailId)
      ? await tx.execute(
          `update sys_mail set status = 'waiting', attempts = 0, error = null
           where id = $1 and resource = $2 and record_id = $3 and status = 'failed'`,
          [asked.mailId, call.resource.resource, asked.id],
        )
      : 0;
    if (changed === 0) throw new AppError('ACTION_NOT_ALLOWED', { message: '只有发送失败的邮件可以重发' });
    await queueMailJob(tx, asked.mailId);
  });
}

/** What has to be looked at before this print is sent, by the action that its template names. */
async function runFirst(
  call: Call,
  { stored, printId }: { readonly stored: OpenRecord; readonly printId: string },
): Promise<void> {
  const definition = call.resource.print.find(({ id }) => id === printId);
  if (definition === undefined) return;
  const coCode = String(stored['co_code'] ?? call.caller.subject.co_code);
  const first = templateOf(call, { definition, coCode }).mail?.first;
  const action = first === undefined ? undefined : call.resource.lifecycle?.actions[first];
  if (action === undefined || !action.from.includes(String(stored['status']))) return;
  // The key of the request is the mail's: this write of its own is not what it answers for.
  const { idempotency: _key, ...caller } = call.caller;
  await runAction({ ...call, caller }, { id: String(stored['id']), action: action.key }, { version: null });
}

/** Has a mail that waits sent, now or then. */
export function queueMailJob(tx: Tx, id: string, runAt?: Date): Promise<void> {
  return addJob(
    tx,
    MAIL_TASK,
    { id },
    { queue: MAIL_QUEUE, maxAttempts: JOB_ATTEMPTS, ...(runAt === undefined ? {} : { runAt }) },
  );
}

/** Partners look papers up themselves; what is sent in the company's name is sent by its staff. */
async function requireRecord(call: Call, id: string): Promise<OpenRecord> {
  if (call.caller.subject.kind !== 'staff') throw new AppError('FORBIDDEN');
  const stored = isRecordId(id)
    ? await readStored(callersReader(call), call, id, { operation: 'print' })
    : null;
  if (stored === null) throw new AppError('NOT_FOUND');
  return stored;
}

/** What the prints would be now; null where that says nothing: of a period, or without prints. */
async function fingerprintNow(call: Call, id: string, printIds: readonly string[]): Promise<string | null> {
  const prints: RecordPrint[] = [];
  for (const printId of printIds) {
    const print = await printRecord(call, { id, printId }).catch((error: unknown) => {
      // A print that is no longer there, or not now, or may not be sent any more, is not what was sent.
      if (error instanceof AppError) return null;
      throw error;
    });
    if (print?.period) return null;
    if (print !== null && print.mailRefusal === null) prints.push(print);
  }
  return printIds.length === 0 ? null : fingerprintOf(prints);
}

/** The files of the record's own fields that the caller may see. */
async function filesOf(
  call: Call,
  stored: OpenRecord,
  proposed: readonly string[],
): Promise<MailDraft['files']> {
  const fields = Object.values(call.resource.fields).filter(
    ({ name, type }) => type === 'attachment' && canSee(call.access, name),
  );
  const ids = fields.flatMap(({ name }) => (Array.isArray(stored[name]) ? stored[name] : []));
  if (ids.length === 0) return [];
  const rows = await call.services.db.query(
    `select id::text as id, name, size::int as size, field from sys_file where id = any($1::uuid[]) order by created_at, id`,
    [ids],
  );
  return rows.map((row) => ({
    id: rowText(row, 'id'),
    name: rowText(row, 'name'),
    size: Number(row['size']),
    isProposed: proposed.includes(rowText(row, 'field')),
  }));
}

function printIdsOf(row: Row): readonly string[] {
  const list: unknown = row['prints'];
  return Array.isArray(list) ? list.map(String) : [];
}

function viewOf(row: Row): Omit<MailView, 'isOutdated'> {
  const list = (name: string): readonly string[] => {
    const value: unknown = row[name];
    return Array.isArray(value) ? value.map(String) : [];
  };
  const attachments: unknown = row['attachments'];
  const status = rowText(row, 'status');
  return {
    id: rowText(row, 'id'),
    status: status === 'sent' || status === 'failed' ? status : 'waiting',
    way: row['way'] === 'smtp' || row['way'] === 'outbox' ? row['way'] : null,
    to: list('to_addresses'),
    cc: list('cc_addresses'),
    subject: rowText(row, 'subject'),
    body: rowText(row, 'body'),
    attachments: Array.isArray(attachments)
      ? attachments.map((one: unknown) =>
          String(typeof one === 'object' && one !== null ? Reflect.get(one, 'name') : ''),
        )
      : [],
    by: rowText(row, 'person_name'),
    error: rowTextOrNull(row, 'error'),
    createdAt: instant(row['created_at']) ?? '',
    sentAt: instant(row['sent_at']),
  };
}

function instant(value: unknown): string | null {
  return value === null || value === undefined ? null : new Date(String(value)).toISOString();
}
