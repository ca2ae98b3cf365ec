import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emitEvent, emitSystemEvent } from '#server/workflow/events/emit-event.ts';
import { tellFaultsOnce } from '#server/workflow/events/fault-notices.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { readRecord } from '#server/records/write/system-write.ts';
import { type Fields, must, type RulesExample, startRulesExample } from './rules-example.ts';

let rules: RulesExample;
let serial = 0;

beforeAll(async () => {
  rules = await startRulesExample({
    'ad.aa': 'AD',
    'tm.aa': 'TM',
    'sp.aa': 'SP',
    'cs.aa': 'CS',
    'rk.aa': 'RK',
    'fn.aa': 'FN',
  });
}, 600_000);
afterAll(() => rules.example.close());

interface Told {
  readonly who: string;
  readonly title: string;
  readonly content: string;
  readonly level: string;
  readonly is_live: boolean;
}

/** Who was told of an event since the test began, with the words. */
async function toldOf(event: string, record: string | null): Promise<readonly Told[]> {
  const rows = await rules.example.services.db.query(
    `select coalesce(p.personid, 'account') as who, n.title, n.content, n.level, n.is_live from sys_notice n
     left join person p on p.id = n.person_id where n.event = $1 and ($2::uuid is null or n.record_id = $2::uuid) order by 1`,
    [event, record],
  );
  return rows as unknown as readonly Told[];
}

/** Overrides an event by a row that starts as the shipped one; a second time changes that row. */
async function override(event: string, changes: Fields): Promise<string> {
  const { data } = await rules.as('ad.aa', 'GET', '/data/message_source/defaults');
  const shipped = (data as unknown as readonly { values: Fields; id: string | null }[]).find(
    ({ values }) => values['event_code'] === event,
  );
  const made = await must(
    rules.as('ad.aa', 'POST', '/data/message_source', { ...shipped?.values, ...changes }),
  );
  return String(made['id']);
}

function aMobile(): string {
  serial += 1;
  return `1370000${String(serial).padStart(4, '0')}`;
}

async function transfer(): Promise<string> {
  const partner = await rules.aPartner();
  const successor = await rules.idOf('sp2.aa');
  await must(rules.act('tm.aa', 'partner', partner, 'transfer', { inputs: { new_sales_id: successor } }));
  return partner;
}

async function mention(): Promise<string> {
  const partner = await rules.aPartner();
  const mentions = [await rules.idOf('fn.aa')];
  await must(
    rules.as('sp.aa', 'POST', `/comments/partner/${partner}`, { content: '请核对开票资料', mentions }),
  );
  return partner;
}

async function publish(): Promise<string> {
  const made = await must(
    rules.as('tm.aa', 'POST', '/data/news', {
      title: '国庆放假',
      category: '政策法规',
      content: '<p>十月一日至七日</p>',
      audience: 'staff',
    }),
  );
  await must(rules.act('tm.aa', 'news', String(made['id']), 'publish'));
  return String(made['id']);
}

async function blacklist(): Promise<string> {
  const partner = await rules.aPartner({ service_id: await rules.idOf('cs.aa') });
  await listed('partner', (await rules.stored('partner', partner))['name']);
  return partner;
}

/** Puts a name on the blacklist, as its last approval does. */
async function listed(kind: string, name: unknown): Promise<void> {
  const entry = await rules.given('blacklist', {
    kind,
    name,
    reason: '欺诈',
    source: '公司内部',
    status: 'active',
  });
  await runEffect('blacklist', entry, 'freeze_matches');
}

async function runEffect(key: string, id: string, effect: string): Promise<void> {
  const { services } = rules.example;
  await services.db.transaction(async (tx) => {
    const caller = systemCaller(services, 'AA');
    const resource = services.definitions.catalog().resources[key];
    const record = await readRecord({ tx, services, caller }, key, id);
    if (resource === undefined || record === null) throw new Error(`no ${key}`);
    const call = { tx, services, caller, resource, record, input: {}, action: 'submit', created: [] };
    await services.rules.effects.get(effect)?.(call);
  });
}

describe('a notice that the program sends', () => {
  it.each<readonly [string, () => Promise<string>, readonly string[], Partial<Told>]>([
    [
      'COMMENT_MENTION',
      mention,
      ['fn.aa'],
      { content: expect.stringMatching(/：请核对开票资料$/) as never, level: 'info' },
    ],
    [
      'NEWS_PUBLISHED',
      publish,
      ['sp.aa', 'fn.aa'],
      { title: '政策法规：国庆放假', content: '十月一日至七日' },
    ],
    [
      'PARTNER_CLAIMED',
      transfer,
      ['sp.aa', 'sp2.aa'],
      { title: expect.stringMatching(/^委托方更换业务员：宁波/) as never },
    ],
    [
      'PARTNER_FROZEN',
      blacklist,
      ['cs.aa', 'sp.aa', 'tr.aa'],
      { level: 'urgent', title: expect.stringMatching(/^委托方已冻结：宁波/) as never },
    ],
  ])('%s goes as its source says, and not at all when that is off', async (event, fire, who, words) => {
    const shipped = await toldOf(event, await fire());
    expect(shipped.map((told) => told.who)).toEqual(expect.arrayContaining([...who]));
    expect(shipped.every(({ is_live: isLive }) => isLive)).toBe(true);
    expect(shipped[0]).toMatchObject(words);
    const row = await override(event, { title_tpl: '改了：{name}', level: 'warn', channel: ['center'] });
    const changed = await toldOf(event, await fire());
    expect(changed.map((told) => told.who)).toEqual(expect.arrayContaining([...who]));
    expect(changed[0]).toMatchObject({
      level: 'warn',
      is_live: false,
      title: expect.stringMatching(/^改了：./),
    });
    await must(rules.act('ad.aa', 'message_source', row, 'disable'));
    expect(await toldOf(event, await fire())).toEqual([]);
  });

  it('names the new salesperson of a transferred partner', async () => {
    const [told] = (await toldOf('PARTNER_CLAIMED', null)).filter(({ level }) => level === 'info');
    const successor = await rules.stored('person', await rules.idOf('sp2.aa'));
    expect(told?.content).toContain(`现由${String(successor['name'])}跟进`);
  });

  it('freezes other parties of the blacklist in their own words', async () => {
    const { services } = rules.example;
    await services.db.execute(`delete from message_source where event_code = 'PARTNER_FROZEN'`);
    const supplier = await rules.given('supplier', {
      name: '黑名单供应商有限公司',
      business_type: 'self',
      status: 'active',
      sales_id: rules.example.masters.sales,
      dept_code: 'AA',
    });
    await listed('supplier', '黑名单供应商有限公司');
    const told = await toldOf('PARTNER_FROZEN', supplier);
    expect(told.map(({ who }) => who)).toEqual(expect.arrayContaining(['cs.aa', 'sp.aa', 'tr.aa']));
    expect(told[0]?.title).toBe('供应商已停用：黑名单供应商有限公司');
  });

  it('tells the successor of who leaves, as its source says', async () => {
    const leaver = await rules.idOf('fn2.aa');
    const successor = await rules.idOf('sp.aa');
    await rules.aPartner({ sales_id: leaver });
    await override('RECORDS_HANDED_OVER', { content_tpl: '{person}：{opinion}' });
    await must(rules.act('ad.aa', 'person', leaver, 'disable', { inputs: { successor_id: successor } }));
    const told = await toldOf('RECORDS_HANDED_OVER', leaver);
    expect(told.map(({ who }) => who)).toEqual(['sp.aa']);
    expect(told[0]?.content).toMatch(/：1 份未完结的单据由您接任$/);
  });

  it('tells administrators of every company of what is no record’s', async () => {
    const { services } = rules.example;
    const fire = () =>
      services.db.transaction((tx) =>
        emitSystemEvent(tx, services, {
          event: 'DEFINITION_FAULT',
          companies: ['AA', 'AE'],
          words: { opinion: '第一行' },
        }),
      );
    await fire();
    const told = await toldOf('DEFINITION_FAULT', null);
    expect(told.map(({ who }) => who)).toEqual(['ad.aa', 'ad.ae']);
    expect(told[0]).toMatchObject({ level: 'urgent', content: '第一行' });
    const row = await override('DEFINITION_FAULT', {});
    await must(rules.act('ad.aa', 'message_source', row, 'disable'));
    await fire();
    expect(await toldOf('DEFINITION_FAULT', null)).toHaveLength(told.length);
  });

  it('tells of the same faults once, by text message alone too', async () => {
    const { services } = rules.example;
    const mobile = aMobile();
    await services.db.execute(`delete from message_source where event_code = 'DEFINITION_FAULT'`);
    await services.db.execute(`update person set mobile = $1 where personid = 'ad.aa'`, [mobile]);
    await override('DEFINITION_FAULT', { channel: ['sms'] });
    for (const words of ['共1处错误', '共1处错误', '共2处错误']) await tellFaultsOnce(services, words);
    expect(await rules.smsTo(mobile)).toEqual(['定义文件有误：共1处错误', '定义文件有误：共2处错误']);
  });
});

/** The partner's last approval, as its rules see it. */
async function activate(account: Fields): Promise<string> {
  const id = await rules.aPartner({ accounts: [{ name: '王', status: 'disabled', ...account }] });
  await runEffect('partner', id, 'activate_partner');
  return id;
}

describe('a customer', () => {
  it('is told of the own records that are open to customers, and of no others', async () => {
    const { services } = rules.example;
    const partner_id = await rules.aPartner({
      accounts: [{ mobile: aMobile(), name: '王', status: 'active' }],
    });
    const refuse = async (key: string, values: Fields): Promise<readonly string[]> => {
      const id = await rules.given(key, { partner_id, dept_code: 'AA', status: 'rejected', ...values });
      await services.db.transaction(async (tx) => {
        const call = openSystemCall(services, systemCaller(services, 'AA'), key);
        const record = (await readRecord({ ...call, tx }, key, id)) ?? {};
        await emitEvent(tx, call, { event: 'TASK_REJECTED', record, also: [rules.example.masters.sales] });
      });
      return (await toldOf('TASK_REJECTED', id)).map(({ who }) => who);
    };
    expect(await refuse('letter_of_credit', { lc_no: 'LC-TOLD', business_type: 'agency' })).toEqual([
      'account',
      'sp.aa',
    ]);
    expect(await refuse('partner_rate', {})).toEqual(['sp.aa']);
    expect(await refuse('project', { name: '内部项目' })).toEqual(['sp.aa']);
  });
});

describe('an approved partner', () => {
  it('gets one short message with the first password, as the source says', async () => {
    const mobile = aMobile();
    const id = await activate({ mobile });
    const sent = await rules.smsTo(mobile);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(/^委托方已生效：.*可以登录平台。.*初始密码 \w+/);
    expect((await toldOf('PARTNER_ACTIVATED', id)).map(({ who }) => who)).toEqual(['account', 'sp.aa']);
    const sales = await rules.stored('person', rules.example.masters.sales);
    await expect(rules.smsTo(String(sales['mobile']))).resolves.toEqual([]);
  });

  it('is told the first password where the notice comes without a short message', async () => {
    const row = await override('PARTNER_ACTIVATED', { channel: ['center'] });
    const mobile = aMobile();
    await activate({ mobile });
    expect(await rules.smsTo(mobile)).toEqual([expect.stringMatching(/^您的企业「.*初始密码 \w+/)]);
    await must(rules.act('ad.aa', 'message_source', row, 'disable'));
    const other = aMobile();
    const id = await activate({ mobile: other });
    expect(await rules.smsTo(other)).toEqual([expect.stringMatching(/初始密码 \w+/)]);
    expect(await toldOf('PARTNER_ACTIVATED', id)).toEqual([]);
  });
});
