import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Subject } from '#engine/schema/resource.ts';
import { queryInbox } from '#server/workflow/approvals/approval-inbox.ts';
import { approvalStatus } from '#server/workflow/approvals/approval-status.ts';
import { decideTask } from '#server/workflow/approvals/decide-task.ts';
import { createDelegation } from '#server/workflow/approvals/give-delegation.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { createRecord } from '#server/records/write/save-record.ts';
import { ADMIN, aWorld, BOSS, FINANCE, FINANCE2, IDS, MANAGER, SALES, type World } from '../data/world.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld({
    rules: { effects: { note_approved: async () => undefined, create_shipment: async () => undefined } },
  });
  const roles = await world.db.query(`select id, code from role`);
  const ids = ['DM', 'FN'].map((code) => roles.find((role) => role['code'] === code)?.['id']);
  await createRecord(world.open(ADMIN, 'approval_flow', 'create'), {
    name: '部门经理或财务',
    resource: 'contract',
    priority: 1,
    levels: [
      { level_no: 1, title: '部门经理或财务审核', approver_kind: 'role', role_ids: ids, mode: 'any', skip_if_same: true },
    ],
  }); // prettier-ignore
});
afterAll(() => world.close());

let serial = 0;
async function submitted(person: Partial<Subject> = SALES): Promise<string> {
  serial += 1;
  const buyer = await createRecord(world.open(ADMIN, 'buyer', 'create'), { name: `买家 ${serial}` });
  const contract = await createRecord(world.open(person, 'contract', 'create'), {
    buyer_id: buyer['id'],
    incoterm: 'CIF',
    items: [{ goods_name: '螺丝', quantity: '10', unit_price: '2' }],
  });
  const id = String(contract['id']);
  await runAction(world.open(person, 'contract', 'submit'), { id, action: 'submit' }, { version: 1 });
  return id;
}

async function waitsFor(person: Partial<Subject>, id: string): Promise<boolean> {
  const inbox = await queryInbox(world.services, world.callerOf(person), { tab: 'mine' });
  return inbox.records.some((row) => row['record_id'] === id);
}

const statusFor = (person: Partial<Subject>, id: string) =>
  approvalStatus(world.services, world.callerOf(person), { resource: 'contract', id });

async function approve(person: Partial<Subject>, id: string): Promise<unknown> {
  const [task] = await world.db.query('select id from approval_task where record_id = $1', [id]);
  return decideTask(world.services, world.callerOf(person), {
    taskId: String(task?.['id']),
    decision: { kind: 'approve', version: null, opinion: '同意' },
  });
}

const stateOf = async (id: string) => (await getRecord(world.open(ADMIN, 'contract', 'read'), id))['status'];

test('whoever holds one of the roles of a level is asked, and the first of them decides for all', async () => {
  const id = await submitted();
  expect((await statusFor(SALES, id)).next).toMatchObject({
    title: '部门经理或财务审核',
    reason: '本部门角色“DM”的持有人，或角色“FN”的持有人',
  });
  for (const person of [MANAGER, FINANCE, FINANCE2]) expect(await waitsFor(person, id)).toBe(true);
  expect(await waitsFor(BOSS, id)).toBe(false);
  await expect(approve(BOSS, id)).rejects.toMatchObject({ status: 403 });
  await approve(FINANCE2, id);
  expect(await stateOf(id)).toBe('approved');
  for (const person of [MANAGER, FINANCE, FINANCE2]) expect(await waitsFor(person, id)).toBe(false);
  await expect(approve(MANAGER, id)).rejects.toMatchObject({ code: 'TASK_DONE' });
});

test('the head of the department decides as well, and who submitted it does not although he holds a role', async () => {
  const id = await submitted();
  await approve(MANAGER, id);
  expect(await stateOf(id)).toBe('approved');
  await world.db.execute(
    `update person set role_ids = role_ids || (select id from role where code = 'FN') where id = $1`,
    [IDS.sales],
  );
  const own = await submitted();
  expect(await waitsFor(SALES, own)).toBe(false);
  await expect(approve(SALES, own)).rejects.toMatchObject({ message: '不能审核本人提交的单据' });
  await approve(FINANCE, own);
  expect(await stateOf(own)).toBe('approved');
});

test('a holder of either role may entrust somebody with it', async () => {
  await createDelegation(world.services, world.callerOf(FINANCE), { to: IDS.boss, valid_to: '2026-04-05' });
  const id = await submitted();
  expect(await waitsFor(BOSS, id)).toBe(true);
  await approve(BOSS, id);
  expect(await stateOf(id)).toBe('approved');
  await world.db.execute('delete from sys_delegation');
});
