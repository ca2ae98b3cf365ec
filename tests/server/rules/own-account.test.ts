import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY, DEMO_PASSWORD } from '#server/kernel/config.ts';
import { type RulesExample, startRulesExample } from './rules-example.ts';

let rules: RulesExample;

beforeAll(async () => {
  rules = await startRulesExample({ 'fn.aa': 'FN', 'fn2.aa': 'FN', 'tm.aa': 'TM' });
}, 600_000);
afterAll(() => rules.example.close());

const change = (who: string, mobile: string, sms: string, password = DEMO_PASSWORD) =>
  rules.as(who, 'POST', '/self/mobile', { password: sealEnvelope(password, DEMO_AES_KEY), mobile, sms });

async function codeFor(who: string, mobile: string): Promise<string> {
  const sent = await rules.as(who, 'POST', '/self/mobile/code', { mobile });
  expect([sent.status, sent.msg]).toEqual([200, '验证码已发送']);
  return /\d{6}/.exec((await rules.smsTo(mobile)).at(-1) ?? '')?.[0] ?? '';
}

describe('the own account', () => {
  it('ends no session of somebody else', async () => {
    const [other] = (await rules.as('tm.aa', 'GET', '/self/sessions')).data as unknown as readonly {
      readonly id: string;
    }[];
    const refused = await rules.as('fn.aa', 'DELETE', `/self/sessions?id=${other?.id ?? ''}`);
    expect(refused.status).toBe(404);
    expect((await rules.as('tm.aa', 'GET', '/self')).status).toBe(200);
  });

  it('takes a mobile number with the code that went to it, once, and with the password', async () => {
    const code = await codeFor('tm.aa', '13811110001');
    const wrong = code === '000000' ? '000001' : '000000';
    expect((await change('tm.aa', '13811110001', wrong)).problems).toMatchObject([
      { path: 'sms', message: '验证码错误或已失效' },
    ]);
    expect((await change('tm.aa', '13811110001', code, 'wrong')).problems).toMatchObject([
      { path: 'password', message: '原密码错误' },
    ]);
    expect((await change('tm.aa', '13811110002', code)).status).toBe(400);
    expect((await change('tm.aa', '13811110001', code)).status).toBe(200);
    expect((await change('tm.aa', '13811110001', code)).status).toBe(400);
    const again = await rules.as('tm.aa', 'POST', '/self/mobile/code', { mobile: '13811110001' });
    expect(again.status).toBe(429);
    expect((await rules.as('tm.aa', 'POST', '/self/mobile/code', { mobile: '12811110001' })).status).toBe(
      400,
    );
  });

  it('takes a number once in a department, though two ask for it', async () => {
    const code = await codeFor('fn.aa', '13812345678');
    await rules.example.services.db.execute(
      `update sys_sms_code set created_at = created_at - interval '2 minutes' where mobile = '13812345678'`,
    );
    expect((await change('fn.aa', '13812345678', code)).status).toBe(200);
    const refused = await change('fn2.aa', '13812345678', await codeFor('fn2.aa', '13812345678'));
    expect(refused.problems).toMatchObject([{ path: 'mobile', message: '本部门已有人使用该手机号码' }]);
  });
});
