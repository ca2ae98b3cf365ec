import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchAction } from '#server/records/action/batch-action.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { searchEverything } from '#server/records/list/global-search.ts';
import { lookupRecords } from '#server/records/lookup/lookup-records.ts';
import { findNeighbours } from '#server/records/read/neighbours.ts';
import { previewRecord } from '#server/records/prepare/preview-record.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { createRecord } from '#server/records/write/save-record.ts';
import { insertRecord } from '#server/records/write/system-write.ts';
import { printRecord } from '#server/workflow/printing/print-record.ts';
import { ADMIN, aWorld, SALES, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld({
    rules: {
      effects: {
        note_approved: async () => undefined,
        create_shipment: async (call) => {
          const lines = Array.isArray(call.record['items']) ? call.record['items'] : [];
          await insertRecord(call, 'shipment', {
            contract_id: call.record['id'],
            items: lines.map((line: { id: string; quantity: string }) => ({
              contract_line: line.id,
              quantity: line.quantity,
            })),
          });
        },
      },
    },
  });
});
afterAll(() => world.close());

let serial = 0;
async function aContract(
  fields: object = {},
): Promise<Record<string, unknown> & { id: string; items: { id: string }[] }> {
  serial += 1;
  const buyer = await createRecord(world.open(ADMIN, 'buyer', 'create'), {
    name: `买家 ${serial}`,
    country: 'DE',
  });
  const contract = await createRecord(world.open(SALES, 'contract', 'create'), {
    buyer_id: buyer['id'],
    incoterm: 'CIF',
    items: [{ goods_name: '螺丝', quantity: '10', unit_price: '2' }],
    ...fields,
  });
  return contract as Record<string, unknown> & { id: string; items: { id: string }[] };
}

const act = (contract: { id: string }, action: string, request: object) =>
  runAction(world.open(SALES, 'contract', 'read'), { id: contract.id, action }, { version: 1, ...request });

test('an action checks its guard, its inputs and its reason, and writes the new state', async () => {
  const empty = await aContract({ items: [] });
  await expect(act(empty, 'close', { inputs: { lc_no: 'L1' } })).rejects.toMatchObject({
    message: '金额为零，不能关闭',
  });
  const contract = await aContract();
  await expect(act(contract, 'close', {})).rejects.toMatchObject({
    problems: [{ path: 'inputs.lc_no', code: 'required' }],
  });
  await expect(act(contract, 'close', { inputs: { lc_no: 'L1', x: 1 } })).rejects.toMatchObject({
    problems: [{ path: 'inputs.x' }],
  });
  await expect(act(contract, 'void', {})).rejects.toMatchObject({ code: 'REASON_REQUIRED' });
  await expect(act(contract, 'constructor', {})).rejects.toMatchObject({ code: 'UNKNOWN_ACTION' });
  const closed = await act(contract, 'close', { inputs: { lc_no: 'L1' } });
  expect(closed).toMatchObject({ status: 'closed', lc_no: 'L1', version: 2, _labels: { status: '已关闭' } });
  const reopened = await runAction(
    world.open(SALES, 'contract', 'reopen'),
    { id: contract.id, action: 'reopen' },
    { version: 2 },
  );
  expect(reopened).toMatchObject({ status: 'draft', version: 3 });
});

test('an effect makes records in the same transaction, and sums over its lines follow its state', async () => {
  const contract = await aContract();
  const shipped = await act(contract, 'ship', {});
  const [made] = shipped['_created'] as { resource: string; id: string }[];
  expect(made?.resource).toBe('shipment');
  const shipment = await getRecord(world.open(SALES, 'shipment', 'read'), made?.id ?? '');
  expect(shipment).toMatchObject({ shipment_no: null, items: [{ quantity: '10.0000', price: '2.000000' }] });
  expect((shipment['items'] as { _labels: object }[])[0]?._labels).toEqual({
    contract_line: `${String(contract['contract_no'])} #1`,
  });
  const finished = await runAction(
    world.open(SALES, 'shipment', 'finish'),
    { id: made?.id ?? '', action: 'finish' },
    { version: 1 },
  );
  expect(finished['shipment_no']).toBe('AACY20260001');
  const after = await getRecord(world.open(SALES, 'contract', 'read'), contract.id);
  expect(after['items']).toMatchObject([{ shipped: '10.0000' }]);
});

test('a batch answers for every row', async () => {
  const good = await aContract();
  const results = await batchAction(world.open(SALES, 'contract', 'void'), 'void', {
    records: [
      { id: good.id, version: 1 },
      { id: '00000000-0000-7000-8000-00000000ffff', version: 1 },
    ],
    opinion: '重复',
  });
  expect(results).toEqual([
    { id: good.id, ok: true, msg: '操作成功' },
    { id: '00000000-0000-7000-8000-00000000ffff', ok: false, msg: '记录不存在或无权查看' },
  ]);
});

test('a preview computes, checks and saves nothing', async () => {
  const before = await world.db.query('select count(*)::int as n from contract');
  const preview = await previewRecord(world.services, world.callerOf(SALES), {
    key: 'contract',
    body: { incoterm: 'FOB', items: [{ goods_name: '甲', quantity: '3', unit_price: '2' }] },
  });
  expect(preview).toMatchObject({
    record: { total_amount: '6.00' },
    problems: [],
    submitProblems: [{ path: 'buyer_id', code: 'required' }],
    approval: { problem: '未配置审核流程' },
  });
  expect(preview.states['freight']?.hidden).toContain('成交方式');
  expect(await world.db.query('select count(*)::int as n from contract')).toEqual(before);
});

test('what an action asks for is looked up by its record and by what it was told already', async () => {
  const contract = await aContract();
  const found = async (lc_no: string) => {
    const asked = { record: { lc_no }, parent: contract };
    const { records } = await lookupRecords(
      world.open(SALES, 'contract', 'close'),
      'close.applicant_id',
      asked,
    );
    return records.map(({ id }) => id);
  };
  expect(await found('DE')).toEqual([contract['buyer_id']]);
  expect(await found('FR')).toEqual([]);
});

test('a lookup gives label, caption, fill and the values rules read, within where', async () => {
  const contract = await aContract();
  const found = await lookupRecords(world.open(SALES, 'contract', 'create'), 'buyer_id', {
    keyword: `买家 ${serial}`,
  });
  expect(found.records).toEqual([
    {
      id: contract['buyer_id'],
      label: `买家 ${serial}`,
      caption: ['DE'],
      fill: { country: 'DE' },
      fillLabels: {},
      paths: { 'buyer_id.is_sanctioned': null },
    },
  ]);
  await world.db.query(`update buyer set status = 'disabled' where id = $1`, [contract['buyer_id']]);
  expect(
    (await lookupRecords(world.open(SALES, 'contract', 'create'), 'buyer_id', { keyword: `买家 ${serial}` }))
      .total,
  ).toBe(0);
  const currencies = await lookupRecords(world.open(SALES, 'contract', 'create'), 'currency', {});
  expect(currencies.records.map(({ id, label }) => [id, label])).toContainEqual(['USD', '美元']);
  const terms = await lookupRecords(world.open(SALES, 'contract', 'create'), 'incoterm', { keyword: '离岸' });
  expect(terms.records.map(({ id }) => id)).toEqual(['FOB']);
  const lines = await lookupRecords(world.open(SALES, 'shipment', 'create'), 'items.contract_line', {
    record: {},
    parent: {},
  });
  expect(lines.total).toBeGreaterThan(0);
  const own = lines.records.find(({ id }) => id === contract.items[0]?.id);
  expect(own?.caption).toEqual(['螺丝', '20.00 USD', `买家 ${serial}`]);
  await expect(lookupRecords(world.open(SALES, 'contract', 'create'), 'cost', {})).rejects.toMatchObject({
    code: 'UNKNOWN_FIELD',
  });
});

test('neighbours follow the list, prints carry what is referred to, the search finds by number', async () => {
  const one = await aContract({ sign_date: '2020-01-01', lc_no: 'N' });
  const two = await aContract({ sign_date: '2020-01-02', lc_no: 'N' });
  const neighbours = await findNeighbours(world.open(SALES, 'contract', 'list'), two.id, {
    filters: JSON.stringify({ lc_no: { eq: 'N' } }),
    sorters: JSON.stringify(['sign_date']),
  });
  expect(neighbours).toEqual({ previous: one.id, next: null });
  const { filled } = await printRecord(world.open(SALES, 'contract', 'print'), {
    id: one.id,
    printId: 'sheet',
  });
  const [parties] = filled.blocks;
  expect(parties).toMatchObject({ kind: 'fields', items: [{ label: '国别', value: 'DE' }] });
  const hits = await searchEverything(world.services, world.callerOf(SALES), String(one['contract_no']));
  expect(hits[0]).toMatchObject({ resource: 'contract', id: one.id, label: one['contract_no'] });
});
