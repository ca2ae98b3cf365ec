import { appendFile, chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Tx } from '#server/kernel/db/database.ts';
import { AppError } from '#server/kernel/errors.ts';
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
  requireSms(services);
  const { sms } = services.config;
  if (sms === null) {
    await writeOutbox(services, message);
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

/** Only a demo may keep messages in a file, where whoever reads it has every code: production has a provider or sends nothing. */
export function canSendSms({ config }: Pick<Services, 'config'>): boolean {
  return config.sms !== null || config.isDemo;
}

/** Before what is worth nothing without its message. @throws SMS_NOT_CONFIGURED */
export function requireSms(services: Pick<Services, 'config'>): void {
  if (!canSendSms(services)) throw new AppError('SMS_NOT_CONFIGURED');
}

async function writeOutbox({ config, clock }: SmsServices, message: Sms): Promise<void> {
  const folder = path.join(config.dataDir, 'outbox');
  const file = path.join(folder, 'sms.jsonl');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await appendFile(file, `${JSON.stringify({ ...message, at: clock().toISOString() })}\n`, { mode: 0o600 });
  // One from an earlier version may be open to others.
  await chmod(file, 0o600);
}

/**
 * The same when what it tells of is committed: nobody hears of what was undone, and the write stands when the message
 * fails. Where no message can be sent at all the write is refused.
 * @throws SMS_NOT_CONFIGURED
 */
export function smsAfterCommit(
  { tx, services }: { readonly tx: Tx; readonly services: SmsServices },
  message: Sms,
): void {
  requireSms(services);
  tx.afterCommit(async () => {
    await sendSms(services, message);
  });
}
