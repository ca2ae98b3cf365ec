import { afterAll, beforeAll, expect, it } from 'vitest';
import { changesAsTexts } from '#server/records/rehearse/change-texts.ts';
import { toldChanges } from '#server/records/second/told-changes.ts';
import { ADMIN, aWorld, IDS, type World } from '../data/world.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

it('what an action would change is told in numbers as pages show them', async () => {
  const changes = [
    { field: 'freight', title: '运费', old: '1234.50', new: null },
    { field: 'items.1.unit_price', title: '单价', old: '400.000000', new: '1500.500000' },
    { field: 'lc_no', title: '信用证号', old: '400.0000', new: 'LC 1' },
  ];
  expect(await changesAsTexts(world.db, world.open(ADMIN, 'contract', 'read'), changes)).toMatchObject([
    { old: '1,234.50', new: null },
    { old: '400', new: '1,500.5' },
    { old: '400.0000', new: 'LC 1' },
  ]);
});

it('several references and whole lines are told by names, what may not be seen by a mark', async () => {
  const roles = await world.db.query(`select id from role where code = any('{DM,FN}') order by code`);
  const ids = roles.map((row) => row['id']);
  const line = { level_no: 1, role_ids: ids, person_ids: [IDS.manager, IDS.foreign], skip_if_same: true };
  const changes = [
    { field: 'levels.1.role_ids', title: '角色', old: [], new: ids },
    { field: 'levels.2', title: '级次', old: line, new: null },
  ];
  const told = await changesAsTexts(world.db, world.open(ADMIN, 'approval_flow', 'read'), changes);
  expect(told).toMatchObject([
    { old: '', new: 'DM、FN' },
    { old: { level_no: 1, role_ids: 'DM、FN', person_ids: '王经理、…', skip_if_same: true }, new: null },
  ]);
  expect(line.role_ids).toBe(ids);
  expect(line).not.toHaveProperty('_labels');
});

it('what a waiting change does not show of a value or of many changes is said', async () => {
  const call = world.open(ADMIN, 'approval_flow', 'read');
  const name = { field: 'name', title: '名称', old: '短', new: '长'.repeat(4001) };
  const told = await toldChanges(world.db, call, {
    record: {},
    changes: Array.from({ length: 201 }, () => name),
  });
  expect(told).toHaveLength(200);
  expect(told[0]).toMatchObject({
    old_value: '短',
    new_value: expect.stringMatching(/（共4001字，以下略）$/),
  });
  expect(String(told[0]?.['new_value'])).toHaveLength(4000);
  expect(told.at(-1)).toMatchObject({ new_value: '另有2项变更未列出' });
});

it('what is masked is told masked, whoever asks', async () => {
  const change = { field: 'mobile', title: '手机', old: null, new: '13812345678' };
  const told = await toldChanges(world.db, world.open(ADMIN, 'buyer', 'read'), {
    record: {},
    changes: [change],
  });
  expect(told).toEqual([{ title: '手机', old_value: null, new_value: '138****5678' }]);
});
