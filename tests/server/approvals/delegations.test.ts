import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DelegationForm } from '#contract/approval.ts';
import type { Subject } from '#engine/schema/resource.ts';
import { queryInbox } from '#server/workflow/approvals/approval-inbox.ts';
import { decideTask } from '#server/workflow/approvals/decide-task.ts';
import { listDelegations } from '#server/workflow/approvals/delegations.ts';
import { createDelegation, revokeDelegation } from '#server/workflow/approvals/give-delegation.ts';
import { recordHistory } from '#server/records/read/record-history.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { createRecord } from '#server/records/write/save-record.ts';
import {
  ADMIN,
  aWorld,
  BOSS,
  FINANCE,
  FINANCE2,
  FOREIGN,
  IDS,
  MANAGER,
  SALES,
  type World,
} from '../data/world.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld({
    rules: { effects: { note_approved: async () => undefined, create_shipment: async () => undefined } },
  });
  const [finance] = await world.db.query(`select id from role where code = 'FN'`);
  const level = { level_no: 1, title: '财务审核', approver_kind: 'role', role_ids: [finance?.['id']] };
  await createRecord(world.open(ADMIN, 'approval_flow', 'create'), {
    name: '财务',
    resource: 'contract',
    priority: 1,
    levels: [{ ...level, mode: 'any', skip_if_same: true }],
  });
});
afterAll(() => world.close());
afterEach(async () => {
  await world.db.execute('delete from sys_delegation');
});

const UNTIL = '2026-04-05';
const give = (person: Partial<Subject>, form: Partial<DelegationForm> & { readonly to: string }) =>
  createDelegation(world.services, world.callerOf(person), { valid_to: UNTIL, ...form });
const refusal = (path: string, message: string) => ({ message, problems: [{ path, message }] });

let serial = 0;
async function submitted(): Promise<{ readonly id: string; readonly task: string }> {
  serial += 1;
  const buyer = await createRecord(world.open(ADMIN, 'buyer', 'create'), { name: `买家 ${serial}` });
  const contract = await createRecord(world.open(SALES, 'contract', 'create'), {
    buyer_id: buyer['id'],
    incoterm: 'CIF',
    items: [{ goods_name: '螺丝', quantity: '10', unit_price: '2' }],
  });
  const id = String(contract['id']);
  await runAction(world.open(SALES, 'contract', 'submit'), { id, action: 'submit' }, { version: 1 });
  const [task] = await world.db.query('select id from approval_task where record_id = $1', [id]);
  return { id, task: String(task?.['id']) };
}

const approve = (person: Partial<Subject>, task: string) =>
  decideTask(world.services, world.callerOf(person), {
    taskId: task,
    decision: { kind: 'approve', version: null, opinion: '同意' },
  });

async function waitsFor(person: Partial<Subject>, id: string): Promise<boolean> {
  const inbox = await queryInbox(world.services, world.callerOf(person), { tab: 'mine' });
  return inbox.records.some((row) => row['record_id'] === id);
}

describe('who may be entrusted', () => {
  test.each([
    ['nobody', BOSS, { to: '' }, refusal('to', '请选择受托人')],
    ['oneself', BOSS, { to: IDS.boss }, refusal('to', '不能委托给本人')],
    ['another company', BOSS, { to: IDS.foreign }, refusal('to', '受托人已停用，或不是本公司的同事')],
    ['a customer', BOSS, { to: IDS.department }, refusal('to', '受托人已停用，或不是本公司的同事')],
    [
      'no right on anything',
      BOSS,
      { to: IDS.sales },
      refusal('to', '张三没有您所审核单据的审核权限，不能受托'),
    ],
    [
      'no right on the kind',
      BOSS,
      { to: IDS.sales, kinds: ['contract'] },
      refusal('kinds', '张三没有审核权限：外销合同'),
    ],
    [
      'a kind one may not approve',
      BOSS,
      { to: IDS.manager, kinds: ['buyer'] },
      { problems: [{ path: 'kinds' }] },
    ],
    ['a giver without rights', SALES, { to: IDS.boss }, refusal('to', '您没有审核权限，无需委托')],
    [
      'a day that has passed',
      BOSS,
      { to: IDS.manager, valid_from: '2026-03-30' },
      refusal('valid_from', '开始日期不能早于今天'),
    ],
    [
      'an end before the beginning',
      BOSS,
      { to: IDS.manager, valid_from: '2026-04-06' },
      refusal('valid_to', '结束日期不能早于开始日期'),
    ],
    [
      'longer than the parameter allows',
      BOSS,
      { to: IDS.manager, valid_from: '2026-04-01', valid_to: '2026-07-01' },
      refusal('valid_to', '委托最长90天，结束日期不能晚于2026-06-30'),
    ],
    ['no day', BOSS, { to: IDS.manager, valid_to: '2026-02-30' }, refusal('valid_to', '日期格式不正确')],
  ])('%s: refused beside its cause', async (_name, person, form, expected) => {
    await expect(give(person, form)).rejects.toMatchObject(expected);
  });

  test('the same colleague is entrusted once a day and kind, even at the same moment', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => give(BOSS, { to: IDS.manager, valid_from: '2026-04-01' })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(give(BOSS, { to: IDS.manager, kinds: ['contract'] })).rejects.toMatchObject(
      refusal('valid_from', '已委托王经理审核（2026-04-01 至 2026-04-05），日期重叠'),
    );
    await give(BOSS, { to: IDS.manager, valid_from: '2026-04-06', valid_to: '2026-04-07' });
    // To the last day that the parameter allows.
    await give(BOSS, { to: IDS.finance2, valid_to: '2026-06-29' });
    expect((await list(BOSS)).delegations).toHaveLength(3);
  });
});

const list = (person: Partial<Subject>) =>
  listDelegations(world.services.db, world.services, world.callerOf(person));

describe('what a delegation opens', () => {
  test('documents of its kinds, from its first day to its last or its end', async () => {
    const { id, task } = await submitted();
    await give(FINANCE, { to: IDS.admin, valid_from: '2026-04-01', kinds: ['contract'] });
    expect(await waitsFor(ADMIN, id)).toBe(false);
    await expect(approve(ADMIN, task)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    world.setClock('2026-04-01T02:00:00Z');
    expect(await waitsFor(ADMIN, id)).toBe(true);
    await world.db.execute(`update sys_delegation set kinds = array['receipt']`);
    expect(await waitsFor(ADMIN, id)).toBe(false);
    await expect(approve(ADMIN, task)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await world.db.execute(`update sys_delegation set kinds = array['receipt', 'contract']`);
    await approve(ADMIN, task);
    const { id: later } = await submitted();
    const [given] = (await list(FINANCE)).delegations;
    await revokeDelegation(world.services, world.callerOf(FINANCE), given?.id ?? '');
    expect(await waitsFor(ADMIN, later)).toBe(false);
    world.setClock('2026-03-31T02:00:00Z');
  });

  test('what was received is not handed on', async () => {
    const { id, task } = await submitted();
    await give(FINANCE, { to: IDS.boss });
    await give(BOSS, { to: IDS.manager });
    expect(await waitsFor(BOSS, id)).toBe(true);
    expect(await waitsFor(MANAGER, id)).toBe(false);
    await expect(approve(MANAGER, task)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('handing a task on with a date entrusts its kind of document alone', async () => {
    const { task } = await submitted();
    const handOn = (until: string) =>
      decideTask(world.services, world.callerOf(FINANCE), {
        taskId: task,
        decision: { kind: 'delegate', version: null, opinion: null, to: IDS.boss, until },
      });
    await expect(handOn('2026-03-30')).rejects.toMatchObject({ problems: [{ path: 'until' }] });
    await expect(handOn('2026-02-31')).rejects.toMatchObject(refusal('until', '日期格式不正确'));
    await handOn(UNTIL);
    expect((await list(FINANCE)).delegations).toMatchObject([
      { to_name: '总经理', valid_to: UNTIL, kinds: [{ resource: 'contract', title: '外销合同' }] },
    ]);
  });
});

describe('what is known of it', () => {
  test('both sides see it, the receiver is told, and the history names who gave and ended it', async () => {
    world.notices.length = 0;
    await give(FINANCE, { to: IDS.boss, kinds: ['contract'] });
    const [given] = (await list(BOSS)).delegations;
    expect(given).toMatchObject({ from_name: '赵会计', to_name: '总经理', valid_from: '2026-03-31' });
    expect((await list(FINANCE2)).delegations).toEqual([]);
    const end = (person: Partial<Subject>) =>
      revokeDelegation(world.services, world.callerOf(person), given?.id ?? '');
    await expect(end(BOSS)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(end(FOREIGN)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await end(FINANCE);
    await expect(end(FINANCE)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(world.notices).toMatchObject([
      { event: 'DELEGATION_GIVEN', to: [IDS.boss], link: '/self' },
      { event: 'DELEGATION_ENDED', to: [IDS.boss] },
    ]);
    const history = await recordHistory(world.open(ADMIN, 'person', 'read'), IDS.finance);
    expect(history.map(({ action_title: title, opinion }) => [title, opinion])).toEqual(
      expect.arrayContaining([
        ['取消审核委托', '总经理：2026-03-31 至 2026-04-05，外销合同'],
        ['委托审核', '总经理：2026-03-31 至 2026-04-05，外销合同'],
      ]),
    );
  });
});
