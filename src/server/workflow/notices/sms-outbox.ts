import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Tx } from '#server/kernel/db/database.ts';
import type { Services } from '#server/records/services.ts';

export interface Sms {
  readonly to: string;
  readonly text: string;
}

type SmsServices = Pick<Services, 'config' | 'clock' | 'log'>;

const TIMEOUT_MS = 5_000;

/**
 * Sends a short message: by the HTTP provider of ERP_SMS_URL, else into the outbox file, a line `{ to, text, at }` each.
 * Gives whether it was taken: a provider that refuses or does not answer is logged, never what the message says.
 */
export async function sendSms(services: SmsServices, message: Sms): Promise<boolean> {
  const { sms, dataDir } = services.config;
  if (sms === null) {
    const outbox = path.join(dataDir, 'outbox');
    await mkdir(outbox, { recursive: true });
    await appendFile(
      path.join(outbox, 'sms.jsonl'),
      `${JSON.stringify({ ...message, at: services.clock().toISOString() })}\n`,
    );
    return true;
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
    return response.ok;
  } catch (error) {
    services.log.warn({ err: error }, 'sms provider not reached');
    return false;
  }
}

/** The same when what it tells of is committed: nobody hears of what was undone, and the write stands when the message fails. */
export function smsAfterCommit(
  { tx, services }: { readonly tx: Tx; readonly services: SmsServices },
  message: Sms,
): void {
  tx.afterCommit(async () => {
    await sendSms(services, message);
  });
}
