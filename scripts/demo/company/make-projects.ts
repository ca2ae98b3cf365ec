import { addDays } from '#engine/values/dates.ts';
import { draftBy } from './draft-by.ts';
import { isReached } from './ends.ts';
import { unlessRefused } from './unless-refused.ts';
import type { DemoRelation, World } from './world.ts';

/** The company's own business: an approved estimate and the project on it. Gives the project's id. */
export function makeProject(world: World, relations: readonly DemoRelation[]): Promise<string> {
  return openProject(world, relations, { serial: 0, name: '自营日用品出口项目' });
}

/** A project of the company's own that is at its end: its settlement is drawn up. */
export async function makeEndingProject(world: World, relations: readonly DemoRelation[]): Promise<void> {
  const { stage } = world;
  const id = await openProject(world, relations, { serial: 9, name: '自营展会样品项目' });
  const story = stage.begin('ending project', addDays(stage.today, -2));
  const owner = ownOf(relations)[0]?.buyer.owner ?? 'sp';
  const settlement = await draftBy(story, owner, { resource: 'project', id, action: 'start_settle' });
  await story.act(owner, 'project_settlement', { id: settlement, action: 'calculate' });
}

/** Projects that came to nothing: one is settled, one closed, and two were not begun yet. */
export async function makeEndedProjects(world: World, relations: readonly DemoRelation[]): Promise<void> {
  const { stage } = world;
  const owner = ownOf(relations)[0]?.buyer.owner ?? 'sp';
  const wanted = async (state: string, work: () => Promise<unknown>): Promise<void> => {
    if (!(await isReached(world, { resource: 'project', state }))) await unlessRefused(work);
  };
  await wanted('settled', async () => {
    const id = await openProject(world, relations, { serial: 10, name: '自营园艺工具试单项目' });
    const story = stage.begin('settled project', addDays(stage.today, -20));
    const settlement = await draftBy(story, owner, { resource: 'project', id, action: 'start_settle' });
    await story.act(owner, 'project_settlement', { id: settlement, action: 'calculate' });
    await story.approve(owner, 'project_settlement', { id: settlement });
  });
  await wanted('closed', async () => {
    const id = await openProject(world, relations, { serial: 11, name: '自营节日礼品项目' });
    await stage
      .begin('closed project', addDays(stage.today, -30))
      .act('fn', 'project', { id, action: 'close' });
  });
  await wanted('pending', () =>
    openProject(world, relations, { serial: 12, name: '自营宠物用品项目', daysAgo: 4, levels: 0 }),
  );
  await wanted('rejected', () =>
    openProject(world, relations, {
      serial: 13,
      name: '自营户外家具项目',
      daysAgo: 9,
      rejection: '预算成本偏低，请按最新报价重新测算',
    }),
  );
}

interface NewProject {
  readonly serial: number;
  readonly name: string;
  /** So many days ago; default: early in the demo. */
  readonly daysAgo?: number;
  readonly levels?: number;
  readonly rejection?: string;
}

async function openProject(
  world: World,
  relations: readonly DemoRelation[],
  { serial, name, daysAgo, ...approval }: NewProject,
): Promise<string> {
  const { stage, start } = world;
  const [relation] = ownOf(relations);
  if (relation === undefined) throw new RangeError('no business of its own');
  const day = daysAgo === undefined ? addDays(start, 138) : addDays(stage.today, -daysAgo);
  const story = stage.begin(serial === 0 ? 'project' : `project ${serial}`, day);
  const estimate = await makeEstimate(world, relation, { serial, day: addDays(day, -2) });
  const record = await story.create(relation.buyer.owner, 'project', {
    business_type: 'self',
    name,
    estimate_id: estimate,
    start_date: story.day(),
    end_date: addDays(stage.today, 180),
    budget_income: '20000000.00',
    budget_cost: '18500000.00',
    fund_limit: '3000000.00',
  });
  await story.approve(relation.buyer.owner, 'project', { id: String(record['id']), ...approval });
  return String(record['id']);
}

/** Estimates that wait, one at each level. */
export async function makeWaitingEstimates(world: World, relations: readonly DemoRelation[]): Promise<void> {
  const own = ownOf(relations);
  for (const levels of [0, 1, 2, 3])
    for (const relation of own.slice(levels % own.length).slice(0, 1))
      await makeEstimate(world, relation, {
        serial: levels + 1,
        day: addDays(world.stage.today, -6),
        levels,
      });
}

function ownOf(relations: readonly DemoRelation[]): readonly DemoRelation[] {
  return relations.filter(({ buyer }) => buyer.partner === null);
}

async function makeEstimate(
  { stage }: World,
  { buyer, supplier }: DemoRelation,
  { serial, day, levels }: { readonly serial: number; readonly day: string; readonly levels?: number },
): Promise<string> {
  const story = stage.begin(`estimate ${serial}`, day);
  const isOpen = levels !== undefined && levels > 1;
  const goods = story.roll.some(supplier.goods, 2);
  const record = await story.create(buyer.owner, 'estimate', {
    title: `${buyer.name.slice(0, 40)} 出口测算`,
    buyer_id: buyer.id,
    supplier_id: supplier.id,
    payment_term: isOpen ? 'OA' : 'TT_DEP',
    term_days: isOpen ? 60 : 0,
    currency: 'USD',
    incoterm: 'FOB',
    items: goods.map(({ id, usd }) => ({
      goods_id: id,
      quantity: String(story.roll.between(2, 20) * 500),
      unit_price: usd.toFixed(2),
      purchase_price: (usd * 7 * 0.92).toFixed(2),
    })),
    inland_fee: '6000.00',
    bank_fee: '800.00',
    ...(isOpen ? {} : { sinosure_fee: '1200.00' }),
  });
  const id = String(record['id']);
  await story.approve(buyer.owner, 'estimate', { id, ...(levels === undefined ? {} : { levels }) });
  return id;
}
