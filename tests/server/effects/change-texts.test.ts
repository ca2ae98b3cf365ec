import { afterAll, beforeAll, expect, it } from 'vitest';
import { changesAsTexts } from '#server/records/rehearse/change-texts.ts';
import { ADMIN, aWorld, type World } from '../data/world.ts';

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
