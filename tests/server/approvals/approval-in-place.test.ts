import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
import { withdrawApproval } from '#server/workflow/approvals/withdraw-approval.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { createRecord } from '#server/records/write/save-record.ts';
import { FIXTURES } from '../data/fixtures.ts';
import { ADMIN, aWorld, BOSS, SALES, type World } from '../data/world.ts';

/** An approved contract is undone without leaving its state before the last level agrees. */
const WITH_UNDOING: readonly ResourceDefinition[] = FIXTURES.map((definition) =>
  definition.resource === 'contract' && definition.lifecycle !== undefined
    ? {
        ...definition,
        lifecycle: {
          ...definition.lifecycle,
          actions: {
            ...definition.lifecycle.actions,
            undo: {
              title: '冲销',
              from: ['approved'],
              to: '$same',
              complete: false,
              approval: { approved: 'void', rejected: 'approved', withdrawn: 'approved' },
            },
          },
        },
      }
    : definition,
);

let world: World;
beforeAll(async () => {
  const create_shipment = async () => undefined;
  world = await aWorld({
    definitions: WITH_UNDOING,
    rules: { effects: { create_shipment, note_approved: create_shipment } },
  });
  const [manager] = await world.db.query(`select id from role where code = 'DM'`);
  const level = { level_no: 1, title: '部门经理审核', approver_kind: 'role', mode: 'any' };
  await createRecord(world.open(ADMIN, 'approval_flow', 'create'), {
    name: '一般',
    resource: 'contract',
    priority: 1,
    levels: [{ ...level, role_ids: [manager?.['id']], skip_if_same: false }],
  });
});
afterAll(() => world.close());

async function approved(): Promise<string> {
  const made = await createRecord(world.open(SALES, 'contract', 'create'), { incoterm: 'CIF' });
  await world.db.query(`update contract set status = 'approved' where id = $1::uuid`, [made['id']]);
  return String(made['id']);
}

const undo = (id: string) =>
  runAction(world.open(ADMIN, 'contract', 'undo'), { id, action: 'undo' }, { version: null });

const offered = async (id: string) => {
  const record = await getRecord(world.open(ADMIN, 'contract', 'read'), id);
  const actions = record['_actions'] as { action: string; allowed: boolean; reason: string | null }[];
  const of = (key: string) => actions.find(({ action }) => action === key);
  return { status: record['status'], approving: record['_approving'], undo: of('undo'), ship: of('ship') };
};

test('while an approval runs that keeps the state, the record says so and does not offer another one', async () => {
  const id = await approved();
  expect(await offered(id)).toMatchObject({ approving: undefined, undo: { allowed: true } });
  const answer = await undo(id);
  const refusal = '“冲销”正在审核，请等审核结束，或先撤回';
  expect(answer['_approving']).toEqual({ action: 'undo', title: '冲销' });
  expect(await offered(id)).toMatchObject({
    status: 'approved',
    approving: { action: 'undo', title: '冲销' },
    undo: { allowed: false, reason: refusal },
    ship: { allowed: true },
  });
  const call = world.open(ADMIN, 'contract', 'read');
  const subject = { ...call.caller.subject, kind: 'partner' as const };
  const told = await getRecord({ ...call, caller: { ...call.caller, subject } }, id);
  expect([told['id'], told['_approving']]).toEqual([id, undefined]);
  await expect(undo(id)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED', message: refusal });
  await withdrawApproval(world.services, world.callerOf(ADMIN), { resource: 'contract', id, opinion: null });
  expect(await offered(id)).toMatchObject({ approving: undefined, undo: { allowed: true } });
});

test('an approval that the state tells of needs no second word', async () => {
  const made = await createRecord(world.open(BOSS, 'contract', 'create'), { incoterm: 'CIF' });
  await world.db.query(`update contract set status = 'pending' where id = $1::uuid`, [made['id']]);
  expect(await offered(String(made['id']))).toMatchObject({ status: 'pending', approving: undefined });
});
