import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY, DEMO_PASSWORD } from '#server/config.ts';
import { type RulesExample, startRulesExample } from './rules-example.ts';

let rules: RulesExample;

beforeAll(async () => {
  rules = await startRulesExample({ 'fn.aa': 'FN', 'fn2.aa': 'FN', 'tm.aa': 'TM' });
}, 120_000);
afterAll(() => rules.example.close());

describe('the own account', () => {
  it('ends no session of somebody else', async () => {
    const [other] = (await rules.as('tm.aa', 'GET', '/self/sessions')).data as unknown as readonly {
      readonly id: string;
    }[];
    const refused = await rules.as('fn.aa', 'DELETE', `/self/sessions?id=${other?.id ?? ''}`);
    expect(refused.status).toBe(404);
    expect((await rules.as('tm.aa', 'GET', '/self')).status).toBe(200);
  });

  it('takes a mobile number once in a department, though two ask for it at once', async () => {
    const body = { password: sealEnvelope(DEMO_PASSWORD, DEMO_AES_KEY), mobile: '13812345678' };
    const answers = await Promise.all(
      ['fn.aa', 'fn2.aa'].map((who) => rules.as(who, 'POST', '/self/mobile', body)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.flatMap(({ problems }) => problems.map(({ message }) => message))).toEqual([
      '本部门已有人使用该手机号码',
    ]);
  });
});
