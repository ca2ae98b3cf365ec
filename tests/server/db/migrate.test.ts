import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import type { FieldDefinition } from '#engine/schema/definition.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { MigrationRefusal } from '#server/kernel/migrations/judge-steps.ts';
import { applyStep, migrate, planMigration } from '#server/kernel/migrations/migrate.ts';
import { stepId } from '#server/kernel/migrations/migration-step.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { aCatalog, aContract, aCustomer, aLedger } from '../../support/definitions.ts';

const made: TestDatabase[] = [];
let db: Database;

beforeEach(async () => {
  const database = await createTestDatabase();
  made.push(database);
  db = openDatabase({ url: database.url });
});
afterEach(() => db.close());
afterAll(async () => {
  for (const database of made) await database.drop();
});

async function columnsOf(table: string): Promise<Record<string, string>> {
  const rows = await db.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [`"${table}"`],
  );
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
}

async function addContract(values: Record<string, unknown> = {}): Promise<string> {
  const row = { id: randomUUID(), co_code: 'AA', status: 'draft', ...values };
  const names = Object.keys(row);
  await db.execute(
    `insert into contract (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  );
  return row.id;
}

async function planOf(condition: string): Promise<string> {
  const rows = await db.query(`explain select t.id, t.amount from contract t ${condition} limit 20`, ['AA']);
  return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
}

describe('the first migration', () => {
  it('makes real tables with real columns, the company leading the key', async () => {
    await migrate(db, aCatalog(aContract(), aCustomer({ scope: 'global' })));
    expect(await columnsOf('contract')).toMatchObject({
      id: 'uuid',
      co_code: 'text',
      version: 'integer',
      contract_no: 'text',
      buyer_id: 'uuid',
      sign_date: 'date',
      amount: 'numeric(18,2)',
      tags: 'text[]',
      terms: 'jsonb',
      count: 'bigint',
      attachments: 'uuid[]',
      created_at: 'timestamp with time zone',
      search_grams: 'text[]',
      is_deleted: 'boolean',
    });
    expect(await columnsOf('contract__items')).toMatchObject({
      parent_id: 'uuid',
      line_order: 'integer',
      quantity: 'numeric(18,4)',
      buyers: 'uuid[]',
    });
    const keys = await db.query(
      `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as key from pg_constraint
       where contype = 'p' and conrelid::regclass::text in ('contract', 'contract__items', 'customer') order by 1`,
    );
    expect(keys).toEqual([
      { table: 'contract', key: 'PRIMARY KEY (co_code, id)' },
      { table: 'contract__items', key: 'PRIMARY KEY (co_code, id)' },
      { table: 'customer', key: 'PRIMARY KEY (id)' },
    ]);
  });

  it('makes an index behind each find, unless one that is declared begins with its reference', async () => {
    const find = { where: { status: { eq: 'signed' }, buyer_id: { eq: { '=': 'source.buyer_id' } } } };
    const earlier: FieldDefinition = { type: 'reference', title: '上一合同', to: 'contract', find };
    const found = async (): Promise<readonly string[]> => {
      const rows = await db.query<{ definition: string }>(
        `select regexp_replace(indexdef, '^.* USING ', '') as definition from pg_indexes
         where tablename = 'contract' and indexdef like '%buyer_id%'`,
      );
      return rows.map(({ definition }) => definition);
    };
    await migrate(db, aCatalog(aContract({}, { earlier }), aCustomer()));
    expect(await found()).toEqual(['btree (co_code, buyer_id)']);
    await migrate(
      db,
      aCatalog(aContract({ indexes: [['buyer_id', 'sign_date']] }, { earlier }), aCustomer()),
    );
    expect(await found()).toEqual(['btree (co_code, buyer_id, sign_date, id)']);
  });

  it('makes the indexes of lists, searches and lines', async () => {
    await migrate(db, aCatalog(aContract()));
    const rows = await db.query<{ definition: string }>(
      `select regexp_replace(indexdef, '^.* USING ', '') as definition from pg_indexes where tablename like 'contract%'`,
    );
    expect(rows.map(({ definition }) => definition).toSorted()).toEqual([
      'btree (co_code, created_at DESC NULLS LAST, id DESC) INCLUDE (status, is_deleted)',
      'btree (co_code, id)',
      'btree (co_code, id)',
      "btree (co_code, lower(contract_no)) WHERE ((NOT is_deleted) AND ((status IS NULL) OR (status <> ALL (ARRAY['void'::text, 'cancelled'::text]))))",
      'btree (co_code, parent_id, line_no)',
      'btree (co_code, parent_id, line_order)',
      'btree (co_code, status, sign_date DESC NULLS LAST, id DESC) INCLUDE (is_deleted)',
      'gin (search_grams)',
    ]);
  });

  it('is done once when several processes start together', async () => {
    const catalog = aCatalog(aContract(), aCustomer());
    const others = [0, 1, 2].map(() => openDatabase({ url: db.url }));
    const results = await Promise.all([db, ...others].map((each) => migrate(each, catalog)));
    expect(results.filter((steps) => steps.length > 0)).toHaveLength(1);
    await Promise.all(others.map((other) => other.close()));
  });

  it('does nothing and is quick when repeated', async () => {
    const many = Array.from({ length: 50 }, (_, i) => aContract({ resource: `contract_${i}` }));
    const catalog = aCatalog(...many);
    await migrate(db, catalog);
    expect(await migrate(db, catalog)).toEqual([]);
  });
});

describe('a list', () => {
  it('opens without sorting the table', async () => {
    await migrate(db, aCatalog(aContract()));
    await db.execute(
      `insert into contract (co_code, id, status, sign_date, created_at)
       select 'AA', gen_random_uuid(), 'draft', date '2026-01-01' + n % 300, now() - n * interval '1 minute' from generate_series(1, 20000) n`,
    );
    await db.execute('analyze contract');
    const plans = [
      await planOf(
        `where t.co_code = $1 and t.is_deleted = false order by t.created_at desc nulls last, t.id desc`,
      ),
      await planOf(`where t.co_code = $1 and t.is_deleted = false and t.status = 'draft' order by t.sign_date desc nulls last, t.id desc`), // prettier-ignore
    ];
    for (const plan of plans) {
      expect(plan).toContain('Index Scan');
      expect(plan).not.toContain('Sort');
    }
  });

  it('counts pages far down off in the index alone', async () => {
    await migrate(db, aCatalog(aContract()));
    await db.execute(
      `insert into contract (co_code, id, status, created_at)
       select 'AA', gen_random_uuid(), 'draft', now() - n * interval '1 minute' from generate_series(1, 20000) n`,
    );
    await db.execute('vacuum analyze contract');
    const rows = await db.query(
      `explain select t.id from contract t where t.co_code = $1 and t.is_deleted = false and t.status = 'draft'
       order by t.created_at desc nulls last, t.id desc limit 20 offset 5000`,
      ['AA'],
    );
    expect(rows.map((row) => String(row['QUERY PLAN'])).join('\n')).toContain('Index Only Scan');
  });
});

describe('tables', () => {
  it('refuse NaN as an amount', async () => {
    await migrate(db, aCatalog(aContract()));
    await expect(addContract({ amount: 'NaN' })).rejects.toMatchObject({ kind: 'check' });
  });

  it('keep a number unique within the company, whatever its case, void and deleted rows excepted', async () => {
    await migrate(db, aCatalog(aContract()));
    await addContract({ contract_no: 'wx1', status: 'void' });
    await addContract({ contract_no: 'wx1', is_deleted: true });
    await addContract({ contract_no: 'wx1' });
    await addContract({ contract_no: 'WX1', co_code: 'AE' });
    await expect(addContract({ contract_no: 'WX1' })).rejects.toMatchObject({ kind: 'unique' });
  });

  it('keep only the rows unique that a condition names', async () => {
    const where = { count: { in: [1, 2] }, buyer_id: { null: true }, contract_no: { ne: "it's" } };
    await migrate(db, aCatalog(aContract({ unique: [{ fields: ['contract_no'], where }] })));
    await addContract({ contract_no: 'a', count: 3 });
    await addContract({ contract_no: 'a', count: 1 });
    await addContract({ contract_no: 'a', count: 3 });
    await expect(addContract({ contract_no: 'a', count: 2 })).rejects.toMatchObject({ kind: 'unique' });
  });

  it('of ledgers take new rows and nothing else', async () => {
    await migrate(db, aCatalog(aLedger()));
    await db.execute(`insert into ledger_entry (co_code, id, amount) values ('AA', $1, 1)`, [randomUUID()]);
    for (const text of [
      'update ledger_entry set amount = 2',
      'delete from ledger_entry',
      'truncate ledger_entry',
      'delete from sys_audit',
    ])
      // prettier-ignore
      await expect(db.query(text)).rejects.toMatchObject({ kind: 'append_only' });
  });
});

describe('a changed definition', () => {
  it('gives a reference of lines another name and room for several, in one step and with its value', async () => {
    const lines = (fields: NonNullable<FieldDefinition['fields']>) =>
      aCatalog(aContract({}, { levels: { type: 'lines', title: '级次', fields } }), aCustomer());
    await migrate(db, lines({ buyer_id: { type: 'reference', title: '客户', to: 'customer' } }));
    const [parent, buyer] = [await addContract(), randomUUID()];
    const row = `insert into contract__levels (id, co_code, parent_id, line_order, buyer_id) values ($1, 'AA', $2, $3, $4)`;
    await db.execute(row, [randomUUID(), parent, 1, buyer]);
    await db.execute(row, [randomUUID(), parent, 2, null]);
    await migrate(
      db,
      lines({
        buyer_ids: { type: 'reference', title: '客户', to: 'customer', multiple: true, was: 'buyer_id' },
      }),
    );
    expect(await db.query('select buyer_ids from contract__levels order by line_order')).toEqual([
      { buyer_ids: [buyer] },
      { buyer_ids: null },
    ]);
  });

  it('adds columns and lines, widens amounts and makes a single value a list, keeping what is there', async () => {
    await migrate(db, aCatalog(aContract()));
    const id = await addContract({ amount: '12.50', contract_no: 'A1', count: 7 });
    await migrate(
      db,
      aCatalog(
        aContract(
          { unique: [] },
          {
            amount: { type: 'decimal', title: '金额', precision: 22, scale: 4 },
            contract_no: { type: 'text', title: '合同号', multiple: true },
            count: { type: 'text', title: '件数' },
            extra: { type: 'boolean', title: '另' },
            fees: { type: 'lines', title: '费用', fields: { fee: { type: 'money', title: '费', currency: 'CNY' } } }, // prettier-ignore
          },
        ),
      ),
    );
    expect(
      await db.query('select amount, contract_no, count, extra from contract where id = $1', [id]),
    ).toEqual([{ amount: '12.5000', contract_no: ['A1'], count: '7', extra: null }]);
    expect(await columnsOf('contract__fees')).toMatchObject({ fee: 'numeric(18,2)' });
  });

  it('makes a day the moment at which it began', async () => {
    const signed = (type: 'date' | 'datetime') =>
      aContract({ unique: [] }, { signed_at: { type, title: '签订' } });
    await migrate(db, aCatalog(signed('date')));
    const id = await addContract({ signed_at: '2026-11-20' });
    await migrate(db, aCatalog(signed('datetime')));
    expect(
      await db.query(
        `select signed_at = timestamptz '2026-11-20 00:00+08' as is_kept from contract where id = $1`,
        [id],
      ),
    ).toEqual([{ is_kept: true }]);
  });

  it('renames tables, lines and columns that say what they were', async () => {
    await migrate(db, aCatalog(aContract()));
    const id = await addContract({ contract_no: 'A1', amount: '1.00' });
    const { amount: _amount, items: _items, ...fields } = aContract().fields;
    const items = { ...aContract().fields['items'], type: 'lines' as const, title: '行', was: 'items' };
    const renamed = { ...fields, total: { type: 'money' as const, title: '总额', currency: 'CNY', was: 'amount' }, rows: items }; // prettier-ignore
    const catalog = aCatalog({
      ...aContract(),
      resource: 'sales_contract',
      was: 'contract',
      fields: renamed,
    });
    await migrate(db, catalog);
    expect(await db.query('select total from sales_contract where id = $1', [id])).toEqual([
      { total: '1.00' },
    ]);
    expect(await columnsOf('sales_contract__rows')).toHaveProperty('quantity');
    expect(await migrate(db, catalog)).toEqual([]);
  });

  it('leaves the column of a removed field alone', async () => {
    await migrate(db, aCatalog(aContract()));
    await addContract({ amount: '1.00' });
    const { amount: _amount, ...fields } = aContract().fields;
    const catalog = aCatalog({ ...aContract(), fields });
    await migrate(db, catalog);
    expect(await db.query('select amount from contract')).toEqual([{ amount: '1.00' }]);
    expect(await planMigration(db, catalog)).toEqual([
      expect.objectContaining({
        resource: 'contract',
        name: 'drop_amount',
        kind: 'optional',
        says: '删除列 contract.amount',
        found: { count: 1, first: [expect.any(String)] },
      }),
    ]);
  });

  it('that narrows or retypes waits with its rows for the operator, who does it step by step', async () => {
    await migrate(db, aCatalog(aContract()));
    await addContract({ contract_no: '15', amount: '2.57' });
    const changed = aCatalog(
      aContract(
        { unique: [] },
        {
          contract_no: { type: 'integer', title: '合同号' },
          amount: { type: 'decimal', title: '金额', precision: 10, scale: 1 },
        },
      ),
    );
    await expect(migrate(db, changed)).rejects.toThrow(/contract\.contract_no 的类型由 text 改为 bigint（1条记录：15）；执行：npm run migrate -- --only contract\.retype_contract_no --apply\n.*contract\.amount/s); // prettier-ignore
    expect(await columnsOf('contract')).toMatchObject({ amount: 'numeric(18,2)' });
    await applyStep(db, changed, 'contract.retype_contract_no');
    await expect(migrate(db, changed)).rejects.toThrow(MigrationRefusal);
    await applyStep(db, changed, 'contract.retype_amount');
    expect(await db.query('select contract_no, amount from contract')).toEqual([{ contract_no: '15', amount: '2.6' }]); // prettier-ignore
    const [kept] = await db.query<{ name: string }>(`select name from sys_quarantine where source = 'contract.amount'`); // prettier-ignore
    expect(await db.query(`select co_code, amount from quarantine."${kept?.name}"`)).toEqual([
      { co_code: 'AA', amount: '2.57' },
    ]);
    await migrate(db, changed);
    expect(await migrate(db, changed)).toEqual([]);
  });

  it('of a type runs by itself while the column is empty', async () => {
    await migrate(db, aCatalog(aContract()));
    await addContract({ contract_no: '15' });
    await migrate(db, aCatalog(aContract({}, { amount: { type: 'integer', title: '金额' } })));
    expect(await columnsOf('contract')).toMatchObject({ amount: 'bigint' });
  });

  it('changes nothing at all when the explicit command meets a value that does not fit', async () => {
    await migrate(db, aCatalog(aContract()));
    await addContract({ contract_no: 'not a number' });
    const changed = aCatalog(aContract({ unique: [] }, { contract_no: { type: 'integer', title: '合同号' } })); // prettier-ignore
    await expect(applyStep(db, changed, 'contract.retype_contract_no')).rejects.toThrow(MigrationRefusal);
    expect(await db.query('select contract_no from contract')).toEqual([{ contract_no: 'not a number' }]);
    expect(await db.query('select * from sys_quarantine')).toEqual([]);
  });

  it('replaces an index whose definition changed, on a filled table without locking writers out', async () => {
    await migrate(db, aCatalog(aContract()));
    await addContract({ contract_no: 'a' });
    const steps = await migrate(db, aCatalog(aContract({ unique: [{ fields: ['contract_no', 'count'] }] })));
    expect(steps.map((step) => stepId(step).replace(/_u_\w+/, ''))).toEqual([
      'contract.unindex_contract',
      'contract.unique_contract_no_count',
    ]);
  });

  it('with a unique rule that existing rows break says so, and comes through once they are mended', async () => {
    await migrate(db, aCatalog(aContract({ unique: [] })));
    const id = await addContract({ contract_no: 'a' });
    await addContract({ contract_no: 'a' });
    await expect(migrate(db, aCatalog(aContract()))).rejects.toThrow(
      'contract 中已有重复的 contract_no，不能建立唯一约束（2条记录：a、a）',
    );
    await db.execute(`update contract set contract_no = 'b' where id = $1`, [id]);
    expect(await migrate(db, aCatalog(aContract()))).toHaveLength(1);
  });

  it('waits for a busy table instead of failing', async () => {
    await migrate(db, aCatalog(aContract()));
    const reader = db.transaction(async (tx) => {
      await tx.query('select * from contract');
      await tx.query('select pg_sleep(1)');
    });
    await migrate(db, aCatalog(aContract({}, { extra: { type: 'text', title: '另' } })));
    await reader;
    expect(await columnsOf('contract')).toHaveProperty('extra');
  });
});
