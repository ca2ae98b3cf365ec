import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRecord } from '#server/records/write/save-record.ts';
import { addComment, commentsOf, mentionable } from '#server/workflow/notices/record-comments.ts';
import { ADMIN, aWorld, IDS, SALES, type World } from '../data/world.ts';

let world: World;
let place: { readonly resource: string; readonly id: string };
beforeAll(async () => {
  world = await aWorld();
  const buyer = await createRecord(world.open(ADMIN, 'buyer', 'create'), { name: '买家' });
  const contract = await createRecord(world.open(SALES, 'contract', 'create'), {
    buyer_id: buyer['id'],
    incoterm: 'CIF',
    items: [{ goods_name: '螺丝', quantity: '10', unit_price: '2' }],
  });
  place = { resource: 'contract', id: String(contract['id']) };
});
afterAll(() => world.close());

const say = (...mentions: readonly string[]) =>
  addComment(world.services, world.callerOf(SALES), {
    place,
    content: '@王经理 请看',
    mentions: [...mentions],
  });
const offered = async (keyword: string) =>
  (await mentionable(world.services, world.callerOf(SALES), place, keyword)).map(({ name }) => name);

test('colleagues who may read the record are offered, and neither oneself nor whoever may not', async () => {
  const names = await offered('');
  expect(names).toContain('王经理');
  // A salesman reads his own contracts alone; the other works for another company.
  for (const closed of ['张三', '李四', '外公司']) expect(names).not.toContain(closed);
});

test('who is mentioned is told and named; of whom may not read it the comment is refused, and nobody hears', async () => {
  world.notices.length = 0;
  expect(await say(IDS.manager, IDS.sales)).toMatchObject({ mention_names: ['王经理', '张三'] });
  expect(world.notices).toMatchObject([{ event: 'COMMENT_MENTION', to: [IDS.manager] }]);
  await expect(say(IDS.manager, IDS.other)).rejects.toMatchObject({
    problems: [{ path: 'mentions', message: '李四无权查看此单据，不能提及' }],
  });
  for (const stranger of [IDS.foreign, IDS.department])
    await expect(say(stranger)).rejects.toMatchObject({
      problems: [{ path: 'mentions', message: '提及的同事不存在或已停用' }],
    });
  expect(world.notices).toHaveLength(1);
  const comments = await commentsOf(world.services, world.callerOf(SALES), place);
  expect(comments.map(({ mention_names: names }) => names)).toEqual([['王经理', '张三']]);
});
