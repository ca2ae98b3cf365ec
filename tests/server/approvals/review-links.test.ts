import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../trade/trade-example.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { creditExample, type CreditExample, RESULT, told } from './credit-example.ts';

let rules: RulesExample;
let credit: CreditExample;

beforeAll(async () => {
  rules = await startRulesExample({ 'sp.aa': 'SP', 'rk.aa': 'RK', 'fn.aa': 'FN', 'gm.aa': 'GM' });
  credit = creditExample(rules);
}, 600_000);
afterAll(() => rules.example.close());

const KEY = 'credit_line_application';
const USED = '该单据已审核或已撤回，链接已失效';
const INVALID = '审核链接无效或已过期，请登录系统审核';

const open = (token: string, who = '') => rules.as(who, 'GET', `/review?token=${encodeURIComponent(token)}`);
const decide = (token: string, body: Fields, who = '') =>
  rules.as(who, 'POST', '/review/decide', { token, ...body });

let mobiles = 13_800_000_000;

/** A submitted application and the token that went to the approver's telephone. */
async function sent(partner: string): Promise<{ readonly id: string; readonly token: string }> {
  mobiles += 1;
  const mobile = String(mobiles);
  await rules.example.services.db.execute(`update person set mobile = $1 where personid = 'rk.aa'`, [mobile]);
  const id = await credit.submitted(partner);
  const answer = await rules.act('sp.aa', KEY, id, 'review_link');
  expect([answer.status, answer.msg]).toEqual([200, expect.any(String)]);
  expect(JSON.stringify(answer)).not.toContain('token=');
  const [text = ''] = await rules.smsTo(mobile);
  return { id, token: /token=([\w-]+)/.exec(text)?.[1] ?? '' };
}

const statusOf = async (id: string): Promise<unknown> => (await rules.stored(KEY, id))['status'];
const versionIn = ({ data }: Answer): number => Number(data['version']);

describe('a review link', () => {
  it('shows the application to its approver and takes one decision', async () => {
    const partner = await rules.aPartner();
    const { id, token } = await sent(partner);
    const shown = await open(token);
    expect(shown.data).toMatchObject({
      title: '授信/额度申请',
      submittedBy: expect.any(String),
      version: expect.any(Number),
    });
    const editable = shown.data['editable'] as unknown as readonly { name: string }[];
    expect(editable.map(({ name }) => name)).toEqual([
      'score',
      'approved_amount',
      'approved_to',
      'conditions',
    ]);
    expect((await open(token)).status).toBe(200);
    const version = versionIn(shown);
    const bare = await decide(token, { action: 'approve', version });
    expect(told(bare)).toBe('score: 请填写风险评分（由风控填写）');
    expect(told(await decide(token, { action: 'reject', version }))).toBe('opinion: 请填写意见');
    expect(await statusOf(id)).toBe('pending');
    const approval = { action: 'approve', version, opinion: '同意', fields: RESULT };
    const both = await Promise.all([decide(token, approval), decide(token, approval)]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(await credit.linesOf(partner)).toHaveLength(1);
    const again = await decide(token, { action: 'reject', version, opinion: '晚了' });
    expect([again.status, again.msg]).toEqual([409, USED]);
    expect((await open(token)).msg).toBe(USED);
  });

  it('dies with the withdrawal, with its day, and with the approver', async () => {
    const withdrawn = await sent(await rules.aPartner());
    await must(rules.as('sp.aa', 'POST', `/approval/record/${KEY}/${withdrawn.id}/withdraw`, {}));
    expect((await open(withdrawn.token)).msg).toBe(USED);
    const { db } = rules.example.services;
    const late = await sent(await rules.aPartner());
    await db.execute(`update sys_ticket set expires_at = now() - interval '1 second'`);
    expect((await open(late.token)).msg).toBe(INVALID);
    const gone = await sent(await rules.aPartner());
    await db.execute(`update person set status = 'disabled' where personid = 'rk.aa'`);
    expect((await open(gone.token)).msg).toBe(INVALID);
    await db.execute(`update person set status = 'active' where personid = 'rk.aa'`);
    const dismissed = await sent(await rules.aPartner());
    const version = versionIn(await open(dismissed.token));
    // Another role with the right to approve such applications is not the one that the task asks for.
    await db.execute(
      `update person set role_ids = array(select id from role where code = 'GM') where personid = 'rk.aa'`,
    );
    const late20 = await Promise.all(
      Array.from({ length: 20 }, () =>
        decide(dismissed.token, { action: 'approve', version, opinion: '同意', fields: RESULT }),
      ),
    );
    expect(new Set(late20.map(({ msg }) => msg))).toEqual(new Set([INVALID]));
    expect(await statusOf(dismissed.id)).toBe('pending');
    await db.execute(
      `update person set role_ids = array(select id from role where code = 'RK') where personid = 'rk.aa'`,
    );
  });

  it.each(['sp.aa', 'gm.aa'])(
    'is refused while %s is signed in, whose it is not, and changes nothing',
    async (who) => {
      const partner = await rules.aPartner();
      const { id, token } = await sent(partner);
      const version = versionIn(await open(token));
      const name = String((await rules.stored('person', await rules.idOf('rk.aa')))['name']);
      const refusal = [403, `该审核链接发给${name}，与当前登录的账号不符，不能审核`];
      const shown = await open(token, who);
      expect([shown.status, shown.msg]).toEqual(refusal);
      for (const body of [
        { action: 'approve', version, opinion: '同意', fields: RESULT },
        { action: 'reject', version, opinion: '不同意' },
      ]) {
        const refused = await decide(token, body, who);
        expect([refused.status, refused.msg]).toEqual(refusal);
      }
      expect(await statusOf(id)).toBe('pending');
      await must(decide(token, { action: 'approve', version, opinion: '同意', fields: RESULT }, 'rk.aa'));
      expect(await statusOf(id)).toBe('approved');
    },
  );

  it('serves its approver although a session that came along has ended', async () => {
    const { id, token } = await sent(await rules.aPartner());
    const ended = await rules.example.signIn('fn.aa', 'FN');
    await must(rules.example.call(ended, 'POST', '/sys/logout', {}));
    const shown = await rules.example.call(ended, 'GET', `/review?token=${token}`);
    expect(shown.status).toBe(200);
    const body = { token, action: 'reject', version: versionIn(shown), opinion: '资料不全' };
    await must(rules.example.call(ended, 'POST', '/review/decide', body));
    expect(await statusOf(id)).toBe('rejected');
  });

  it.each<readonly [string, Fields, string]>([
    ['no token', { token: '' }, INVALID],
    ['a forged one', { token: 'A'.repeat(32) }, INVALID],
    ['SQL', { token: `' or 1=1 --` }, INVALID],
    ['a number', { token: 5 }, 'token: 应为文字'],
    ['a list', { token: ['a'] }, 'token: 应为文字'],
    ['an unknown action', { action: 'delegate' }, 'action: 不在允许的取值之内'],
    ['no version', { version: null }, 'version: 应为整数'],
    ['a version of text', { version: 'x' }, 'version: 应为整数'],
    ['an unknown key', { role: 'GM' }, 'role: 是未知字段'],
    ['fields that are no object', { fields: [] }, 'fields: 应为对象'],
    ['a token that is too long', { token: 'x'.repeat(101) }, 'token: 最多 100 个字符'],
    ['a token with NUL', { token: 'a\u0000b' }, '文字中含有无效字符'],
    ['a version of zero', { version: 0 }, 'version: 不能小于 1'],
    ['a version with a fraction', { version: 1.5 }, 'version: 应为整数'],
    ['an action that is a list', { action: ['approve'] }, 'action: 不在允许的取值之内'],
    ['an opinion that is an object', { opinion: {} }, 'opinion: 应为文字'],
    ['an opinion that is too long', { opinion: 'x'.repeat(501) }, 'opinion: 最多 500 个字符'],
  ])('with %s is refused at its field', async (_, changes, says) => {
    const refused = await decide('B'.repeat(32), { action: 'approve', version: 1, ...changes });
    expect([refused.status, told(refused)]).toEqual([400, says]);
  });

  it.each<readonly [Fields, string]>([
    [{ score: 101 }, 'score: 风险评分：不能大于100'],
    [{ score: 'x' }, 'score: 风险评分：应为整数'],
    [{ approved_amount: '1e400' }, 'approved_amount: 金额格式不正确'],
    [{ approved_amount: '0' }, 'approved_amount: 金额必须大于0'],
    [{ approved_amount: '400000.01' }, 'approved_amount: 批复额度不能超过申请额度'],
    [{ approved_to: '2026-02-30' }, 'approved_to: 批复到期日：日期格式不正确，应为真实存在的日期'],
    [{ approved_to: '2999-01-01' }, 'approved_to: 批复到期日不能晚于申请的到期日期'],
    [{ apply_amount: '9' }, 'apply_amount: 当前状态或角色不能修改“申请额度”'],
    [{ unknown: 1 }, 'unknown: 未知字段 "unknown"'],
  ])('refuses %j at its field and changes nothing', async (fields, says) => {
    const partner = await rules.aPartner();
    const { id, token } = await sent(partner);
    const before = await rules.stored(KEY, id);
    const refused = await decide(token, {
      action: 'approve',
      version: versionIn(await open(token)),
      opinion: '好',
      fields: { ...RESULT, ...fields },
    });
    expect(told(refused)).toBe(says);
    expect(await credit.linesOf(partner)).toEqual([]);
    expect(await rules.stored(KEY, id)).toEqual(before);
  });
});
