import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import type { Answer } from '../trade/trade-example.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { creditExample, type CreditExample, day, RESULT, told } from './credit-example.ts';

let rules: RulesExample;
let credit: CreditExample;

beforeAll(async () => {
  rules = await startRulesExample({
    'sp.aa': 'SP',
    'cs.aa': 'CS',
    'rk.aa': 'RK',
    'fn.aa': 'FN',
    'gm.aa': 'GM',
  });
  credit = creditExample(rules);
}, 600_000);
afterAll(() => rules.example.close());

const lineId = async (partner: string): Promise<string> => {
  const [row] = await rules.example.services.db.query<{ id: string }>(
    `select id from credit_line where partner_id = $1::uuid order by created_at desc limit 1`,
    [partner],
  );
  return row?.id ?? '';
};

/** A file that an application of a million needs. */
async function aReport(): Promise<string> {
  const [file] = await rules.example.services.db.query<{ id: string }>(
    `insert into sys_file (id, co_code, name, size, type, sha256, storage_key, created_by)
     values (gen_random_uuid(), 'AA', 'x.pdf', 1, 'application/pdf', '', '', $1::uuid) returning id`,
    [await rules.idOf('sp.aa')],
  );
  return file?.id ?? '';
}

/** A bought-out shipment of the partner on open terms that has not been paid, in CNY. */
async function owes(partner: string, amount: string): Promise<void> {
  await rules.example.services.db.execute(
    `insert into shipment (id, co_code, partner_id, status, currency, payment_term, total_amount, received_amount, exposure_cny, is_deleted, version, business_type)
     select gen_random_uuid(), 'AA', $1::uuid, 'shipped', 'CNY', 'OA', $2::numeric, 0, $2::numeric, false, 1, 'agency'`,
    [partner, amount],
  );
}

const refusals = (answers: readonly Answer[]) => answers.map(told).filter((text) => text !== null);

describe('a credit line', () => {
  it('comes into being with the last approval, with what risk control grants', async () => {
    const partner = await rules.aPartner();
    const id = await credit.submitted(partner);
    expect(await credit.linesOf(partner)).toEqual([]);
    const both = await Promise.all([
      credit.approve('rk.aa', id, RESULT),
      credit.approve('rk.aa', id, RESULT),
    ]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(await credit.linesOf(partner)).toEqual([
      { status: 'active', amount: '300000.00', used: '0.00', available: '300000.00', valid_to: day(300) },
    ]);
  });

  it.each([
    ['499999.99', ['风控审核']],
    ['500000.00', ['风控审核', '财务审核']],
    ['3000000.00', ['风控审核', '财务审核', '总经理审核']],
  ])('of %s is decided by %j', async (amount, levels) => {
    const partner = await rules.aPartner();
    const id = await credit.submitted(partner, { apply_amount: amount, financials: [await aReport()] });
    const { data } = await rules.as('rk.aa', 'GET', `/approval/record/credit_line_application/${id}`);
    const steps = data['steps'] as unknown as readonly { title: string }[];
    expect(steps.map(({ title }) => title)).toEqual(levels);
  });

  it('needs the result at risk control’s own level, whoever comes after it', async () => {
    const partner = await rules.aPartner();
    const id = await credit.submitted(partner, {
      apply_amount: '3000000.00',
      financials: [await aReport()],
    });
    const bare = await credit.approve('rk.aa', id);
    expect([bare.status, bare.problems]).toEqual([
      400,
      [
        { path: 'score', code: 'credit', message: '请填写风险评分（由风控填写）' },
        { path: 'approved_amount', code: 'credit', message: '请填写批复额度（由风控填写）' },
      ],
    ]);
    const half = await credit.approve('rk.aa', id, { score: 80 });
    expect(told(half)).toBe('approved_amount: 请填写批复额度（由风控填写）');
    const late = await credit.approve('rk.aa', id, { ...RESULT, approved_to: day(-1) });
    expect(told(late)).toBe('approved_to: 批复到期日须晚于起始日期');
    expect((await rules.stored('credit_line_application', id))['score']).toBeNull();
    await must(credit.approve('rk.aa', id, { ...RESULT, approved_to: day(200) }));
    await must(credit.approve('fn.aa', id));
    await must(credit.approve('gm.aa', id));
    expect(await credit.linesOf(partner)).toMatchObject([
      { status: 'active', amount: '300000.00', valid_to: day(200) },
    ]);
  });

  it('is raised, lowered and prolonged; a wrong wish is told at its field', async () => {
    const partner = await rules.aPartner();
    const wish = (changes: Fields) => credit.wish(partner, changes);
    expect(await wish({ apply_kind: 'increase' })).toEqual([
      null,
      'apply_kind: 该委托方还没有这一用途的额度，请选择新增',
    ]);
    await credit.granted(partner);
    expect(await wish({})).toEqual([null, 'apply_kind: 该委托方已有这一用途的额度，请选择调增、调减或延期']);
    for (const [apply_kind, says] of [
      ['increase', '调增后的额度须大于现有额度 300,000.00'],
      ['decrease', '调减后的额度须小于现有额度 300,000.00'],
    ])
      expect(await wish({ apply_kind, apply_amount: '300000.00' })).toEqual([null, `apply_amount: ${says}`]);
    await owes(partner, '200000.01');
    expect(await wish({ apply_kind: 'decrease', apply_amount: '200000.00' })).toEqual([
      null,
      'apply_amount: 调减后的额度不能少于已用额度 200,000.01',
    ]);
    const more = await credit.submitted(partner, { apply_kind: 'increase', apply_amount: '450000.00' });
    const same = await credit.approve('rk.aa', more, RESULT);
    expect(told(same)).toBe('approved_amount: 调增的批复额度须大于现有额度 300,000.00');
    await must(credit.approve('rk.aa', more, { score: 80, approved_amount: '420000.00' }));
    const less = await credit.submitted(partner, { apply_kind: 'decrease', apply_amount: '250000.00' });
    const below = await credit.approve('rk.aa', less, { score: 80, approved_amount: '200000.00' });
    expect(told(below)).toBe('approved_amount: 批复额度不能少于已用额度 200,000.01');
    await must(credit.approve('rk.aa', less, { score: 80, approved_amount: '200000.01' }));
    expect(await credit.linesOf(partner)).toMatchObject([
      { status: 'active', amount: '200000.01', used: '200000.01', available: '0.00' },
    ]);
  });

  it('is prolonged by an extension, to a later day and not beyond its amount', async () => {
    const partner = await rules.aPartner();
    await credit.granted(partner);
    const wish = (changes: Fields) => credit.wish(partner, { apply_kind: 'extend', ...changes });
    const same = { apply_amount: '300000.00' };
    for (const apply_amount of ['300000.01', '299999.99'])
      expect(await wish({ apply_amount, valid_to: day(350) })).toEqual([
        null,
        'apply_amount: 延期的申请额度须等于现有额度 300,000.00，改变额度请选择调增或调减',
      ]);
    expect(await wish(same)).toEqual([null, `valid_to: 延期后的到期日期须晚于现有到期日期 ${day(300)}`]);
    const id = await credit.submitted(partner, { apply_kind: 'extend', ...same, valid_to: day(350) });
    const early = await credit.approve('rk.aa', id, { ...RESULT, approved_to: day(300) });
    expect(told(early)).toBe(`approved_to: 延期的批复到期日须晚于现有到期日期 ${day(300)}`);
    await must(credit.approve('rk.aa', id, { ...RESULT, approved_to: day(301) }));
    expect(await credit.linesOf(partner)).toMatchObject([{ amount: '300000.00', valid_to: day(301) }]);
  });

  it('that has run out is prolonged with at least what is used, or replaced by a new one that takes it over', async () => {
    const partner = await rules.aPartner();
    await credit.granted(partner);
    await owes(partner, '120000.00');
    await rules.example.services.db.execute(
      `update credit_line set status = 'expired', valid_from = $2, valid_to = $3, used = 120000, exposure = 120000 where partner_id = $1::uuid`,
      [partner, day(-300), day(-1)],
    );
    const extension = { apply_kind: 'extend', apply_amount: '300000.00' };
    const id = await credit.submitted(partner, extension);
    const little = { score: 80, approved_amount: '100000.00' };
    const says = 'approved_amount: 批复额度不能少于已用额度 120,000.00';
    expect(told(await credit.approve('rk.aa', id, little))).toBe(says);
    const anew = await credit.submitted(partner);
    expect(told(await credit.approve('rk.aa', anew, little))).toBe(says);
    await must(credit.approve('rk.aa', anew, RESULT));
    expect(await credit.linesOf(partner)).toMatchObject([
      { status: 'expired', used: '0.00', available: '0.00' },
      { status: 'active', used: '120000.00', available: '180000.00' },
    ]);
    expect(told(await credit.approve('rk.aa', id, RESULT))).toBe(
      `approved_to: 延期的批复到期日须晚于现有到期日期 ${day(300)}`,
    );
  });

  it.each([
    ['increase', '450000.00'],
    ['decrease', '200000.00'],
    ['extend', '300000.00'],
    ['new', '300000.00'],
  ])('that is frozen takes no %s, asked for before or after', async (apply_kind, apply_amount) => {
    const partner = await rules.aPartner();
    await credit.granted(partner);
    const changes = { apply_kind, apply_amount, valid_to: day(350) };
    const waiting = apply_kind === 'new' ? null : await credit.submitted(partner, changes);
    const line = await lineId(partner);
    await must(rules.act('rk.aa', 'credit_line', line, 'freeze', { opinion: '逾期' }));
    const says = 'apply_kind: 该额度已冻结，解冻后才能申请';
    expect(await credit.wish(partner, changes)).toEqual([null, says]);
    if (waiting === null) return;
    const result = { score: 80, approved_amount: apply_amount };
    expect(told(await credit.approve('rk.aa', waiting, result))).toBe(says);
    await must(rules.act('rk.aa', 'credit_line', line, 'unfreeze'));
    await must(credit.approve('rk.aa', waiting, result));
    expect(await credit.linesOf(partner)).toMatchObject([{ status: 'active', amount: apply_amount }]);
  });

  it.each([
    ['2027-03-01', '2028-03-01', null],
    ['2027-03-01', '2028-03-02', 'valid_to: 授信期限不能超过1年'],
    ['2028-02-29', '2029-02-28', null],
    ['2028-02-29', '2029-03-01', 'valid_to: 授信期限不能超过1年'],
    ['2026-12-01', '2027-12-01', null],
    ['2026-12-01', '2027-12-02', 'valid_to: 授信期限不能超过1年'],
  ])('from %s to %s: %j', async (valid_from, valid_to, says) => {
    expect(await credit.wish(await rules.aPartner(), { valid_from, valid_to })).toEqual([says, null]);
  });

  it('comes once of two applications approved at once; the other is told why', async () => {
    const partner = await rules.aPartner();
    const ids = [await credit.submitted(partner), await credit.submitted(partner)];
    const answers = await Promise.all(ids.map((id) => credit.approve('rk.aa', id, RESULT)));
    expect(refusals(answers)).toEqual(['apply_kind: 该委托方已有这一用途的额度，请选择调增、调减或延期']);
    expect(await credit.linesOf(partner)).toHaveLength(1);
    const raise = { apply_kind: 'increase', apply_amount: '350000.00' };
    const raises = [await credit.submitted(partner, raise), await credit.submitted(partner, raise)];
    const granted = { score: 80, approved_amount: '350000.00' };
    const raised = await Promise.all(raises.map((id) => credit.approve('rk.aa', id, granted)));
    expect(refusals(raised)).toEqual(['approved_amount: 调增的批复额度须大于现有额度 350,000.00']);
    await credit.granted(partner, { purpose: 'rebate' });
    expect(await credit.linesOf(partner)).toMatchObject([{ amount: '350000.00' }, { amount: '300000.00' }]);
  });

  it('is frozen, freed and cancelled by those who may, with a reason and without debts', async () => {
    const partner = await rules.aPartner();
    await credit.granted(partner);
    const line = await lineId(partner);
    const act = (who: string, action: string, body: Fields = { opinion: '逾期' }) =>
      rules.act(who, 'credit_line', line, action, body);
    for (const who of ['sp.aa', 'fn.aa'])
      expect([who, (await act(who, 'freeze')).status]).toEqual([who, 403]);
    const expose = (amount: number) =>
      rules.example.services.db.execute(
        'update credit_line set used = $2, exposure = $2 where id = $1::uuid',
        [line, amount],
      );
    expect((await act('rk.aa', 'change')).status).toBe(403);
    expect(told(await act('rk.aa', 'freeze', {}))).toBe('opinion: 请填写意见');
    await must(act('rk.aa', 'freeze'));
    expect((await act('rk.aa', 'freeze')).status).toBe(409);
    await must(act('gm.aa', 'unfreeze'));
    await owes(partner, '100.00');
    await expose(100);
    expect(told(await act('rk.aa', 'cancel'))).toBe('额度已使用，不能撤销');
    await expose(0);
    await must(act('gm.aa', 'freeze'));
    await rules.example.services.db.execute('update credit_line set valid_to = $2 where id = $1::uuid', [
      line,
      day(-1),
    ]);
    expect(told(await act('rk.aa', 'unfreeze'))).toBe('额度已过到期日期');
    await must(act('rk.aa', 'cancel'));
    expect(await credit.linesOf(partner)).toMatchObject([{ status: 'cancelled', available: '0.00' }]);
    await credit.granted(partner);
    expect(await credit.linesOf(partner)).toHaveLength(2);
  });

  it('runs out by the clock, after one reminder', async () => {
    const partner = await rules.aPartner();
    await credit.granted(partner, { valid_to: day(20) });
    const { services } = rules.example;
    await runDailyActions(services);
    await runDailyActions(services);
    const [notice] = await services.db.query<{ n: number }>(
      `select count(*)::int as n from sys_notice n join credit_line c on c.id = n.record_id
       where n.event = 'CREDIT_EXPIRING' and c.partner_id = $1::uuid and n.person_id = $2::uuid`,
      [partner, await rules.idOf('sp.aa')],
    );
    expect(notice?.n).toBe(1);
    await services.db.execute('update credit_line set valid_to = $2 where partner_id = $1::uuid', [
      partner,
      day(-1),
    ]);
    await runDailyActions(services);
    expect(await credit.linesOf(partner)).toMatchObject([{ status: 'expired', available: '0.00' }]);
  });
});
