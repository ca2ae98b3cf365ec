import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Tx } from '../db/database.ts';
import type { Services } from '../services.ts';

export interface Sms {
  readonly to: string;
  readonly text: string;
}

type SmsServices = Pick<Services, 'config' | 'clock' | 'log'>;

const TIMEOUT_MS = 10_000;

/**
 * Sends a short message: by the HTTP provider of ERP_SMS_URL, else into the outbox file, a line `{ to, text, at }` each.
 * A provider that does not answer is logged; the write that caused the message stands.
 */
export async function sendSms(services: SmsServices, message: Sms): Promise<void> {
  const { sms, dataDir } = services.config;
  if (sms === null) {
    const outbox = path.join(dataDir, 'outbox');
    await mkdir(outbox, { recursive: true });
    await appendFile(
      path.join(outbox, 'sms.jsonl'),
      `${JSON.stringify({ ...message, at: services.clock().toISOString() })}\n`,
    );
    return;
  }
  try {
    const response = await fetch(sms.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(sms.token === null ? {} : { authorization: `Bearer ${sms.token}` }),
      },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) services.log.warn({ status: response.status }, 'sms provider refused');
  } catch (error) {
    services.log.warn({ err: error }, 'sms provider not reached');
  }
}

/** The same when what it tells of is committed; nobody hears of what was undone. */
export function smsAfterCommit(
  { tx, services }: { readonly tx: Tx; readonly services: SmsServices },
  message: Sms,
): void {
  tx.afterCommit(() => sendSms(services, message));
}
