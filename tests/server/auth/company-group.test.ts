import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Subject } from '#engine/schema/resource.ts';
import { openAnyCall } from '#server/records/call/open-call.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { insertRecord } from '#server/records/write/system-write.ts';
import { type Fields, type RulesExample, startRulesExample } from '../rules/rules-example.ts';

let rules: RulesExample;

beforeAll(async () => {
  rules = await startRulesExample({
    'ad.aa': 'AD',
    'ad.ae': 'AD',
    'gm.aa': 'GM',
    'gm.ae': 'GM',
    'fn.ae': 'FN',
    'tm.ae': 'TM',
  });
}, 600_000);
afterAll(() => rules.example.close());

const recordsOf = async (who: string, key: string, body: Fields = {}): Promise<readonly Fields[]> => {
  const { data } = await rules.as(who, 'POST', `/data/${key}/query`, { pageSize: 1000, ...body });
  return data['records'] ?? [];
};
const companiesIn = (records: readonly Fields[]): readonly unknown[] =>
  [...new Set(records.map(({ co_code: company }) => String(company)))].toSorted((a, b) => (a < b ? -1 : 1));

/** What somebody reads when the conditions of the role are gone from every statement: the wall of the database is left. */
async function withoutFirstWall(subject: Partial<Subject>, key: string): Promise<readonly Fields[]> {
  const { services } = rules.example;
  const system = systemCaller(services, 'AE');
  const person = { ...system.subject, super_permission: false, ...subject };
  const told = openAnyCall(services, { ...system, subject: person }, key);
  const open = { rows: {}, companies: 'all' as const };
  const access = {
    ...told.access,
    ...open,
    operations: new Set(['list', 'read']),
    hidden: new Set<string>(),
  };
  const call = { ...told, access };
  const { records } = await queryRecords(call, parseListRequest(call, {}));
  const own = new Set(records.map(({ id }) => id));
  const found = await queryRecords(call, parseListRequest(call, { keyword: '宁波' }));
  expect(found.records.filter(({ id }) => !own.has(id))).toEqual([]);
  for (const { id } of await services.db.query<{ id: string }>(`select id from ${key}`, [])) {
    const isOpen = await getRecord(call, id).then(() => true).catch(() => false); // prettier-ignore
    expect([id, isOpen]).toEqual([id, own.has(id)]);
  }
  return records;
}

describe('the second wall', () => {
  it('keeps companies and partners apart where the first one is gone', async () => {
    const { masters, services } = rules.example;
    const other = await rules.aPartner({ name: '宁波第二道墙有限公司' });
    expect(await withoutFirstWall({ co_code: 'AE' }, 'partner')).toEqual([]);
    expect(await withoutFirstWall({ co_code: 'AE' }, 'buyer')).toEqual([]);
    const [all] = await services.db.query<{ n: number }>('select count(*)::int as n from partner', []);
    expect(await withoutFirstWall({ co_code: 'AA' }, 'partner')).toHaveLength(Number(all?.n));
    const partner = { co_code: 'AA', kind: 'partner' as const, role_code: 'PT', partner_id: other };
    expect(await withoutFirstWall(partner, 'partner')).toEqual([expect.objectContaining({ id: other })]);
    expect(await withoutFirstWall(partner, 'buyer')).toEqual([]);
    const owner = { ...partner, partner_id: masters.partner };
    expect(await withoutFirstWall(owner, 'buyer')).toEqual([expect.objectContaining({ id: masters.buyer })]);
  });
});

describe('the group', () => {
  it('is administered by ad.aa alone', async () => {
    const rows = await rules.example.services.db.query(
      'select personid from person where super_permission order by personid',
    );
    expect(rows).toEqual([{ personid: 'ad.aa' }]);
    expect(companiesIn(await recordsOf('ad.aa', 'person'))).toEqual(['AA', 'AE']);
  });

  it.each(['ad.ae', 'gm.ae'])('is not that of %s, who sees the own people', async (who) => {
    expect(companiesIn(await recordsOf(who, 'person'))).toEqual(['AE']);
    expect(await recordsOf(who, 'person', { keyword: 'sp.aa' })).toEqual([]);
    const foreign = await rules.idOf('sp.aa');
    for (const path of ['', '/history', '/neighbours'])
      expect((await rules.as(who, 'GET', `/data/person/${foreign}${path}`)).data).not.toHaveProperty('name');
    expect((await rules.as(who, 'GET', `/data/person/${foreign}`)).status).toBe(404);
  });

  it('keeps its people from the administrators of its companies', async () => {
    const foreign = await rules.idOf('sp.aa');
    const { version } = await rules.stored('person', foreign);
    for (const [method, path, body] of [
      ['PATCH', '', { version: 1, name: '换' }],
      ['POST', '/actions/disable', { version: 1, inputs: {} }],
      ['POST', '/actions/reset_password', { version: 1 }],
    ] as const)
      expect((await rules.as('ad.ae', method, `/data/person/${foreign}${path}`, body)).status).toBe(404);
    expect(await rules.stored('person', foreign)).toMatchObject({ version, status: 'active' });
  });

  it.each<readonly [string, string, Fields]>([
    ['ad.ae', 'role', { code: 'XX', name: '试验' }],
    ['ad.ae', 'permission_rule', { resource: 'person', actions: ['list'] }],
    ['ad.ae', 'dictionary', { name: 'unit', label: '单位' }],
    ['ad.ae', 'message_source', { event_code: 'X' }],
    ['ad.ae', 'help_article', { title: '题' }],
    ['ad.ae', 'currency_rate', { currency: 'USD' }],
    ['tm.ae', 'hs_code', { code: '8481100001' }],
    ['fn.ae', 'bank', { name: '银行' }],
    ['fn.ae', 'cnaps', { name: '支行' }],
  ])('has its common data written by nobody else: %s, %s', async (who, key, values) => {
    const before = await rules.example.services.db.query(`select id, version from ${key} order by id`);
    expect((await rules.as(who, 'POST', `/data/${key}`, values)).status).toBe(403);
    const id = String(before[0]?.['id'] ?? '00000000-0000-7000-8000-000000000001');
    expect((await rules.as(who, 'PATCH', `/data/${key}/${id}`, { version: 1, remark: 'x' })).status).toBe(
      403,
    );
    expect((await rules.as(who, 'DELETE', `/data/${key}/${id}?version=1`)).status).toBe(403);
    const off = await rules.as(who, 'POST', `/data/${key}/${id}/actions/disable`, { version: 1 });
    expect([403, 404]).toContain(off.status);
    expect((await rules.as(who, 'GET', `/data/${key}/import/template`)).status).toBe(403);
    expect(await rules.example.services.db.query(`select id, version from ${key} order by id`)).toEqual(
      before,
    );
  });

  it('is not opened by a scope that a company gives its own people', async () => {
    const id = await rules.idOf('fn.ae');
    await rules.example.services.db.execute(`update person set scope_override = 'all' where id = $1::uuid`, [
      id,
    ]);
    await rules.aPartner();
    const token = await rules.example.signIn('fn.ae', 'FN');
    const { data } = await rules.example.call(token, 'POST', '/data/partner/query', {});
    expect(data['records']).toEqual([]);
  });

  it.each(['blacklist', 'partner_rate'])('is not that of a general manager: %s', async (key) => {
    expect(companiesIn(await recordsOf('gm.ae', key))).not.toContain('AA');
  });

  it('is entered by nobody who is not let in', async () => {
    const own = await rules.idOf('fn.ae');
    const { version } = await rules.stored('person', own);
    const refused = await rules.as('ad.ae', 'PATCH', `/data/person/${own}`, {
      version: Number(version),
      super_permission: true,
    });
    expect([refused.status, refused.problems[0]?.path]).toEqual([400, 'super_permission']);
    const holder = await rules.example.services.db.transaction(async (tx) => {
      const context = {
        tx,
        services: rules.example.services,
        caller: systemCaller(rules.example.services, 'AE'),
      };
      const like = await rules.stored('person', own);
      const { dept_id, role_ids, password } = like;
      const fields = { dept_id, role_ids, password, status: 'active', super_permission: true };
      return insertRecord(context, 'person', {
        ...fields,
        personid: 'group.ae',
        name: '集团',
        mobile: '13812345678',
      });
    });
    const id = String(holder['id']);
    for (const [method, path, body] of [
      ['PATCH', '', { version: 1, mobile: '13800009999' }],
      ['PATCH', '', { version: 1, super_permission: false }],
      ['POST', '/actions/reset_password', { version: 1 }],
      ['POST', '/actions/disable', { version: 1, inputs: {} }],
    ] as const)
      expect((await rules.as('ad.ae', method, `/data/person/${id}${path}`, body)).status).toBe(400);
    expect(await rules.stored('person', id)).toMatchObject({ mobile: '13812345678', super_permission: true });
  });
});
