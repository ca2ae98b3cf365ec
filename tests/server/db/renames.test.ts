import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { migrate } from '#server/kernel/migrations/migrate.ts';
import { createCatalogDatabase, type TestDatabase } from '../../support/database.ts';
import { aCatalog, aContract, aCustomer, aLedger } from '../../support/definitions.ts';

/** What speaks of other definitions: rules of rights, flows with conditions, templates, and a ledger with its source. */
const rule = aCustomer({
  resource: 'rule',
  label: 'resource',
  fields: {
    resource: { type: 'text', title: '资源', names: 'resource' },
    hidden: { type: 'text', title: '隐藏', multiple: true, names: 'field' },
    pattern: { type: 'text', title: '编号规则', names: 'template' },
    condition: { type: 'json', title: '条件', json: 'filter' },
    levels: {
      type: 'lines',
      title: '级次',
      fields: { condition: { type: 'json', title: '条件', json: 'filter' } },
    },
  },
});
const message = aCustomer({
  resource: 'message',
  label: 'event',
  fields: {
    event: { type: 'text', title: '事件', names: 'event' },
    words: { type: 'text', title: '模板', names: 'template' },
  },
});
const entry = aLedger({
  fields: {
    source: { type: 'text', title: '来源' },
    source_id: { type: 'reference', title: '来源单据', to: { by: 'source' } },
  },
});
const lifecycle: NonNullable<ResourceDefinition['lifecycle']> = {
  initial: 'draft',
  states: { draft: { title: '草稿', edit: '*' }, approved: { title: '已审核' } },
  actions: { sign: { title: '签约', from: ['draft'], to: 'approved', event: 'SIGNED' } },
};
const before = aCatalog(aContract({ lifecycle }), aCustomer(), rule, message, entry);

const { contract_no, amount, items, ...others } = aContract().fields;
const { goods_name, ...cells } = items?.fields ?? {};
if (contract_no === undefined || amount === undefined || items === undefined || goods_name === undefined)
  throw new Error('the contract of the tests has changed');
const renamed = aCatalog(
  {
    ...aContract(),
    ...{ resource: 'sales_contract', was: 'contract', label: 'number', indexes: [] },
    unique: [{ fields: ['number'], ignoreCase: true }],
    fields: {
      number: { ...contract_no, was: 'contract_no' },
      ...others,
      total: { ...amount, was: 'amount' },
      rows: { ...items, was: 'items', fields: { ...cells, goods: { ...goods_name, was: 'goods_name' } } },
    },
    lifecycle: {
      ...lifecycle,
      states: { draft: { title: '草稿', edit: '*' }, agreed: { title: '已审核', was: 'approved' } },
      actions: { sign: { title: '签约', from: ['draft'], to: 'agreed', event: 'SIGNED' } },
    },
  },
  aCustomer(),
  rule,
  message,
  entry,
);

let database: TestDatabase;
let db: Database;
const id = randomUUID();
const person = randomUUID();

async function add(table: string, values: Record<string, unknown>): Promise<void> {
  const names = Object.keys(values);
  const given = Object.values(values).map((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value,
  );
  await db.execute(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    given,
  );
}

beforeAll(async () => {
  database = await createCatalogDatabase(before);
  db = openDatabase({ url: database.url });
  const of = { resource: 'contract', record_id: id };
  await add('contract', { id, co_code: 'AA', contract_no: 'A1', amount: '1.00', status: 'approved' });
  await add('contract__items', {
    id: randomUUID(),
    co_code: 'AA',
    parent_id: id,
    line_order: 1,
    goods_name: '茶',
  });
  await add('sys_audit', { id: randomUUID(), ...of, action: 'sign' });
  await add('sys_comment', { id: randomUUID(), ...of, person_id: person, person_name: '甲', content: '好' });
  await add('sys_notice', { id: randomUUID(), ...of, person_id: person, event: 'SIGNED', title: '签约' });
  await add('sys_read', { ...of, person_id: person, at: '2026-01-01' });
  await add('sys_counter', { co_code: 'AA', series: 'contract', scope: '2026', value: 7 });
  await add('sys_counter', { co_code: 'AA', series: 'sales_contract', scope: '2026', value: 3 });
  await add('sys_file', { id: randomUUID(), ...of, field: 'items.scan', name: 'a', size: 1, type: 'x', sha256: 'x', storage_key: 'x' }); // prettier-ignore
  await add('sys_derived', {
    resource: 'contract',
    search: 's',
    fields: { amount: 'h', 'items.pieces': 'h' },
  });
  await add('sys_approval_case', {
    id: randomUUID(), ...of, record_version: 1, action: 'sign', status: 'pending',
    flow: { before: { amount: '2.00', items: [{ goods_name: '瓷' }] } },
    snapshot: { contract_no: 'A1', status: 'approved', items: [{ goods_name: '茶', pieces: 1 }] },
  }); // prettier-ignore
  await add('sys_view', {
    id: randomUUID(), resource: 'contract', person_id: person, name: '我的',
    settings: {
      address: {
        fields: { contract_no: { contains: 'A' } },
        condition: { or: [{ status: { in: ['approved', 'draft'] } }, { 'items.goods_name': { eq: 'amount' } }] },
        sorters: ['-amount'],
      },
      layout: { order: ['contract_no', 'amount'], hidden: ['tags'], widths: { amount: 90 } },
    },
  }); // prettier-ignore
  await add('sys_import', { id: randomUUID(), person_id: person, resource: 'contract', rows: { rows: [{ body: { contract_no: 'B', items: [{ goods_name: '茶' }] } }] } }); // prettier-ignore
  const ruleId = randomUUID();
  await add('rule', { id: ruleId, co_code: 'AA', resource: 'contract', hidden: ['amount', 'items.goods_name'], pattern: '{contract_no}-{seq:3}', condition: { amount: { gt: '1' } } }); // prettier-ignore
  await add('rule__levels', { id: randomUUID(), co_code: 'AA', parent_id: ruleId, line_order: 1, condition: { status: { eq: 'approved' } } }); // prettier-ignore
  await add('message', {
    id: randomUUID(),
    co_code: 'AA',
    event: 'SIGNED',
    words: '{contract_no}：{amount}',
  });
  await add('ledger_entry', { id: randomUUID(), co_code: 'AA', source: 'contract', source_id: id });
  await migrate(db, renamed);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('a rename of resource, fields, lines, columns and state in one step', () => {
  it('keeps the values', async () => {
    expect(await db.query('select number, total, status, version from sales_contract')).toEqual([
      { number: 'A1', total: '1.00', status: 'agreed', version: 1 },
    ]);
    expect(await db.query('select goods from sales_contract__rows')).toEqual([{ goods: '茶' }]);
  });

  it.each([
    'sys_comment',
    'sys_notice',
    'sys_read',
    'sys_file',
    'sys_approval_case',
    'sys_view',
    'sys_import',
  ])('takes %s along', async (table) => {
    expect(await db.query(`select resource from ${table}`)).toEqual([{ resource: 'sales_contract' }]);
  });

  it('draws no number twice', async () => {
    expect(await db.query(`select series, value from sys_counter`)).toEqual([
      { series: 'sales_contract', value: '7' },
    ]);
  });

  it('says in saved views, files, imports and open approvals what things are called now', async () => {
    const [view] = await db.query('select settings from sys_view');
    expect(view?.['settings']).toEqual({
      address: {
        fields: { number: { contains: 'A' } },
        condition: { or: [{ status: { in: ['agreed', 'draft'] } }, { 'rows.goods': { eq: 'amount' } }] },
        sorters: ['-total'],
      },
      layout: { order: ['number', 'total'], hidden: ['tags'], widths: { total: 90 } },
    });
    expect(await db.query('select field from sys_file')).toEqual([{ field: 'rows.scan' }]);
    expect(await db.query('select snapshot from sys_approval_case')).toEqual([
      { snapshot: { number: 'A1', status: 'agreed', rows: [{ goods: '茶', pieces: 1 }] } },
    ]);
    // What comes back when a change is withdrawn.
    expect(await db.query('select flow from sys_approval_case')).toEqual([
      { flow: { before: { total: '2.00', rows: [{ goods: '瓷' }] } } },
    ]);
    expect(await db.query('select rows from sys_import')).toEqual([
      { rows: { rows: [{ body: { number: 'B', rows: [{ goods: '茶' }] } }] } },
    ]);
    expect(await db.query('select resource, fields from sys_derived')).toContainEqual({
      resource: 'sales_contract',
      fields: { total: 'h', 'rows.pieces': 'h' },
    });
  });

  it('says so in every column that names definitions, those of ledgers too', async () => {
    expect(await db.query('select resource, hidden, pattern, condition from rule')).toEqual([
      {
        resource: 'sales_contract',
        hidden: ['total', 'rows.goods'],
        pattern: '{number}-{seq:3}',
        condition: { total: { gt: '1' } },
      },
    ]);
    expect(await db.query('select condition from rule__levels')).toEqual([{ condition: { status: { eq: 'agreed' } } }]); // prettier-ignore
    expect(await db.query('select words from message')).toEqual([{ words: '{number}：{total}' }]);
    expect(await db.query('select source from ledger_entry')).toEqual([{ source: 'sales_contract' }]);
    await expect(db.execute(`update ledger_entry set source = ''`)).rejects.toMatchObject({
      kind: 'append_only',
    });
  });

  it('leaves the audit trail as it was written, and its readers a way from the old names to the new', async () => {
    expect(await db.query('select resource from sys_audit')).toEqual([{ resource: 'contract' }]);
    expect(await db.query(`select erp_resource_names('sales_contract') as names`)).toEqual([
      { names: ['contract', 'sales_contract'] },
    ]);
    expect(await db.query(`select kind, lines, was, name from sys_rename order by kind, was`)).toEqual([
      { kind: 'field', lines: null, was: 'amount', name: 'total' },
      { kind: 'field', lines: null, was: 'contract_no', name: 'number' },
      { kind: 'field', lines: 'rows', was: 'goods_name', name: 'goods' },
      { kind: 'field', lines: null, was: 'items', name: 'rows' },
      { kind: 'resource', lines: null, was: 'contract', name: 'sales_contract' },
      { kind: 'state', lines: null, was: 'approved', name: 'agreed' },
    ]);
  });

  it('is done once', async () => {
    expect(await migrate(db, renamed)).toEqual([]);
  });
});
