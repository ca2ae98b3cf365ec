import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Subject } from '#engine/schema/resource.ts';
import { decideTask } from '#server/workflow/approvals/decide-task.ts';
import { createDelegation } from '#server/workflow/approvals/give-delegation.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { createRecord } from '#server/records/write/save-record.ts';
import { ADMIN, aWorld, FINANCE, FINANCE2, IDS, MANAGER, SALES, type World } from '../data/world.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld({
    rules: { effects: { note_approved: async () => undefined, create_shipment: async () => undefined } },
  });
  const roles = new Map(
    (await world.db.query('select id, code from role')).map((row) => [row['code'], row['id']]),
  );
  const level = (level_no: number, code: string, mode: string) => ({
    ...{ level_no, title: code, approver_kind: 'role', role_ids: [roles.get(code)], mode },
    skip_if_same: true,
  });
  const flow = (name: string, mode: string, more: object) =>
    createRecord(world.open(ADMIN, 'approval_flow', 'create'), {
      ...{ name, resource: 'contract', levels: [level(1, 'DM', 'any'), level(2, 'FN', mode)] },
      ...more,
    });
  await flow('会签', 'all', { priority: 1, amount_field: 'total_amount', amount_from: '1000.00' });
  await flow('或签', 'any', { priority: 2 });
});
afterAll(() => world.close());

const holds = (...codes: readonly string[]) =>
  world.db.execute(
    `update person set role_ids = array(select id from role where code = any($2)) where id = $1`,
    [IDS.manager, codes],
  );
afterEach(async () => {
  await holds('DM');
  await world.db.execute('delete from sys_delegation');
});

let serial = 0;
async function submitted(price: string): Promise<string> {
  serial += 1;
  const buyer = await createRecord(world.open(ADMIN, 'buyer', 'create'), { name: `买家 ${serial}` });
  const contract = await createRecord(world.open(SALES, 'contract', 'create'), {
    ...{ buyer_id: buyer['id'], incoterm: 'CIF' },
    items: [{ goods_name: '螺丝', quantity: '10', unit_price: price }],
  });
  const id = String(contract['id']);
  await runAction(world.open(SALES, 'contract', 'submit'), { id, action: 'submit' }, { version: 1 });
  return id;
}

const waiting = async (id: string): Promise<readonly string[]> =>
  (
    await world.db.query(
      `select id from approval_task where record_id = $1 and status = 'pending' order by id`,
      [id],
    )
  ).map((row) => String(row['id']));

async function decide(person: Partial<Subject>, id: string, more: object = {}): Promise<boolean> {
  const [taskId = ''] = await waiting(id);
  const { isEnded } = await decideTask(world.services, world.callerOf(person), {
    taskId,
    decision: { kind: 'approve', version: null, opinion: '同意', ...more },
  });
  return isEnded;
}

/** What happens between the submission and the decision of the first level, who makes it, and the tasks left then. */
const CASES: readonly (readonly [
  name: string,
  meanwhile: (id: string) => Promise<unknown>,
  first: Partial<Subject>,
  left: { readonly any: number; readonly all: number },
])[] = [
  ['holds both levels is asked once', async () => undefined, MANAGER, { any: 0, all: 2 }],
  ['has lost the role of the next level decides the own one only', () => holds('DM'), MANAGER, { any: 1, all: 3 }],
  [
    'was handed the task signs the own level too',
    (id) => decide(MANAGER, id, { kind: 'delegate', opinion: null, to: IDS.finance }),
    FINANCE,
    { any: 1, all: 3 },
  ],
  [
    'stands in for a colleague signs the own level too',
    () => createDelegation(world.services, world.callerOf(MANAGER), { to: IDS.finance, valid_to: '2026-04-30' }),
    FINANCE,
    { any: 1, all: 3 },
  ],
]; // prettier-ignore

test.each(CASES)('whoever %s', async (_, meanwhile, first, left) => {
  for (const [mode, price] of [
    ['any', '2'],
    ['all', '200'],
  ] as const) {
    await holds('DM', 'FN');
    const id = await submitted(price);
    await meanwhile(id);
    expect([mode, await decide(first, id)]).toEqual([mode, left[mode] === 0]);
    expect([mode, (await waiting(id)).length]).toEqual([mode, left[mode]]);
    await world.db.execute('delete from sys_delegation');
  }
});

test('what was not left out is decided by another holder of the level', async () => {
  await holds('DM', 'FN');
  const id = await submitted('2');
  await holds('DM');
  await decide(MANAGER, id);
  await expect(decide(MANAGER, id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await decide(FINANCE2, id)).toBe(true);
});
