import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryInbox, countInbox } from '#server/workflow/approvals/approval-inbox.ts';
import { approvalStatus } from '#server/workflow/approvals/approval-status.ts';
import { decideBatch } from '#server/workflow/approvals/decide-batch.ts';
import { decideTask } from '#server/workflow/approvals/decide-task.ts';
import { previewDecision } from '#server/workflow/approvals/preview-decision.ts';
import { createDelegation } from '#server/workflow/approvals/give-delegation.ts';
import { withdrawApproval } from '#server/workflow/approvals/withdraw-approval.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { previewRecord } from '#server/records/prepare/preview-record.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Subject } from '#engine/schema/resource.ts';
import {
  ADMIN,
  aWorld,
  BOSS,
  FINANCE,
  FINANCE2,
  IDS,
  MANAGER,
  OTHER,
  SALES,
  type World,
} from '../data/world.ts';

import { checkAnswer } from '../../support/contract-answers.ts';
import { traceOf } from '../support/database-trace.ts';

let world: World;
let isRefusing = false;
const effects: string[] = [];
beforeAll(async () => {
  world = await aWorld({
    rules: {
      effects: {
        note_approved: async ({ record }) => {
          effects.push(String(record['id']));
          if (isRefusing) throw new AppError('RULE_REFUSED', { message: '额度不足' });
        },
        create_shipment: async () => undefined,
      },
    },
  });
  const roles = new Map(
    (await world.db.query('select id, code from role')).map((row) => [row['code'], row['id']]),
  );
  const level = (level_no: number, title: string, role: string | readonly string[], more: object = {}) => ({
    level_no,
    title,
    approver_kind: 'role',
    role_ids: [role].flat().map((code) => roles.get(code)),
    mode: 'any',
    skip_if_same: true,
    ...more,
  });
  await createRecord(world.open(ADMIN, 'approval_flow', 'create'), {
    name: '大额',
    resource: 'contract',
    priority: 1,
    amount_field: 'total_amount',
    amount_from: '1000.00',
    levels: [
      level(1, '部门经理审核', 'DM'),
      level(2, '财务会签', 'FN', { mode: 'all' }),
      level(3, '总经理审核', 'GM'),
    ],
  });
  await createRecord(world.open(ADMIN, 'approval_flow', 'create'), {
    name: '一般',
    resource: 'contract',
    priority: 2,
    levels: [level(1, '部门经理审核', 'DM', { timeout_hours: 24 }), level(2, '财务审核', 'FN')],
  });
});
afterAll(() => world.close());

let serial = 0;
async function submitted(price = '2', person: Partial<Subject> = SALES): Promise<string> {
  serial += 1;
  const buyer = await createRecord(world.open(ADMIN, 'buyer', 'create'), { name: `买家 ${serial}` });
  const contract = await createRecord(world.open(person, 'contract', 'create'), {
    buyer_id: buyer['id'],
    incoterm: 'CIF',
    items: [{ goods_name: '螺丝', quantity: '10', unit_price: price }],
  });
  const id = String(contract['id']);
  await runAction(world.open(person, 'contract', 'submit'), { id, action: 'submit' }, { version: 1 });
  return id;
}

async function taskOf(person: Partial<Subject>, id: string): Promise<{ id: string; version: number }> {
  const { task } = await approvalStatus(world.services, world.callerOf(person), { resource: 'contract', id });
  if (task === null) throw new TypeError('no task');
  return task;
}

async function decide(
  person: Partial<Subject>,
  id: string,
  kind: 'approve' | 'reject' | 'delegate',
  more: object = {},
) {
  const task = await taskOf(person, id);
  return decideTask(world.services, world.callerOf(person), {
    taskId: task.id,
    decision: { kind, version: task.version, opinion: '同意', ...more },
  });
}

const statusOf = async (id: string) => (await getRecord(world.open(ADMIN, 'contract', 'read'), id))['status'];

test('a small contract goes through its two levels, and the last one runs the effects once', async () => {
  const id = await submitted();
  expect(await statusOf(id)).toBe('pending');
  expect(world.notices.filter(({ event }) => event === 'TASK_ASSIGNED').at(-1)?.to).toEqual([IDS.manager]);
  const unfilled = async (person: typeof FINANCE) =>
    (
      await approvalStatus(world.services, world.callerOf(person), { resource: 'contract', id })
    ).checks.filter(({ path }) => path === 'approved_quantity');
  expect(await unfilled(MANAGER)).toEqual([]);
  await decide(MANAGER, id, 'approve');
  // Who has something to fill in at his level is told before he decides.
  expect(await unfilled(FINANCE)).toMatchObject([{ ok: false, message: '未填核准数量' }]);
  const middle = await approvalStatus(world.services, world.callerOf(SALES), { resource: 'contract', id });
  expect(middle.steps.map(({ status }) => status)).toEqual(['approved', 'pending']);
  expect(middle.next).toMatchObject({ title: '财务审核', reason: '角色“FN”的持有人' });
  const last = await decide(FINANCE, id, 'approve', { fields: { approved_quantity: '9' } });
  expect(last).toMatchObject({ isEnded: true, record: { status: 'approved' } });
  const record = await getRecord(world.open(ADMIN, 'contract', 'read'), id);
  expect(record).toMatchObject({ status: 'approved', approved_by: IDS.finance, approved_quantity: '9.0000' });
  expect(effects.filter((effect) => effect === id)).toHaveLength(1);
  expect(world.notices.at(-1)).toMatchObject({ event: 'TASK_APPROVED', to: [IDS.sales] });
});

test('checks that found nothing but a warning are not called passed', async () => {
  const id = await submitted();
  const told = async (person: Partial<Subject>) =>
    (await approvalStatus(world.services, world.callerOf(person), { resource: 'contract', id })).checks[0];
  expect(await told(MANAGER)).toMatchObject({ code: 'passed', ok: true });
  await decide(MANAGER, id, 'approve');
  expect(await told(FINANCE)).toMatchObject({
    code: 'warned',
    level: 'warning',
    ok: false,
    message: '没有阻断的问题，有 1 项提醒须核实',
  });
});

test('the amount in CNY chooses the flow, and all of a 会签 level must agree', async () => {
  const id = await submitted('20');
  await decide(MANAGER, id, 'approve');
  await decide(FINANCE, id, 'approve');
  const status = await approvalStatus(world.services, world.callerOf(SALES), { resource: 'contract', id });
  expect(status.amount_cny).toBe('1420.00');
  expect(status.steps[1]?.status).toBe('pending');
  await decide(FINANCE2, id, 'approve');
  await decide(BOSS, id, 'approve');
  expect(await statusOf(id)).toBe('approved');
});

test('together are approved documents of one kind, each below the limit in CNY; the inbox says which', async () => {
  // At 7.1: 49,998.20 and 50,055.00.
  const [small, large] = [await submitted('704.2'), await submitted('705')];
  const tasks = [await taskOf(MANAGER, small), await taskOf(MANAGER, large)];
  const manager = world.callerOf(MANAGER);
  const refusal = '折人民币50,000.00元及以上的单据须逐份审核';
  const inbox = await queryInbox(world.services, manager, { tab: 'mine', pageSize: 100 });
  const told = tasks.map(({ id }) => inbox.records.find((row) => row['id'] === id)?.['batch_refusal']);
  expect(told).toEqual([null, refusal]);
  const both = await decideBatch(world.services, manager, { action: 'approve', tasks, opinion: '同意' });
  expect(both.map(({ ok, msg }) => [ok, msg])).toEqual([
    [true, '审核通过'],
    [false, refusal],
  ]);
  const [, left] = tasks;
  const other = await taskOf(MANAGER, await submitted());
  await world.db.query(`update approval_task set resource = 'note' where id = $1`, [other.id]);
  const mixed = { action: 'approve' as const, tasks: [left, other].filter((task) => task !== undefined) };
  await expect(decideBatch(world.services, manager, mixed)).rejects.toMatchObject({
    message: '批量同意只能选择同一类单据',
  });
  await world.db.query(`update approval_task set resource = 'contract' where id = $1`, [other.id]);
  const refused = await decideBatch(world.services, manager, {
    ...mixed,
    action: 'reject',
    opinion: '不同意',
  });
  expect(refused.map(({ ok }) => ok)).toEqual([true, true]);
});

test('what 通过 would do is told beforehand: who decides next, at the last level what follows; nothing of it stays', async () => {
  const id = await submitted();
  const look = async (person: Partial<Subject>, more: object = {}) => {
    const task = await taskOf(person, id);
    const [before, told] = [await traceOf(world.db), world.notices.length];
    const plan = await previewDecision(world.services, world.callerOf(person), {
      taskId: task.id,
      decision: { kind: 'approve', version: task.version, opinion: null, ...more },
    });
    checkAnswer('POST', `/erp/api/approval/${task.id}/preview`, 200, { data: plan });
    expect(await traceOf(world.db)).toEqual(before);
    expect(world.notices).toHaveLength(told);
    return plan;
  };
  expect(await look(MANAGER)).toMatchObject({
    isRefused: false,
    moved: [],
    next: { title: '财务审核', persons: ['赵会计', '钱会计'] },
  });
  await decide(MANAGER, id, 'approve');
  const fields = { approved_quantity: '9' };
  expect(await look(FINANCE, { fields })).toMatchObject({
    isRefused: false,
    moved: [{ action: '审核通过', to: '已审核', isOwn: true }],
    next: null,
  });
  expect(await statusOf(id)).toBe('pending');
  await decide(FINANCE, id, 'approve', { fields });
  expect(await statusOf(id)).toBe('approved');
});

test('two approvals of one task: the second hears that it is done', async () => {
  const id = await submitted();
  const task = await taskOf(MANAGER, id);
  const approve = () =>
    decideTask(world.services, world.callerOf(MANAGER), {
      taskId: task.id,
      decision: { kind: 'approve', version: task.version, opinion: null },
    });
  const results = await Promise.allSettled([approve(), approve()]);
  const refused = results.find((result) => result.status === 'rejected');
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  expect(refused).toMatchObject({ reason: { code: 'TASK_DONE', message: '任务已处理' } });
});

test('nobody approves the own document: the next level or 总经理 decides', async () => {
  await world.db.query(
    `update person set role_ids = role_ids || (select id from role where code = 'DM') where id = $1`,
    [IDS.boss],
  );
  const own = await submitted('2', BOSS);
  const task = (await world.db.query(`select id from approval_task where record_id = $1`, [own]))[0];
  await expect(
    decideTask(world.services, world.callerOf(BOSS), {
      taskId: String(task?.['id']),
      decision: { kind: 'approve', version: null, opinion: null },
    }),
  ).rejects.toMatchObject({ message: '不能审核本人提交的单据' });
  await world.db.query(
    `update person set role_ids = array[(select id from role where code = 'GM')] where id = $1`,
    [IDS.boss],
  );
  await world.db.query(`update person set status = 'disabled' where id = $1`, [IDS.manager]);
  await world.db.query(`update department set manager_id = $1`, [IDS.sales]);
  const preview = await previewRecord(world.services, world.callerOf(SALES), {
    key: 'contract',
    body: { incoterm: 'CIF' },
  });
  expect(preview.approval?.levels[0]).toMatchObject({ skipped: '提交人是该级唯一的审核人，由后续级次审核' });
  await world.db.query(`update person set status = 'active' where id = $1`, [IDS.manager]);
  await world.db.query(`update department set manager_id = $1`, [IDS.manager]);
});

test('whoever decided on a document may decide on what followed from it, until he changes it', async () => {
  const made = async (...actions: readonly string[]): Promise<string> => {
    const id = await submitted();
    await world.db.query('update contract set created_by = $2 where id = $1::uuid', [id, IDS.manager]);
    for (const action of actions)
      await world.db.query(
        `insert into sys_audit (id, resource, record_id, co_code, person_id, action)
         values (gen_random_uuid(), 'contract', $1::uuid, 'AA', $2::uuid, $3)`,
        [id, IDS.manager, action],
      );
    return id;
  };
  const asked = async (id: string): Promise<boolean> =>
    (await approvalStatus(world.services, world.callerOf(MANAGER), { resource: 'contract', id })).task !==
    null;
  expect(await asked(await made())).toBe(false);
  expect(await asked(await made('made', 'update'))).toBe(false);
  await decide(MANAGER, await made('made'), 'approve');
});

test('a rejection needs an opinion, goes back to the submitter, and a second submission shows what changed', async () => {
  const id = await submitted();
  await expect(decide(MANAGER, id, 'reject', { opinion: ' ' })).rejects.toMatchObject({
    code: 'REASON_REQUIRED',
  });
  await decide(MANAGER, id, 'reject', { opinion: '单价有误' });
  const rejected = await getRecord(world.open(SALES, 'contract', 'read'), id);
  expect(rejected).toMatchObject({ status: 'rejected', reject_reason: '单价有误' });
  const [line] = rejected['items'] as { id: string }[];
  const changed = await updateRecord(world.open(SALES, 'contract', 'update'), id, {
    version: rejected['version'],
    items: [{ id: line?.id, unit_price: '3' }],
  });
  await runAction(
    world.open(SALES, 'contract', 'submit'),
    { id, action: 'submit' },
    { version: Number(changed['version']) },
  );
  const status = await approvalStatus(world.services, world.callerOf(MANAGER), { resource: 'contract', id });
  expect(status.changes).toContainEqual(
    expect.objectContaining({ title: '商品明细第1行·单价', old: '2.000000', new: '3.000000' }),
  );
  expect(status.earlier).toHaveLength(1);
});

test('the submitter withdraws while no level has acted, nobody else and not later', async () => {
  const id = await submitted();
  const withdraw = (person: Partial<Subject>) =>
    withdrawApproval(world.services, world.callerOf(person), { resource: 'contract', id, opinion: null });
  await expect(withdraw(OTHER)).rejects.toMatchObject({ status: 404 });
  await expect(withdraw(FINANCE)).rejects.toMatchObject({ message: '只有提交人可以撤回' });
  expect(await withdraw(SALES)).toMatchObject({ status: 'draft' });
  const again = await submitted();
  await decide(MANAGER, again, 'approve');
  await expect(
    withdrawApproval(world.services, world.callerOf(SALES), {
      resource: 'contract',
      id: again,
      opinion: null,
    }),
  ).rejects.toMatchObject({ message: '已有审核人处理，不能撤回' });
});

test('a document that changed since must be looked at again', async () => {
  const id = await submitted();
  await decide(MANAGER, id, 'approve');
  const task = await taskOf(FINANCE, id);
  const seen = await getRecord(world.open(FINANCE, 'contract', 'read'), id);
  await updateRecord(world.open(FINANCE2, 'contract', 'update'), id, {
    version: seen['version'],
    approved_quantity: '1',
  });
  const approve = (version: number) =>
    decideTask(world.services, world.callerOf(FINANCE), {
      taskId: task.id,
      decision: { kind: 'approve', version, opinion: null },
    });
  await expect(approve(task.version)).rejects.toMatchObject({ message: '单据已变更，请刷新后审核' });
  await approve(Number(seen['version']) + 1);
  expect(await statusOf(id)).toBe('approved');
});

test('when an effect of the last level refuses, nothing changes', async () => {
  const id = await submitted();
  await decide(MANAGER, id, 'approve');
  isRefusing = true;
  await expect(decide(FINANCE, id, 'approve')).rejects.toMatchObject({ message: '额度不足' });
  isRefusing = false;
  expect(await statusOf(id)).toBe('pending');
  await decide(FINANCE, id, 'approve');
  expect(await statusOf(id)).toBe('approved');
});

test('a task can be handed on to whoever may approve, and a standing delegation opens tasks to the delegate', async () => {
  const id = await submitted();
  await expect(decide(MANAGER, id, 'delegate', { to: IDS.other })).rejects.toMatchObject({
    message: '转审人没有该单据的审核权限',
  });
  await decide(MANAGER, id, 'delegate', { to: IDS.boss });
  await decide(BOSS, id, 'approve');
  await createDelegation(world.services, world.callerOf(FINANCE), { to: IDS.admin, valid_to: '2026-04-05' });
  const inbox = await queryInbox(world.services, world.callerOf(ADMIN), { tab: 'mine' });
  expect(inbox.records.some((task) => task['record_id'] === id)).toBe(true);
  await decide(ADMIN, id, 'approve');
  expect(await statusOf(id)).toBe('approved');
});

test('the inbox counts by document with the oldest and the amount', async () => {
  await submitted();
  world.setClock('2026-04-01T03:00:00Z');
  const counts = await countInbox(world.services, world.callerOf(MANAGER));
  expect(counts.mine).toBeGreaterThan(0);
  expect(counts.groups[0]).toMatchObject({ resource: 'contract', title: '外销合同', oldestHours: 25 });
  expect(Number(counts.groups[0]?.amountCny)).toBeGreaterThan(0);
  world.setClock('2026-03-31T02:00:00Z');
});
