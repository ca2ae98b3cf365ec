import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FieldDefinition, ResourceDefinition } from '#engine/schema/definition.ts';
import type { Catalog } from '#engine/schema/resource.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { MigrationRefusal } from '#server/kernel/migrations/judge-steps.ts';
import { applyStep, migrate, planMigration } from '#server/kernel/migrations/migrate.ts';
import { describeStep, stepId } from '#server/kernel/migrations/migration-step.ts';
import { emptyQuarantine } from '#server/kernel/migrations/quarantine.ts';
import { createCatalogDatabase, type TestDatabase } from '../../support/database.ts';
import { aCatalog, aContract, aCustomer } from '../../support/definitions.ts';

const base = aCatalog(aContract(), aCustomer());
const made: TestDatabase[] = [];
let db: Database;

beforeEach(async () => {
  const database = await createCatalogDatabase(base);
  made.push(database);
  db = openDatabase({ url: database.url });
});
afterEach(() => db.close());
afterAll(async () => {
  for (const database of made) await database.drop();
});

async function add(table: string, values: Record<string, unknown>): Promise<string> {
  const row = { id: randomUUID(), co_code: 'AA', ...values };
  const names = Object.keys(row);
  await db.execute(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  );
  return row.id;
}

const aName = (changes: Partial<FieldDefinition> = {}): Record<string, FieldDefinition> => ({
  name: { type: 'text', title: '名称', required: true, ...changes },
});
const customerWith = (fields: Record<string, FieldDefinition>, changes: Partial<ResourceDefinition> = {}): Catalog =>
  aCatalog(aContract(), aCustomer({ fields: { ...aName(), ...fields }, ...changes })); // prettier-ignore

async function waiting(catalog: Catalog): Promise<readonly string[]> {
  try {
    await migrate(db, catalog);
    return [];
  } catch (error) {
    if (!(error instanceof MigrationRefusal)) throw error;
    return error.steps.map((step) => `${step.kind} ${stepId(step)} ${describeStep(step)}`);
  }
}

describe('a table', () => {
  it('that the engine did not make is never altered, renamed or dropped', async () => {
    await db.execute('create table orders (id int primary key, note text)');
    const orders = aCustomer({ resource: 'orders' });
    expect(await waiting(aCatalog(aContract(), aCustomer(), orders))).toEqual([
      'blocked orders.foreign_table 数据库中的表 orders 不是本系统建立的，不会改动；请换一个资源名',
    ]);
    expect(await waiting(aCatalog(aContract(), aCustomer(), { ...orders, resource: 'sales_order', was: 'orders' }))).toEqual([
      expect.stringMatching(/^blocked sales_order\.foreign_table 数据库中的表 orders 不是本系统建立的/),
    ]);
    const ids = (await planMigration(db, base)).map(stepId);
    expect(ids).toEqual([]);
    await expect(applyStep(db, base, 'orders.drop_table')).rejects.toThrow('没有待执行的步骤');
    expect(await db.query('select * from orders')).toEqual([]);
  }); // prettier-ignore

  it('does not take the place of another by a rename', async () => {
    await add('customer', { name: '甲' });
    await migrate(db, aCatalog(aContract(), aCustomer(), aCustomer({ resource: 'client' })));
    await add('client', { name: '乙' });
    expect(await waiting(aCatalog(aContract(), aCustomer({ resource: 'client', was: 'customer' })))).toEqual([
      expect.stringMatching(/^blocked client\.rename_table 表 client 已经存在，不能再由 customer 改名/),
    ]);
    expect(await db.query('select name from customer union all select name from client')).toHaveLength(2);
  });

  it('that no definition names any more lies in quarantine for thirty days', async () => {
    await add('customer', { name: '甲' });
    const without = aCatalog(aContract());
    await migrate(db, without);
    expect((await planMigration(db, without)).map(describeStep)).toEqual(['删除表 customer（1条记录）']);
    await applyStep(db, without, 'customer.drop_table');
    const [kept] = await db.query<{ name: string }>('select name from sys_quarantine');
    expect(await db.query(`select name from quarantine."${kept?.name}"`)).toEqual([{ name: '甲' }]);
    expect(await emptyQuarantine(db, new Date(Date.now() + 29 * 86_400_000))).toEqual([]);
    expect(await emptyQuarantine(db, new Date(Date.now() + 31 * 86_400_000))).toEqual([kept?.name]);
    await expect(db.query(`select name from quarantine."${kept?.name}"`)).rejects.toThrow('does not exist');
    await migrate(db, base);
    expect(await db.query('select name from customer')).toEqual([]);
  });
});

describe('a stricter rule', () => {
  it('counts the records without a value of a new required field, and is taken as it is by the operator', async () => {
    await add('customer', { name: '甲' });
    await add('customer', { name: '乙', is_deleted: true });
    const changed = customerWith({ code: { type: 'text', title: '编码', required: true } });
    expect(await waiting(changed)).toEqual([
      'explicit customer.require_code 新字段“编码”必填，没有默认值，已有记录没有该值（1条记录：甲）',
    ]);
    expect(await db.query(`select 1 from pg_attribute where attrelid = 'customer'::regclass and attname = 'code'`)).toEqual([]); // prettier-ignore
    await applyStep(db, changed, 'customer.require_code');
    expect(await waiting(changed)).toEqual([]);
    expect(await migrate(db, changed)).toEqual([]);
  });

  it('gives old records the default of a new required field', async () => {
    await add('customer', { name: '甲' });
    await migrate(db, customerWith({ level: { type: 'text', title: '等级', required: true, default: 'A' } }));
    expect(await db.query('select level from customer')).toEqual([{ level: 'A' }]);
  });

  it('asks again for what became required later, longer than allowed, or no choice any more', async () => {
    const loose = customerWith({
      level: { type: 'text', title: '等级', max: 20, options: { A: '甲', B: '乙' } },
    });
    await migrate(db, loose);
    await add('customer', { name: '甲', level: 'B' });
    await add('customer', { name: '乙' });
    const strict = customerWith({ level: { type: 'text', title: '等级', max: 20, required: true, options: { A: '甲' } } }); // prettier-ignore
    expect(await waiting(strict)).toEqual([
      'explicit customer.require_level “等级”改为必填（1条记录：乙）',
      'explicit customer.narrow_level “等级”的取值范围缩小（1条记录：甲）',
    ]);
    await db.execute(`update customer set level = 'A'`);
    expect(await waiting(strict)).toEqual([]);
    const short = aCatalog(aContract(), aCustomer({ fields: { ...aName({ max: 1 }), level: { type: 'text', title: '等级', required: true, max: 20, options: { A: '甲' } } } })); // prettier-ignore
    await db.execute(`update customer set name = '甲乙' where name = '甲'`);
    expect(await waiting(short)).toEqual([
      'explicit customer.narrow_name “名称”的取值范围缩小（1条记录：甲乙）',
    ]);
  });

  it('of a document looks at those that have left the draft, of lines at theirs', async () => {
    const draft = await add('contract', { contract_no: 'A1', status: 'draft' });
    const approved = await add('contract', { contract_no: 'A2', status: 'approved' });
    for (const parent of [draft, approved])
      await add('contract__items', { parent_id: parent, line_order: 1, line_no: '1' });
    const { items, ...fields } = aContract().fields;
    const lines = { ...items, type: 'lines' as const, title: '明细', fields: { ...items?.fields, goods_name: { type: 'text' as const, title: '品名', required: true } } }; // prettier-ignore
    expect(
      await waiting(aCatalog({ ...aContract(), fields: { ...fields, items: lines } }, aCustomer())),
    ).toEqual(['explicit contract.items.require_goods_name “品名”改为必填（1条记录：A2）']);
  });
});

const states = (given: object, more: object = {}): Catalog =>
    aCatalog(aContract({ lifecycle: { initial: 'draft', states: { draft: { title: '草稿' }, void: { title: '已作废' }, ...given }, ...more } }), aCustomer()); // prettier-ignore

describe('a state', () => {
  it('with records in it does not go away by itself', async () => {
    await add('contract', { contract_no: 'A1', status: 'approved' });
    expect(await waiting(states({}))).toEqual([
      expect.stringMatching(/^blocked contract\.state_approved contract 的状态 approved 已从定义中删除，仍有记录处于该状态；.*（1条记录：A1）$/),
    ]); // prettier-ignore
    await db.execute(`update contract set status = 'void'`);
    expect(await waiting(states({}))).toEqual([]);
    // Whoever still works with the former definitions cannot bring it back.
    await expect(add('contract', { status: 'approved' })).rejects.toMatchObject({ kind: 'outdated' });
    expect(await waiting(base)).toEqual([]);
    await add('contract', { status: 'approved' });
  });

  it('that is retired hands its records on, with a line in their history', async () => {
    const id = await add('contract', { contract_no: 'A1', status: 'approved', previous_status: 'draft' });
    expect(await waiting(states({ done: { title: '完成' } }, { retired: { approved: 'done' } }))).toEqual([]);
    expect(await db.query('select status, version from contract')).toEqual([{ status: 'done', version: 2 }]);
    expect(
      await db.query('select action, from_status, to_status, co_code from sys_audit where record_id = $1', [
        id,
      ]),
    ).toEqual([{ action: 'retire', from_status: 'approved', to_status: 'done', co_code: 'AA' }]);
  });

  it('waits for open approvals before it hands records on', async () => {
    const id = await add('contract', { contract_no: 'A1', status: 'approved' });
    await db.execute(
      `insert into sys_approval_case (id, resource, record_id, record_version, action, flow, status) values ($1, 'contract', $2, 1, 'submit', '{}', 'pending')`,
      [randomUUID(), id],
    );
    const catalog = states({ done: { title: '完成' } }, { retired: { to: 'done' } });
    expect(await waiting(catalog)).toEqual([
      expect.stringMatching(/正在审批，须先审完或撤回.*（1条记录：A1）/),
    ]);
  });

  it('that is renamed takes its records along without a new version', async () => {
    await add('contract', { contract_no: 'A1', status: 'void', previous_status: 'approved' });
    await add('contract', { contract_no: 'A2', status: 'approved' });
    await migrate(db, states({ agreed: { title: '已审核', was: 'approved' } }));
    expect(
      await db.query('select status, previous_status, version from contract order by contract_no'),
    ).toEqual([
      { status: 'void', previous_status: 'agreed', version: 1 },
      { status: 'agreed', previous_status: null, version: 1 },
    ]);
    await expect(add('contract', { status: 'approved' })).rejects.toMatchObject({ kind: 'outdated' });
  });
});

describe('what was said otherwise before', () => {
  it('becomes lines, a part of the former text each', async () => {
    await migrate(db, customerWith({ parts: { type: 'textarea', title: '要素' } }));
    const id = await add('customer', { name: '甲', status: 'active', parts: '铜制；;无品牌' });
    await add('customer', { name: '乙', status: 'active', parts: null });
    const value: FieldDefinition = { type: 'text', title: '内容', max: 20, partsOf: 'parts' };
    const elements: FieldDefinition = { type: 'lines', title: '要素', fields: { value } };
    expect(await waiting(customerWith({ elements }))).toEqual([]);
    const rows = await db.query(
      'select parent_id, line_order, value from customer__elements order by line_order',
    );
    expect(rows).toEqual([
      { parent_id: id, line_order: 0, value: '铜制' },
      { parent_id: id, line_order: 1, value: null },
      { parent_id: id, line_order: 2, value: '无品牌' },
    ]);
    expect(await waiting(customerWith({ elements }))).toEqual([]);
    expect(await db.query('select id from customer__elements')).toHaveLength(3);
  });

  it('gives way to the values that stand for it now, once', async () => {
    const field = (options: Record<string, string>, were?: Record<string, string>): FieldDefinition => ({
      type: 'dictionary',
      title: '类型',
      options,
      ...(were === undefined ? {} : { were }),
    });
    await migrate(db, customerWith({ kind: field({ 无: '无', 有: '有' }) }));
    const id = await add('customer', { name: '甲', status: 'active', kind: '无' });
    const coded = customerWith({ kind: field({ 0: '无', 1: '有' }, { 无: '0', 有: '1' }) });
    expect(await waiting(coded)).toEqual([]);
    expect(await db.query('select kind from customer where id = $1', [id])).toEqual([{ kind: '0' }]);
    expect(await planMigration(db, coded)).toEqual([]);
  });
});
