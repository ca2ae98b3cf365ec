import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY, DEMO_PASSWORD } from '#server/kernel/config.ts';
import { type Fields, must, type RulesExample, startRulesExample } from './rules-example.ts';

let rules: RulesExample;

beforeAll(async () => {
  rules = await startRulesExample({
    'fn.aa': 'FN',
    'fn2.aa': 'FN',
    'tm.aa': 'TM',
    'cs.aa': 'CS',
    'ad.aa': 'AD',
  });
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

describe('a login that somebody else changes', () => {
  const number = async (personid: string) =>
    String((await rules.stored('person', await rules.idOf(personid)))['mobile']);
  const warned = (what: string, who: string) =>
    new RegExp(
      `^您的${what}已由${who}于\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d修改.*如非本人要求请立即联系管理员$`,
    );
  /** Messages of the outbox that warn. */
  const warnings = async (mobile: string) =>
    (await rules.smsTo(mobile)).filter((text) => text.includes('如非本人要求'));
  const patch = async (who: string, key: string, id: string, fields: Fields) =>
    must(
      rules.as(who, 'PATCH', `/data/${key}/${id}`, {
        version: (await rules.stored(key, id))['version'],
        ...fields,
      }),
    );

  it.each([
    ['登录密码', { password: 'Typed-2026-by-AD' }],
    ['登录手机号码', { mobile: '13911112222' }],
    ['登录手机号码', { mobile: '13911113333', email: 'a@b.cn' }],
    ['登录密码、登录手机号码', { password: 'Typed-2026-again', mobile: '13911114444' }],
  ])('is told at the number of before and in the message centre: %s', async (what, fields: Fields) => {
    const id = await rules.idOf('fn2.aa');
    const old = await number('fn2.aa');
    const admin = String((await rules.stored('person', await rules.idOf('ad.aa')))['name']);
    const told = (await rules.toldOf(id, 'fn2.aa')).length;
    await patch('ad.aa', 'person', id, fields);
    expect((await warnings(old)).at(-1)).toMatch(warned(what, admin));
    expect(await warnings(String(fields['mobile'] ?? ''))).toEqual([]);
    expect((await rules.toldOf(id, 'fn2.aa')).slice(told)).toEqual(['LOGIN_CHANGED']);
  });

  it('is not told of what one changes oneself, nor of anything else', async () => {
    const id = await rules.idOf('tm.aa');
    const mobile = await number('tm.aa');
    await patch('ad.aa', 'person', id, { position: '贸管经理' });
    const password = sealEnvelope(DEMO_PASSWORD, DEMO_AES_KEY);
    const newPassword = sealEnvelope('Chosen-by-2026', DEMO_AES_KEY);
    await must(rules.as('tm.aa', 'POST', '/self/password', { password, newPassword }));
    expect([await warnings(mobile), await rules.toldOf(id, 'tm.aa')]).toEqual([[], []]);
  });

  it('of a customer is told too, and nobody of the house is named', async () => {
    const [first, second] = ['13922220001', '13922220002'];
    const line = { name: '李四', status: 'active', password: 'Old-2026-typed' };
    const id = await rules.aPartner({ accounts: [first, second].map((mobile) => ({ ...line, mobile })) });
    const accounts = await rules.example.services.db.query<{ id: string; mobile: string }>(
      'select id, mobile from partner__accounts where parent_id = $1::uuid order by mobile',
      [id],
    );
    await patch('cs.aa', 'partner', id, {
      accounts: [{ id: accounts[0]?.id, password: 'New-2026-typed' }, { id: accounts[1]?.id }],
    });
    expect(await warnings(first)).toEqual([expect.stringMatching(warned('登录密码', '我司'))]);
    await patch('cs.aa', 'partner', id, {
      accounts: [{ id: accounts[0]?.id }, { id: accounts[1]?.id, mobile: '13922220003' }],
    });
    expect(await warnings(second)).toEqual([expect.stringMatching(warned('登录手机号码', '我司'))]);
    expect((await warnings(second))[0]).toContain('（手机号码现为139****0003）');
    const notices = await rules.example.services.db.query(
      'select person_id, content from sys_notice where record_id = $1::uuid order by created_at',
      [id],
    );
    expect(notices).toEqual([
      { person_id: accounts[0]?.id, content: '您的登录密码已由我司修改。如非本人要求请立即联系管理员' },
      { person_id: accounts[1]?.id, content: '您的登录手机号码已由我司修改。如非本人要求请立即联系管理员' },
    ]);
  });
});
