import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseError } from 'pg';
import type { Subject } from '#engine/schema/resource.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import type { Effect } from '#server/records/rules/rule-registry.ts';
import { queryInbox } from '#server/workflow/approvals/approval-inbox.ts';
import { approvalStatus } from '#server/workflow/approvals/approval-status.ts';
import { decideTask } from '#server/workflow/approvals/decide-task.ts';
import { createDelegation } from '#server/workflow/approvals/give-delegation.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { recordHistory } from '#server/records/read/record-history.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { createRecord } from '#server/records/write/save-record.ts';
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

let world: World;
/** What the last approval does. */
let approved: Effect = async () => undefined;
beforeAll(async () => {
  world = await aWorld({
    rules: { effects: { note_approved: (call) => approved(call), create_shipment: async () => undefined } },
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

let serial = 0;
/** A submitted contract and its waiting task. */
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

/** Twenty decisions at once; the refusals' codes, each once, and how many went through. */
async function storm(person: Partial<Subject>, task: string): Promise<readonly [readonly string[], number]> {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => approve(person, task)));
  const refusals = results.flatMap((result) =>
    result.status === 'rejected' ? [String(Reflect.get(Object(result.reason), 'code'))] : [],
  );
  return [[...new Set(refusals)], 20 - refusals.length];
}

const statusOf = async (id: string) => (await getRecord(world.open(ADMIN, 'contract', 'read'), id))['status'];
const sql = (text: string, values: readonly unknown[] = []) => world.db.execute(text, values);
const ROLE = (code: string) => `(select id from role where code = '${code}')`;

/** What takes the right away, and what gives it back. */
const CHANGES: readonly (readonly [
  name: string,
  take: () => Promise<unknown>,
  give: () => Promise<unknown>,
])[] = [
  [
    'the role is lost',
    () => sql(`update person set role_ids = array[${ROLE('SP')}] where id = $1`, [IDS.finance]),
    () => sql(`update person set role_ids = array[${ROLE('FN')}] where id = $1`, [IDS.finance]),
  ],
  [
    'the person is disabled',
    () => sql(`update person set status = 'disabled' where id = $1`, [IDS.finance]),
    () => sql(`update person set status = 'active' where id = $1`, [IDS.finance]),
  ],
  [
    'the person has left',
    () => sql(`update person set leave_date = '2026-03-01' where id = $1`, [IDS.finance]),
    () => sql(`update person set leave_date = null where id = $1`, [IDS.finance]),
  ],
  [
    'the role is disabled',
    () => sql(`update role set status = 'disabled' where code = 'FN'`),
    () => sql(`update role set status = 'active' where code = 'FN'`),
  ],
  [
    // Another process wrote the rule: this one has not heard of it yet.
    'a rule takes the approve right from the role',
    () =>
      sql(`insert into permission_rule (id, version, status, role_id, resource, actions)
           values (gen_random_uuid(), 1, 'active', ${ROLE('FN')}, 'contract', array['list', 'read'])`),
    () => sql('delete from permission_rule'),
  ],
  [
    'the person moves to another company',
    () => sql(`update person set co_code = 'AE' where id = $1`, [IDS.finance]),
    () => sql(`update person set co_code = 'AA' where id = $1`, [IDS.finance]),
  ],
];

describe('what an approver knows beforehand', () => {
  test('the row names the party, the amount and what changed; a decided document is not checked again', async () => {
    const { id, task } = await submitted();
    const inbox = async () =>
      (await queryInbox(world.services, world.callerOf(FINANCE), { tab: 'mine' })).records.find(
        (row) => row['record_id'] === id,
      );
    expect(await inbox()).toMatchObject({
      party: `买家 ${serial}`,
      amount: '20.00',
      changed: null,
      waiting_hours: 0,
    });
    const waiting = await approvalStatus(world.services, world.callerOf(FINANCE), {
      resource: 'contract',
      id,
    });
    expect(waiting.checks).not.toEqual([]);
    await approve(FINANCE, task);
    const decided = await approvalStatus(world.services, world.callerOf(FINANCE), {
      resource: 'contract',
      id,
    });
    expect([decided.status, decided.checks]).toEqual(['approved', []]);
    const done = async (person: Partial<Subject>) =>
      (await queryInbox(world.services, world.callerOf(person), { tab: 'done' })).records.find(
        (row) => row['record_id'] === id,
      );
    expect(await done(FINANCE)).toMatchObject({ party: `买家 ${serial}`, amount: '20.00' });
    // In a role that reads no contracts the task is left, not what stands in the contract today.
    const elsewhere = await done({ ...FINANCE, role_code: 'HR', role_codes: ['HR'] });
    expect(elsewhere).toMatchObject({ record_id: id });
    for (const name of ['party', 'amount', 'currency', 'changed']) expect(elsewhere).not.toHaveProperty(name);
  });
});

describe('nobody decides any more when', () => {
  test.each(CHANGES)('%s, in twenty decisions at once', async (_, take, give) => {
    const { id, task } = await submitted();
    await take();
    expect(await storm(FINANCE, task)).toEqual([['FORBIDDEN'], 0]);
    const shown = await approvalStatus(world.services, world.callerOf(FINANCE), { resource: 'contract', id });
    expect(shown.task).toBeNull();
    expect(await statusOf(id)).toBe('pending');
    await give();
    expect(await storm(FINANCE, task)).toEqual([['TASK_DONE'], 1]);
    expect(await statusOf(id)).toBe('approved');
  });

  test('the dismissal is committed while the decision waits for it', async () => {
    const { id, task } = await submitted();
    let decision: Promise<unknown> = Promise.resolve();
    await world.db.transaction(async (tx) => {
      await tx.execute(`update person set status = 'disabled' where id = $1`, [IDS.finance]);
      decision = approve(FINANCE, task).catch((error: unknown) => Reflect.get(Object(error), 'code'));
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    expect(await decision).toBe('FORBIDDEN');
    expect(await statusOf(id)).toBe('pending');
    await sql(`update person set status = 'active' where id = $1`, [IDS.finance]);
  });
});

test('whoever takes over the role decides, when those who were asked may no longer', async () => {
  const { id, task } = await submitted();
  await sql(`update person set role_ids = array[${ROLE('SP')}] where id = any($1)`, [
    [IDS.finance, IDS.finance2],
  ]);
  await sql(`update person set role_ids = array[${ROLE('FN')}] where id = $1`, [IDS.boss]);
  await approve({ ...BOSS, role_code: 'FN' }, task);
  expect(await statusOf(id)).toBe('approved');
  await sql(`update person set role_ids = array[${ROLE('FN')}] where id = any($1)`, [
    [IDS.finance, IDS.finance2],
  ]);
  await sql(`update person set role_ids = array[${ROLE('GM')}] where id = $1`, [IDS.boss]);
});

const delegate = (to: string) =>
  createDelegation(world.services, world.callerOf(FINANCE), { to, valid_to: '2026-04-30' });

describe('a delegate', () => {
  afterEach(async () => {
    await sql('delete from sys_delegation');
  });

  test('needs the right too', async () => {
    const { id, task } = await submitted();
    await expect(delegate(IDS.other)).rejects.toMatchObject({ problems: [{ path: 'to' }] });
    // Given while the colleague still could.
    await delegate(IDS.manager);
    await sql('update sys_delegation set to_person = $1', [IDS.other]);
    expect(await storm(OTHER, task)).toEqual([['FORBIDDEN'], 0]);
    expect((await queryInbox(world.services, world.callerOf(OTHER), { tab: 'mine' })).records).toEqual([]);
    expect(await statusOf(id)).toBe('pending');
  });

  test('decides on behalf of the delegator, and the audit names both', async () => {
    const { id, task } = await submitted();
    await delegate(IDS.manager);
    await approve(MANAGER, task);
    const history = await recordHistory(world.open(ADMIN, 'contract', 'read'), id);
    const decision = history.find(({ action }) => action === 'approve');
    expect(decision).toMatchObject({ person_name: '王经理', on_behalf_name: '赵会计' });
    const rows = await world.db.query(
      `select distinct on_behalf_id from sys_audit where record_id = $1 and action in ('approve', 'approved')`,
      [id],
    );
    expect(rows).toEqual([{ on_behalf_id: IDS.finance }]);
  });

  test.each(CHANGES)('decides no longer when for the delegator %s', async (name, lose, give) => {
    await delegate(IDS.manager);
    const { id, task } = await submitted();
    await lose();
    // The other holder of the role stays: nothing falls to the general manager.
    expect([name, await storm(MANAGER, task)]).toEqual([name, [['FORBIDDEN'], 0]]);
    await give();
    await approve(MANAGER, task);
    expect(await statusOf(id)).toBe('approved');
  });

  test('of a task handed on decides while its giver could', async () => {
    const { id, task } = await submitted();
    await decideTask(world.services, world.callerOf(FINANCE2), {
      taskId: task,
      decision: { kind: 'delegate', version: null, opinion: null, to: IDS.boss },
    });
    const rows = await world.db.query(
      `select id from approval_task where record_id = $1 and status = 'pending'`,
      [id],
    );
    const handed = String(rows[0]?.['id']);
    await sql(`update person set role_ids = array[${ROLE('SP')}] where id = $1`, [IDS.finance2]);
    await expect(approve(BOSS, handed)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await sql(`update person set role_ids = array[${ROLE('FN')}] where id = $1`, [IDS.finance2]);
    await approve(BOSS, handed);
    expect(await statusOf(id)).toBe('approved');
  });

  test('of a task that was handed on again decides while the first giver could', async () => {
    const { id, task } = await submitted();
    await handOn(FINANCE2, task, IDS.boss);
    await handOn(BOSS, await waiting(id), IDS.manager);
    const handed = await waiting(id);
    await sql(`update person set role_ids = array[${ROLE('SP')}] where id = $1`, [IDS.finance2]);
    await expect(approve(MANAGER, handed)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await sql(`update person set role_ids = array[${ROLE('FN')}] where id = $1`, [IDS.finance2]);
    await approve(MANAGER, handed);
    expect(await statusOf(id)).toBe('approved');
  });

  test('hands on the right of the colleague for whom it decides', async () => {
    await delegate(IDS.manager);
    const { id, task } = await submitted();
    await handOn(MANAGER, task, IDS.boss);
    await approve(BOSS, await waiting(id));
    expect(await statusOf(id)).toBe('approved');
  });
});

const handOn = (person: Partial<Subject>, task: string, to: string) =>
  decideTask(world.services, world.callerOf(person), {
    taskId: task,
    decision: { kind: 'delegate', version: null, opinion: null, to },
  });

async function waiting(id: string): Promise<string> {
  const [task] = await world.db.query(
    `select id from approval_task where record_id = $1 and status = 'pending'`,
    [id],
  );
  return String(task?.['id']);
}

test('a decision that a deadlock undid and ran again names what it made once', async () => {
  const { task } = await submitted();
  let runs = 0;
  approved = async ({ created }) => {
    runs += 1;
    created.push({ resource: 'shipment', id: `${runs}`, label: `${runs}` });
    const deadlock = Object.assign(new DatabaseError('deadlock detected', 0, 'error'), { code: '40P01' });
    if (runs === 1) throw new DatabaseFault(deadlock);
  };
  const decided = await approve(FINANCE, task);
  approved = async () => undefined;
  expect(decided.created.map(({ id }) => id)).toEqual(['2']);
});
