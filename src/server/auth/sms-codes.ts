import { lockName } from '#server/kernel/db/lock-name.ts';
import { createHash, randomInt } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import type { Queryable, Tx } from '#server/kernel/db/database.ts';
import { rowText } from '#server/kernel/db/row-text.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requireSms, sendSms } from '#server/workflow/notices/sms-outbox.ts';
import type { Services } from '#server/records/services.ts';
import { fieldProblem } from './account.ts';

/** What a code is good for; a code for one purpose opens no other. */
export type SmsPurpose = 'register' | 'mobile' | 'password' | 'progress';

/** Whom a code goes to, what for, and who asked. */
export interface SmsCodeRequest {
  readonly mobile: string;
  readonly purpose: SmsPurpose;
  readonly address: string;
  /** It counts and is answered like any other, but nobody gets a message: there is no such account. */
  readonly isForNobody?: boolean;
  /** The message around the code. */
  readonly wording: (code: string) => string;
}

/** Minutes for which a code is good, and the tries it bears (design section 5). */
export const SMS_CODE = { minutes: 5, tries: 5 } as const;
/** Purposes for which anybody may name any number: what is answered must not depend on whether it is known. */
const QUIET: ReadonlySet<SmsPurpose> = new Set(['password', 'progress']);
const PAUSE_S = 60;
const NUMBER_LIMITS = { hour: 5, day: 10 } as const;
const ADDRESS_HOUR_LIMIT = 20;

/**
 * Draws a code of six digits and sends it. It counts before it is sent, so that many requests at once send no more
 * than one after the other would. A message that was not sent may be asked for again at once, but still counts by hour
 * and day. What anybody may ask for (a forgotten password, the state of a registration) is answered before it is sent:
 * one that fails is logged, and asked for again after the usual pause.
 * @throws RATE_LIMITED with the wait, SMS_FAILED when the provider did not take the message, SMS_NOT_CONFIGURED
 */
export async function sendSmsCode(services: Services, request: SmsCodeRequest): Promise<void> {
  requireSms(services);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const at = services.clock();
  const id = uuid();
  await services.db.transaction(async (tx) => {
    await refuseBeyondLimits(tx, request, at);
    await tx.query(
      `insert into sys_sms_code (id, mobile, purpose, code_hash, address, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        id,
        request.mobile,
        request.purpose,
        hashOf(id, code),
        request.address,
        at.toISOString(),
        new Date(at.getTime() + SMS_CODE.minutes * 60_000).toISOString(),
      ],
    );
  });
  if (request.isForNobody === true) return;
  const sending = sendSms(services, { to: request.mobile, text: request.wording(code) });
  // The time that a provider takes, and its refusal, would tell that there is such an account.
  if (QUIET.has(request.purpose) && services.config.sms !== null) return;
  const isSent = await sending;
  if (isSent) return;
  await services.db.query('update sys_sms_code set expires_at = created_at where id = $1', [id]);
  throw new AppError('SMS_FAILED');
}

/** A code that fits the number and the purpose; it is used up by `spendSmsCode`. */
export interface FittingSmsCode {
  readonly id: string;
}

/**
 * Compares a code with the last one sent for this number and purpose; a wrong one is a try, also when what follows fails.
 * @throws SMS_CODE_WRONG for a wrong, old, used or worn-out one alike
 */
export async function requireSmsCode(
  db: Queryable,
  given: { readonly mobile: string; readonly purpose: SmsPurpose; readonly code: string; readonly at: Date },
): Promise<FittingSmsCode> {
  const [last] = await db.query(
    `select id from sys_sms_code where mobile = $1 and purpose = $2 and expires_at > created_at
     order by created_at desc, id desc limit 1`,
    [given.mobile, given.purpose],
    'last_sms_code',
  );
  if (last === undefined) throw wrongCode();
  const id = rowText(last, 'id');
  const [tried] = await db.query(
    `update sys_sms_code set tries = tries + case when code_hash = $2 then 0 else 1 end
     where id = $1 and used_at is null and expires_at > $3 and tries < $4 returning code_hash = $2 as fits`,
    [id, hashOf(id, given.code), given.at.toISOString(), SMS_CODE.tries],
    'try_sms_code',
  );
  if (tried?.['fits'] !== true) throw wrongCode();
  return { id };
}

/** Uses a fitting code up, with the write it allows: of two at once only one goes through. @throws SMS_CODE_WRONG */
export async function spendSmsCode(tx: Tx, code: FittingSmsCode, at: Date): Promise<void> {
  const spent = await tx.query(
    'update sys_sms_code set used_at = $2 where id = $1 and used_at is null returning id',
    [code.id, at.toISOString()],
    'spend_sms_code',
  );
  if (spent.length === 0) throw wrongCode();
}

/** The locks make requests for one number, then of one address, wait for each other; always in this order. */
async function refuseBeyondLimits(tx: Tx, request: SmsCodeRequest, at: Date): Promise<void> {
  const { mobile, address } = request;
  await lockName(tx, `sms number ${mobile}`);
  await lockName(tx, `sms address ${address}`);
  const [row] = await tx.query(
    `select
       (select ceil($3::int - extract(epoch from $4::timestamptz - max(created_at)))::int from sys_sms_code
          where mobile = $1 and expires_at > created_at and created_at > $4::timestamptz - make_interval(secs => $3)) as pause,
       (select count(*)::int from sys_sms_code where mobile = $1 and created_at > $4::timestamptz - interval '1 hour') as hour,
       (select count(*)::int from sys_sms_code where mobile = $1 and created_at > $4::timestamptz - interval '1 day') as day,
       (select count(*)::int from sys_sms_code where address = $2 and created_at > $4::timestamptz - interval '1 hour') as address`,
    [mobile, address, PAUSE_S, at.toISOString()],
  );
  const pauseS = Number(row?.['pause'] ?? 0);
  if (pauseS > 0) throw tooMany(`验证码已发送，请${pauseS}秒后再试`, pauseS);
  if (Number(row?.['day']) >= NUMBER_LIMITS.day)
    throw tooMany('该手机号码今日获取验证码次数已达上限，请明天再试', 86_400);
  if (Number(row?.['hour']) >= NUMBER_LIMITS.hour)
    throw tooMany('该手机号码获取验证码过于频繁，请1小时后再试', 3_600);
  if (Number(row?.['address']) >= ADDRESS_HOUR_LIMIT)
    throw tooMany('您所在的网络获取验证码过于频繁，请1小时后再试', 3_600);
}

function tooMany(message: string, retryAfterS: number): AppError {
  return new AppError('RATE_LIMITED', { message, retryAfterS });
}

function wrongCode(): AppError {
  return new AppError('SMS_CODE_WRONG', {
    problems: [fieldProblem('sms', 'wrong', '验证码错误或已失效')],
  });
}

/** The row's id salts the hash. */
function hashOf(id: string, code: string): string {
  return createHash('sha256').update(`${id} ${code}`).digest('hex');
}
