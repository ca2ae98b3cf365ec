import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '#server/kernel/config.ts';

/** A mail as it leaves. */
export interface Letter {
  readonly id: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly bytes: Buffer }[];
}

/** How mails leave here: by the mail server, or as files in the outbox folder. */
export type MailWay = 'smtp' | 'outbox';

/** What became of a mail: taken, or refused for good or for now with the server's words. */
export type MailResult =
  | { readonly isTaken: true; readonly way: MailWay }
  | { readonly isTaken: false; readonly isFinal: boolean; readonly reason: string };

export function mailWay({ mail }: Pick<Config, 'mail'>): MailWay {
  return mail === null ? 'outbox' : 'smtp';
}

/**
 * Gives a mail to the mail server; without one it becomes a file of `data/outbox/mail`, which any mail program opens, and a
 * line of `data/outbox/mail.jsonl`: to, cc, subject, text, when, and the file.
 */
export async function sendLetter(
  config: Pick<Config, 'mail' | 'dataDir'>,
  letter: Letter,
): Promise<MailResult> {
  const { mail } = config;
  if (mail === null) {
    await writeToOutbox(config.dataDir, letter);
    return { isTaken: true, way: 'outbox' };
  }
  const { url, from, timeoutMs } = mail;
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({ from, ...messageOf(letter) });
    return { isTaken: true, way: 'smtp' };
  } catch (error) {
    return { isTaken: false, ...refusalOf(error) };
  } finally {
    transport.close();
  }
}

async function writeToOutbox(dataDir: string, letter: Letter): Promise<void> {
  const folder = path.join(dataDir, 'outbox', 'mail');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await writer.sendMail({ from: 'outbox@localhost', ...messageOf(letter) });
  const file = `${letter.id}.eml`;
  await writeFile(path.join(folder, file), message, { mode: 0o600 });
  const { to, cc, subject, body: text } = letter;
  const line = { to, cc, subject, text, at: new Date().toISOString(), file: `mail/${file}` };
  await appendFile(path.join(dataDir, 'outbox', 'mail.jsonl'), `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

function messageOf({ id, to, cc, subject, body, attachments }: Letter) {
  return {
    messageId: `<${id}@trade-erp>`,
    to: [...to],
    cc: [...cc],
    subject,
    text: body,
    attachments: attachments.map(({ name, type, bytes }) => ({
      filename: name,
      contentType: type,
      content: bytes,
    })),
  };
}

/** 5xx is a refusal for good; everything else may be otherwise later. */
function refusalOf(error: unknown): { readonly isFinal: boolean; readonly reason: string } {
  const about = (name: string): unknown =>
    typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  const code = about('responseCode');
  const answer = about('response');
  const isFinal = typeof code === 'number' && code >= 500;
  if (typeof answer === 'string' && answer !== '')
    return { isFinal, reason: `邮件服务器拒收：${answer.slice(0, 300)}` };
  const kind = String(about('code') ?? '');
  if (kind === 'ETIMEDOUT') return { isFinal: false, reason: '邮件服务器没有按时应答' };
  if (kind === 'EAUTH') return { isFinal: true, reason: '邮件服务器不接受账号或密码' };
  if (kind === 'EENVELOPE') return { isFinal: true, reason: '收件人地址不能送达' };
  return { isFinal: false, reason: `连不上邮件服务器（${kind === '' ? '未知原因' : kind}）` };
}
