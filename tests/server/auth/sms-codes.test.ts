import { readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requireSmsCode, sendSmsCode, type SmsCodeRequest } from '#server/auth/sms-codes.ts';
import { smsAfterCommit } from '#server/workflow/notices/sms-outbox.ts';
import { type RunningServer, startServer } from '#server/main.ts';
import { ENTERPRISE, type RegistrationExample, startRegistrationExample } from './registration-example.ts';

let example: RegistrationExample;
let second: RunningServer;

beforeAll(async () => {
  example = await startRegistrationExample();
  const { config, clock } = example.services;
  second = await startServer({ ...config, port: 0 }, { clock, prepare: async () => undefined });
});
afterAll(async () => {
  await second.close();
  await example.close();
});
// Beyond the hour; the day of a number is its own.
beforeEach(() => example.advance(61));

const statuses = (answers: readonly { readonly status: number }[]) => ({
  sent: answers.filter(({ status }) => status === 200).length,
  refused: answers.filter(({ status }) => status === 429).length,
});

describe('limits of short messages', () => {
  it('let one of fifty requests at once through to a number, over two processes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_request, place) =>
        example.sendCode('13500000001', place % 2 === 0 ? example.url : second.url),
      ),
    );
    expect(statuses(answers)).toEqual({ sent: 1, refused: 49 });
    expect(answers.find(({ status }) => status === 429)?.msg).toMatch(/^验证码已发送，请\d+秒后再试$/);
  });

  it('let twenty of fifty numbers at once through from one address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_request, place) =>
        example.sendCode(
          `135111111${String(place).padStart(2, '0')}`,
          place % 2 === 0 ? example.url : second.url,
        ),
      ),
    );
    expect(statuses(answers)).toEqual({ sent: 20, refused: 30 });
  });

  it('are sixty seconds, five an hour and ten a day for a number', async () => {
    const mobile = '13500000002';
    expect((await example.sendCode(mobile)).status).toBe(200);
    example.advance(59 / 60);
    expect((await example.sendCode(mobile)).status).toBe(429);
    example.advance(2 / 60);
    for (let sent = 1; sent < 5; sent += 1) {
      expect((await example.sendCode(mobile)).status).toBe(200);
      example.advance(1.1);
    }
    expect((await example.sendCode(mobile)).msg).toBe('该手机号码获取验证码过于频繁，请1小时后再试');
    example.advance(61);
    for (let sent = 5; sent < 10; sent += 1) {
      expect((await example.sendCode(mobile)).status).toBe(200);
      example.advance(61);
    }
    expect((await example.sendCode(mobile)).msg).toBe('该手机号码今日获取验证码次数已达上限，请明天再试');
    example.advance(24 * 60);
    expect((await example.sendCode(mobile)).status).toBe(200);
  });
});

describe('without a provider', () => {
  const request = { mobile: '13500000077', purpose: 'register', address: '::1', wording: String } as const;

  it('a demo keeps messages in a file that only its owner reads', async () => {
    const { services } = example;
    await sendSmsCode(services, request);
    const { mode } = await stat(join(services.config.dataDir, 'outbox', 'sms.jsonl'));
    expect(mode & 0o777).toBe(0o600);
  });

  it('production refuses what would send one, and writes none into a file', async () => {
    const config = { ...example.services.config, isDemo: false };
    const production = { ...example.services, config };
    const outbox = () => readFile(join(config.dataDir, 'outbox', 'sms.jsonl'), 'utf8');
    const before = await outbox();
    await expect(sendSmsCode(production, request)).rejects.toMatchObject({ code: 'SMS_NOT_CONFIGURED' });
    await expect(
      production.db.transaction(async (tx) =>
        smsAfterCommit({ tx, services: production }, { to: request.mobile, text: 'x' }),
      ),
    ).rejects.toThrow('未配置短信服务');
    expect(await outbox()).toBe(before);
  });
});

describe('a code', () => {
  const wrong = { code: 'SMS_CODE_WRONG' };

  it('is six digits and stored as a hash', async () => {
    const code = await example.codeFor('13500000010');
    expect(code).toMatch(/^\d{6}$/);
    const rows = await example.services.db.query(
      `select * from sys_sms_code where mobile = '13500000010'`,
      [],
    );
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  it('fits its number only, and its purpose only', async () => {
    const code = await example.codeFor('13500000011');
    await example.codeFor('13500000012');
    await expect(check('13500000012', code)).rejects.toMatchObject(wrong);
    await expect(check('13500000013', code)).rejects.toMatchObject(wrong);
    await example.services.db.query(
      `update sys_sms_code set purpose = 'other' where mobile = '13500000011'`,
      [],
    );
    await expect(check('13500000011', code)).rejects.toMatchObject(wrong);
  });

  it('is good for five minutes', async () => {
    const code = await example.codeFor('13500000014');
    example.advance(4.9);
    await expect(check('13500000014', code)).resolves.toMatchObject({ id: expect.any(String) });
    example.advance(0.2);
    await expect(check('13500000014', code)).rejects.toMatchObject(wrong);
  });

  it('bears five tries, also when fifty come at once', async () => {
    const code = await example.codeFor('13500000015');
    const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    await Promise.allSettled(Array.from({ length: 50 }, () => check('13500000015', other)));
    await expect(check('13500000015', code)).rejects.toMatchObject(wrong);
    const [row] = await example.services.db.query(
      `select tries from sys_sms_code where mobile = '13500000015'`,
      [],
    );
    expect(row).toEqual({ tries: 5 });
  });

  it('is replaced by the next one', async () => {
    await example.codeFor('13500000016');
    const [{ id: first } = { id: '' }] = await example.services.db.query<{ id: string }>(
      `select id from sys_sms_code where mobile = '13500000016'`,
      [],
    );
    example.advance(1.1);
    const next = await example.codeFor('13500000016');
    const fitting = await check('13500000016', next);
    expect(fitting.id).not.toBe(first);
  });

  it('opens one registration', async () => {
    const mobile = '13500000017';
    const sms = await example.codeFor(mobile);
    const form = { ...ENTERPRISE, mobile, sms };
    expect((await example.register(form)).status).toBe(200);
    const again = await example.register({
      ...form,
      custname: '另一家有限公司',
      comNo: '91440305MA1TEA1174',
    });
    expect([again.status, again.msg]).toEqual([400, '验证码错误或已失效']);
  });
});

describe('the HTTP provider', () => {
  let provider: Server;
  let answerWith: number | null = 200;
  const taken: { readonly authorization: string | undefined; readonly body: string }[] = [];

  beforeAll(async () => {
    provider = createServer((incoming, response) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        taken.push({
          authorization: incoming.headers.authorization,
          body: Buffer.concat(parts).toString('utf8'),
        });
        if (answerWith !== null) response.writeHead(answerWith).end();
      });
    });
    await new Promise<void>((resolve) => {
      provider.listen(0, '127.0.0.1', () => resolve());
    });
  });
  afterAll(() => {
    provider.closeAllConnections();
    provider.close();
  });

  const send = (mobile: string, about: Partial<SmsCodeRequest> = {}) => {
    const { port } = provider.address() as AddressInfo;
    const { services } = example;
    const config = {
      ...services.config,
      sms: { url: `http://127.0.0.1:${port}/sms`, token: 'provider-token' },
    };
    return sendSmsCode(
      { ...services, config },
      { mobile, purpose: 'register', address: '10.0.0.1', wording, ...about },
    );
  };

  it('gets number and text with its token', async () => {
    answerWith = 200;
    await send('13500000020');
    const last = taken.at(-1);
    expect(last?.authorization).toBe('Bearer provider-token');
    expect(JSON.parse(last?.body ?? '')).toEqual({
      to: '13500000020',
      text: expect.stringMatching(/^验证码 \d{6}$/),
    });
  });

  it('that refuses is told to the user, who may ask again at once; the unsent code opens nothing', async () => {
    answerWith = 503;
    await expect(send('13500000021')).rejects.toMatchObject({
      code: 'SMS_FAILED',
      status: 502,
      message: '短信发送失败，请稍后再试',
    });
    const unsent = /\d{6}/.exec(JSON.parse(taken.at(-1)?.body ?? '{}').text)?.[0] ?? '';
    const at = example.services.clock();
    await expect(
      requireSmsCode(example.services.db, { mobile: '13500000021', purpose: 'register', code: unsent, at }),
    ).rejects.toMatchObject({ code: 'SMS_CODE_WRONG' });
    answerWith = 200;
    await expect(send('13500000021')).resolves.toBeUndefined();
  });

  it('that never answers is told the same', async () => {
    answerWith = null;
    await expect(send('13500000022')).rejects.toMatchObject({ code: 'SMS_FAILED' });
  });

  it.each(['password', 'progress'] as const)(
    'is not waited for where its answer would tell that there is an account: %s',
    async (purpose) => {
      const known = purpose === 'password' ? '13500000023' : '13500000024';
      const unknown = purpose === 'password' ? '13500000025' : '13500000026';
      // A provider that says nothing is given up after five seconds: known is told what unknown is told.
      answerWith = null;
      const before = taken.length;
      await expect(send(known, { purpose })).resolves.toBeUndefined();
      await expect(send(unknown, { purpose, isForNobody: true })).resolves.toBeUndefined();
      await expect.poll(() => taken.length).toBe(before + 1);
      answerWith = 503;
      example.advance(2);
      await expect(send(known, { purpose })).resolves.toBeUndefined();
      await expect.poll(() => taken.length).toBe(before + 2);
      await expect(send(known, { purpose })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    },
  );
});

function check(mobile: string, code: string) {
  return requireSmsCode(example.services.db, {
    mobile,
    purpose: 'register',
    code,
    at: example.services.clock(),
  });
}

function wording(code: string): string {
  return `验证码 ${code}`;
}
