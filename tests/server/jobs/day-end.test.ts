import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, addMonths } from '#engine/values/dates.ts';
import { failLostImports } from '#server/business/setup/hs-import-job.ts';
import { addJob } from '#server/kernel/worker.ts';
import { failLostExports } from '#server/workflow/transfer/export-job.ts';
import { failLostMails } from '#server/workflow/mail/mail-job.ts';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import { remindOfTasks } from '#server/workflow/jobs/task-reminders.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';

let rules: RulesExample;

beforeAll(async () => {
  rules = await startRulesExample({ 'sp.aa': 'SP', 'ad.aa': 'AD' });
}, 600_000);
afterAll(() => rules.example.close());

/** A day of Shanghai, counted from today. */
function day(offset: number): string {
  const instant = new Date(Date.now() + offset * 86_400_000);
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(instant);
}

async function anAgreement(endDate: string, values: Fields = {}): Promise<string> {
  return rules.given('cooperation_agreement', {
    partner_id: rules.example.masters.partner,
    agreement_type: 'service',
    export_mode: 'buyout',
    start_date: day(-300),
    end_date: endDate,
    auto_renew: false,
    sales_id: rules.example.masters.sales,
    dept_code: 'AA',
    status: 'effective',
    ...values,
  });
}

async function aPolicy(lastDay: string, limits: readonly Fields[] = []): Promise<string> {
  return rules.given('insurance_policy', {
    ...{ policy_no: `P${lastDay}${String(limits.length)}`, insurer: '信保', kind: 'sinosure', product: '综合险', insured: '试验' },
    ...{ business_types: ['agency'], valid_from: day(-400), valid_to: lastDay, declare_days: 10, status: 'approved' },
    limits,
  }); // prettier-ignore
}

async function statusOf(table: string, id: string): Promise<unknown> {
  return (await rules.stored(table, id))['status'];
}

async function countOf(text: string, values: readonly unknown[]): Promise<number> {
  const [row] = await rules.example.services.db.query<{ n: number }>(text, [...values]);
  return row?.n ?? -1;
}

async function aTask(dueAt: string, assignee: string): Promise<string> {
  const agreement = await anAgreement(day(200));
  await rules.given('approval_task', {
    resource: 'cooperation_agreement',
    record_id: agreement,
    assignee_ids: [assignee],
    due_at: dueAt,
    status: 'pending',
  });
  return agreement;
}

async function toldOf(record: string): Promise<number> {
  return countOf(
    `select count(*)::int as n from sys_notice where event = 'TASK_TIMEOUT' and record_id = $1::uuid and person_id = $2::uuid`,
    [record, await rules.idOf('sp.aa')],
  );
}

async function toldFor(event: string, record: string): Promise<readonly string[]> {
  const rows = await rules.example.services.db.query<{ who: string }>(
    `select p.personid as who from sys_notice n join person p on p.id = n.person_id
     where n.event = $1 and n.record_id = $2::uuid order by 1`,
    [event, record],
  );
  return rows.map(({ who }) => who);
}

describe('the day-end job', () => {
  it('expires agreements after their last day, and marks those of the next thirty days', async () => {
    const ended = await anAgreement(day(-1));
    const renewing = await anAgreement(day(-1), { auto_renew: true });
    const lastDay = await anAgreement(day(0));
    const near = await anAgreement(day(30));
    const far = await anAgreement(day(31));
    const draft = await anAgreement(day(-1), { status: 'draft' });
    await runDailyActions(rules.example.services);
    const states = await Promise.all(
      [ended, renewing, lastDay, near, far, draft].map((id) => statusOf('cooperation_agreement', id)),
    );
    expect(states).toEqual(['expired', 'effective', 'expiring', 'expiring', 'effective', 'draft']);
  });

  it('renews agreements by themselves for their old term, twice at most, and not beside a renewal by hand', async () => {
    const { services } = rules.example;
    const endOf = async (id: string): Promise<readonly unknown[]> => {
      const { status, end_date, renewed_times } = await rules.stored('cooperation_agreement', id);
      return [status, end_date, Number(renewed_times ?? 0)];
    };
    const today = day(0);
    /** The day after a term of whole years that ends today. */
    const yearsAgo = (count: number): string => addMonths(addDays(today, 1), -12 * count);
    const year = await anAgreement(today, { auto_renew: true, start_date: yearsAgo(1) });
    const again = await anAgreement(today, { auto_renew: true, start_date: yearsAgo(2), renewed_times: 1 });
    const odd = await anAgreement(today, { auto_renew: true, start_date: day(-99), status: 'expiring' });
    const often = await anAgreement(day(-1), { auto_renew: true, renewed_times: 2 });
    const byHand = await anAgreement(day(-1), { auto_renew: true });
    await anAgreement(day(364), {
      ...{ agreement_type: 'renewal', prev_agreement_id: byHand, start_date: today, status: 'draft' },
    });
    await runDailyActions(services);
    const next = addDays(addMonths(addDays(today, 1), 12), -1);
    expect(await Promise.all([year, again, odd, often, byHand].map(endOf))).toEqual([
      ['effective', next, 1],
      ['effective', next, 2],
      ['effective', day(100), 1],
      ['expired', day(-1), 2],
      ['expired', day(-1), 0],
    ]);
    await runDailyActions(services);
    expect(await endOf(year)).toEqual(['effective', next, 1]);
  });

  it('starts what is signed on its first day, with no second visit', async () => {
    const { services } = rules.example;
    const old = await anAgreement(day(-1));
    const next = {
      agreement_type: 'renewal',
      prev_agreement_id: old,
      sign_date: day(-9),
      status: 'approved',
    };
    const [due, early, unsigned] = [
      await anAgreement(day(364), { ...next, start_date: day(0) }),
      await anAgreement(day(365), { ...next, start_date: day(1) }),
      await anAgreement(day(364), { ...next, start_date: day(0) }),
    ];
    await services.db.query(
      'update cooperation_agreement set scan = array[gen_random_uuid()] where id = any($1::uuid[])',
      [[due, early]],
    );
    await runDailyActions(services);
    const states = [old, due, early, unsigned].map((id) => statusOf('cooperation_agreement', id));
    expect(await Promise.all(states)).toEqual(['renewed', 'effective', 'approved', 'approved']);
    expect(await toldFor('AGREEMENT_EFFECTIVE', due)).not.toEqual([]);
  });

  it('opens partners without business to be claimed, and those whose salesperson has left', async () => {
    const { services, masters } = rules.example;
    const left = await rules.idOf('sp2.aa');
    const idle = await rules.aPartner({ last_business_date: day(-181) });
    const busy = await rules.aPartner({ last_business_date: day(-180) });
    const never = await rules.aPartner({
      approved_at: new Date(Date.now() - 200 * 86_400_000).toISOString(),
    });
    const fresh = await rules.aPartner({ approved_at: new Date().toISOString() });
    const claimed = await rules.aPartner({ last_business_date: day(-400), claimed_on: day(-3) });
    const deserted = await rules.aPartner({ last_business_date: day(-1), sales_id: left });
    const frozen = await rules.aPartner({ last_business_date: day(-400), status: 'frozen' });
    await services.db.execute(`update person set status = 'disabled' where id = $1::uuid`, [left]);
    await runDailyActions(services);
    const all = [idle, busy, never, fresh, claimed, deserted, frozen];
    const rows = await Promise.all(all.map((id) => rules.stored('partner', id)));
    expect(rows.map((row) => row['open_pool'] === true)).toEqual([
      true,
      false,
      true,
      false,
      false,
      true,
      false,
    ]);
    expect((await rules.act('sp.aa', 'partner', idle, 'claim')).status).toBe(200);
    await runDailyActions(services);
    expect(await rules.stored('partner', idle)).toMatchObject({
      open_pool: false,
      claimed_on: day(0),
      sales_id: masters.sales,
    });
  });

  it('disables who has left, and tells once a day of whom nobody has taken over from', async () => {
    const { services } = rules.example;
    const { dept_id, role_ids } = await rules.stored('person', await rules.idOf('sp.aa'));
    const aPerson = (mobile: string, leave_date: string | null) =>
      rules.given('person', {
        ...{ personid: `left${mobile}`, name: `离职${mobile}`, password: 'Left-2026-x', status: 'active' },
        ...{ mobile, leave_date, dept_id, role_ids },
      });
    const [left, staying, owner] = [
      await aPerson('13700002001', day(0)),
      await aPerson('13700002002', day(1)),
      await aPerson('13700002003', day(-1)),
    ];
    await rules.aPartner({ sales_id: owner });
    await Promise.all([runDailyActions(services), runDailyActions(services)]);
    await runDailyActions(services);
    const states = [left, staying, owner].map((id) => statusOf('person', id));
    expect(await Promise.all(states)).toEqual(['disabled', 'active', 'active']);
    const told = await services.db.query(
      `select content from sys_notice where event = 'LEAVE_REFUSED' order by content`,
    );
    expect(told).toEqual([
      {
        content: `离职13700002003的离职日期${day(-1)}已到，账号已不能登录，但未能停用：名下还有未完结的单据，请选择接任人`,
      },
    ]);
    expect(await toldFor('LEAVE_REFUSED', owner)).toEqual(['ad.aa']);
    const refused = await rules.act('ad.aa', 'person', left, 'enable');
    expect(refused.problems).toMatchObject([{ message: '离职日期已到，请先清除离职日期或改为今后的日期' }]);
    await must(
      rules.act('ad.aa', 'person', owner, 'disable', { inputs: { successor_id: await rules.idOf('sp.aa') } }),
    );
  });

  it('does each record once when several processes run it at once', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => anAgreement(day(10))));
    const { services } = rules.example;
    await Promise.all([runDailyActions(services), runDailyActions(services), runDailyActions(services)]);
    await runDailyActions(services);
    const audits = await countOf(
      `select count(*)::int as n from sys_audit where record_id::text = any($1) and action = 'mark_expiring'`,
      [ids],
    );
    expect(audits).toBe(ids.length);
  });

  it('disables relations that are past their validity', async () => {
    const { relation } = rules.example.masters;
    await rules.example.services.db.execute('update relation set valid_to = $2 where id = $1::uuid', [
      relation,
      day(-1),
    ]);
    await runDailyActions(rules.example.services);
    expect(await statusOf('relation', relation)).toBe('disabled');
  });
});

describe('warnings before a date', () => {
  const own = { business_type: 'self', dept_code: 'AA' };
  it('come as early as the company’s parameter says, and the notice source wins over it', async () => {
    const { services } = rules.example;
    const near = await anAgreement(day(40));
    const far = await anAgreement(day(60));
    const policies = [await aPolicy(day(40)), await aPolicy(day(41)), await aPolicy(day(-1))];
    await rules.given('system_default', {
      param: 'AGREEMENT_WARN_DAYS',
      kind: 'number',
      value: '40',
      effective_from: day(0),
    });
    await services.definitions.refreshOverrides();
    await runDailyActions(services);
    const states = () =>
      Promise.all([near, far].map(async (id) => (await rules.stored('cooperation_agreement', id))['status']));
    expect(await states()).toEqual(['expiring', 'effective']);
    expect(await toldFor('AGREEMENT_EXPIRING', near)).toEqual(['sp.aa']);
    await runDailyActions(services);
    const told = await Promise.all(policies.map((id) => toldFor('POLICY_EXPIRING', id)));
    expect(told).toEqual([['rk.aa', 'rk2.aa'], [], []]);
    const { data } = await rules.as('ad.aa', 'GET', '/data/message_source/defaults');
    const shipped = (data as unknown as readonly { readonly values: Fields }[]).find(
      ({ values }) => values['event_code'] === 'AGREEMENT_EXPIRING',
    );
    expect(shipped?.values['advance_days']).toBe(40);
    await must(rules.as('ad.aa', 'POST', '/data/message_source', { ...shipped?.values, advance_days: 60 }));
    await runDailyActions(services);
    expect(await states()).toEqual(['expiring', 'expiring']);
  });

  it('of the limits of a buyer end them on the day after their last one', async () => {
    const { services, masters } = rules.example;
    const line = {
      buyer_id: masters.buyer,
      payment_term: 'OA',
      term_days: 60,
      apply_amount: '1000',
      amount: '1000',
    };
    const policy = await aPolicy(day(300), [
      { ...line, limit_no: 'L1', valid_to: day(-1), status: 'active' },
      { ...line, limit_no: 'L2', valid_to: day(0), status: 'adjusted' },
      { ...line, limit_no: 'L3', valid_to: day(-1), status: 'revoked' },
    ]); // prettier-ignore
    await runDailyActions(services);
    const rows = await services.db.query<{ status: string }>(
      'select status from insurance_policy__limits where parent_id = $1::uuid order by line_order',
      [policy],
    );
    expect(rows.map(({ status }) => status)).toEqual(['expired', 'adjusted', 'revoked']);
    expect((await rules.stored('buyer', masters.buyer))['limit_amount']).toBe('1000.00');
  });

  it('of a letter of credit come once for each date, to its salesperson and the documents', async () => {
    const { services, masters } = rules.example;
    const lc = await rules.given('letter_of_credit', {
      ...own,
      lc_no: 'LC-DUE-1',
      sales_id: masters.sales,
      latest_shipment: day(7),
      expiry_date: day(28),
      status: 'examined',
    });
    const later = await rules.given('letter_of_credit', {
      ...own,
      lc_no: 'LC-DUE-2',
      latest_shipment: day(8),
      expiry_date: day(28),
      status: 'examined',
    });
    await runDailyActions(services);
    await runDailyActions(services);
    expect(await toldFor('LC_DUE', lc)).toEqual(['dc.aa', 'sp.aa']);
    expect(await toldFor('LC_DUE', later)).toEqual([]);
    await services.db.transaction((tx) =>
      updateRecordFields({ tx, services, caller: systemCaller(services, 'AA') }, 'letter_of_credit', {
        id: lc,
        fields: { status: 'shipped', expiry_date: day(5) },
      }),
    );
    await runDailyActions(services);
    expect(await toldFor('LC_DUE', lc)).toHaveLength(4);
  });

  it('of a declaration to the insurer come once, to risk control and the salesperson', async () => {
    const { services, masters } = rules.example;
    const make = (shipDate: string, kind = 'sinosure') =>
      rules.given('insurance_application', {
        ...own,
        kind,
        sales_id: masters.sales,
        ship_date: shipDate,
        status: 'approved',
      });
    const [near, far, cargo] = [await make(day(-7)), await make(day(-6)), await make(day(-7), 'cargo')];
    await runDailyActions(services);
    await runDailyActions(services);
    expect(await toldFor('DECLARE_DUE', near)).toEqual(['rk.aa', 'rk2.aa', 'sp.aa']);
    expect(await toldFor('DECLARE_DUE', far)).toEqual([]);
    expect(await toldFor('DECLARE_DUE', cargo)).toEqual([]);
  });
});

describe('reminders of late approvals', () => {
  /** The notices and text messages of one late task, after so many rounds. */
  async function remindedOf(rounds: number, mobile: string): Promise<readonly number[]> {
    const { services } = rules.example;
    const person = await rules.idOf('sp.aa');
    await services.db.execute('update person set mobile = $2 where id = $1::uuid', [person, mobile]);
    const late = await aTask(new Date(Date.now() - 60_000).toISOString(), person);
    for (let round = 0; round < rounds; round += 1) await remindOfTasks(services);
    return [await toldOf(late), (await rules.smsTo(mobile)).length];
  }

  it('come once a task whatever their channels are, and later when they were off', async () => {
    const { services } = rules.example;
    const source = await rules.given('message_source', {
      ...{ event_code: 'TASK_TIMEOUT', name: '审核超时', title_tpl: '审核超时', content_tpl: '请处理' },
      ...{ level: 'warn', channel: ['sms'], is_addressed: true, status: 'active' },
    });
    const set = (column: 'channel' | 'status', value: unknown) =>
      services.db.execute(`update message_source set ${column} = $2 where id = $1::uuid`, [source, value]);
    expect(await remindedOf(3, '13700000901')).toEqual([0, 1]);
    await set('channel', ['center', 'sms']);
    expect(await remindedOf(2, '13700000902')).toEqual([1, 1]);
    await set('status', 'disabled');
    expect(await remindedOf(1, '13700000903')).toEqual([0, 0]);
    await set('status', 'active');
    await remindOfTasks(services);
    expect(await rules.smsTo('13700000903')).toHaveLength(1);
    await services.db.execute('delete from message_source where id = $1::uuid', [source]);
  });

  it('come once a task, also from several processes, and not before the time', async () => {
    const person = await rules.idOf('sp.aa');
    const late = await aTask(new Date(Date.now() - 60_000).toISOString(), person);
    const early = await aTask(new Date(Date.now() + 3_600_000).toISOString(), person);
    const { services } = rules.example;
    await Promise.all([remindOfTasks(services), remindOfTasks(services)]);
    await remindOfTasks(services);
    expect(await toldOf(late)).toBe(1);
    expect(await toldOf(early)).toBe(0);
  });
});

describe('what waits for a job that is gone, as after a restored backup', () => {
  const TOMORROW = { runAt: new Date(Date.now() + 86_400_000), maxAttempts: 4 };

  it('is a mail that fails and is not sent, so that its person decides', async () => {
    const { db } = rules.example.services;
    const aMail = async (status: string): Promise<string> => {
      const [row] = await db.query<{ id: string }>(
        `insert into sys_mail (id, resource, record_id, person_name, subject_of, to_addresses, cc_addresses, subject, body,
           attachments, prints, fingerprint, status, created_at)
         values (gen_random_uuid(), 'partner', gen_random_uuid(), '某人', '{}', '{a@b.example}', '{}', 's', 'b', '[]', '[]', '', $1,
           now()) returning id`,
        [status],
      );
      return row?.id ?? '';
    };
    const [lost, cut, sent, waits, sending] = [
      await aMail('waiting'),
      await aMail('sending'),
      await aMail('sent'),
      await aMail('waiting'),
      await aMail('sending'),
    ];
    await addJob(db, 'send_mail', { id: waits }, TOMORROW);
    await addJob(db, 'send_mail', { id: sending }, TOMORROW);
    // At its last try: it runs while it is locked.
    await db.execute(
      `update graphile_worker._private_jobs set attempts = max_attempts, locked_by = 'another', locked_at = now()
       where payload ->> 'id' = $1`,
      [sending],
    );
    await failLostMails(rules.example.services);
    const rows = await Promise.all(
      [lost, cut, sent, waits, sending].map((id) => rules.stored('sys_mail', id)),
    );
    const failed = ['failed', expect.stringContaining('可能已经发出')];
    expect(rows.map(({ status, error }) => [status, error])).toEqual([
      failed,
      failed,
      ['sent', null],
      ['waiting', null],
      ['sending', null],
    ]);
    const jobs = `select count(*)::int as n from graphile_worker._private_jobs where payload ->> 'id' = any($1)`;
    expect(await countOf(jobs, [[lost, cut]])).toBe(0);
  });

  it('is a mail whose sender hears of it, once', async () => {
    const { services } = rules.example;
    const agreement = await anAgreement(day(200));
    await services.db.execute(
      `insert into sys_mail (id, co_code, resource, record_id, person_id, person_name, subject_of, to_addresses, cc_addresses,
         subject, body, attachments, prints, fingerprint, status, created_at)
       values (gen_random_uuid(), 'AA', 'cooperation_agreement', $1::uuid, $2::uuid, '某人', '{}', '{a@b.example}', '{}', '协议',
         'b', '[]', '[]', '', 'waiting', now())`,
      [agreement, await rules.idOf('sp.aa')],
    );
    await failLostMails(services);
    await failLostMails(services);
    expect(await toldFor('MAIL_FAILED', agreement)).toEqual(['sp.aa']);
    const [told] = await services.db.query(
      `select content, link from sys_notice where event = 'MAIL_FAILED' and record_id = $1::uuid`,
      [agreement],
    );
    expect(told?.['content']).toMatch(/的邮件没有发出：协议；发送时中断，可能已经发出/);
    expect(told?.['link']).toContain(agreement);
  });

  it('is an export that its person asks for anew', async () => {
    const { db } = rules.example.services;
    const anExport = async (status: string): Promise<string> => {
      const [row] = await db.query<{ id: string }>(
        `insert into sys_job (id, co_code, person_id, kind, title, status, input)
         values (gen_random_uuid(), 'AA', $1, 'export', '导出', $2, '{}') returning id`,
        [await rules.idOf('sp.aa'), status],
      );
      return row?.id ?? '';
    };
    const [lost, list, report, done] = [
      await anExport('waiting'),
      await anExport('waiting'),
      await anExport('running'),
      await anExport('done'),
    ];
    await addJob(db, 'export_list', { id: list }, TOMORROW);
    await addJob(db, 'export_report', { id: report }, TOMORROW);
    await failLostExports(rules.example.services);
    const rows = await Promise.all([lost, list, report, done].map((id) => rules.stored('sys_job', id)));
    expect(rows.map(({ status, error }) => [status, error])).toEqual([
      ['failed', '任务中断，请重新导出'],
      ['waiting', null],
      ['running', null],
      ['done', null],
    ]);
  });

  it('is an import of HS codes that is begun anew', async () => {
    const { db } = rules.example.services;
    const [lost, waits] = [await rules.given('hs_code_import', {}), await rules.given('hs_code_import', {})];
    await db.execute(`update hs_code_import set status = 'looking' where id = any($1::uuid[])`, [
      [lost, waits],
    ]);
    await addJob(db, 'import_hs_codes', { id: waits }, TOMORROW);
    await failLostImports(rules.example.services);
    expect(await rules.stored('hs_code_import', lost)).toMatchObject({
      status: 'draft',
      fault: '导入已中断，请重新检查',
    });
    expect(await rules.stored('hs_code_import', waits)).toMatchObject({ status: 'looking' });
  });
});
