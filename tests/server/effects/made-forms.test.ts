import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Preview } from '#contract/records.ts';
import type { Subject } from '#engine/schema/resource.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { previewRecord } from '#server/records/prepare/preview-record.ts';
import { pickLines } from '#server/records/pick/pick-lines.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { checkAnswer } from '../../support/contract-answers.ts';
import { FIXTURES } from '../data/fixtures.ts';
import { ADMIN, aWorld, BOSS, FINANCE, OTHER, SALES, type World } from '../data/world.ts';
import { traceOf } from '../support/database-trace.ts';
import { APIARIES } from './apiary.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld({ definitions: [...FIXTURES, ...APIARIES] });
});
afterAll(() => world.close());

type Fields = Record<string, unknown>;
type Made = Fields & { id: string; version: number };
interface Combs {
  readonly [kind: string]: string;
}

const create = async (resource: string, body: object, person: Partial<Subject> = SALES): Promise<Made> =>
  (await createRecord(world.open(person, resource, 'create'), body)) as Made;
const read = async (resource: string, id: string): Promise<Made> =>
  (await getRecord(world.open(ADMIN, resource, 'read'), id)) as Made;
const act = (resource: string, record: Made, action: string, person = ADMIN): Promise<Fields> =>
  runAction(world.open(person, resource, 'read'), { id: record.id, action }, { version: record.version });

/** A gathering in a state: 已采 unless said otherwise. */
async function aGathering(combs: Combs, fields: Fields = {}, person = SALES): Promise<Made> {
  const lines = Object.entries(combs).map(([kind, weight]) => ({ kind, weight }));
  const draft = await create('gathering', { keeper: '老李', ...fields, combs: lines }, person);
  await act('gathering', draft, 'gather');
  return read('gathering', draft.id);
}

const from = (gathering: Made, make = 'jarring', more: Fields = {}): Fields => ({
  _from: { resource: 'gathering', id: gathering.id, make, ...more },
});
const lines = (record: Fields, name: string): readonly Made[] => record[name] as Made[];
const picked = (gathering: Made, place: number): Fields => ({
  _from: {
    resource: 'gathering',
    id: gathering.id,
    make: 'jarring',
    line: lines(gathering, 'combs')[place]?.id,
  },
});

async function preview(resource: string, body: object, person: Partial<Subject> = SALES): Promise<Preview> {
  const data = await previewRecord(world.services, world.callerOf(person), { key: resource, body });
  checkAnswer('POST', `/erp/api/data/${resource}/preview`, 200, { data });
  return data;
}

const chainOf = (toId: string): Promise<readonly Fields[]> =>
  world.db.query(
    'select make, from_id, from_line, to_line from sys_chain where to_id = $1 order by to_line nulls first',
    [toId],
  );

describe('a form filled from another document', () => {
  it('shows what the make gives, but for what the reader may not see, and saves nothing', async () => {
    const source = await aGathering({ 槐花: '10', 枣花: '4' });
    await world.db.execute(`update gathering set secret = '欠重' where id = $1`, [source.id]);
    const before = await traceOf(world.db);
    const shown = await preview('jarring', from(source));
    expect(await traceOf(world.db)).toEqual(before);
    expect(shown).toMatchObject({
      record: {
        keeper: '老李',
        note: null,
        stamp: `出自${String(source['gather_no'])}`,
        shelf: '一号',
        total: '14.000',
        jars: [
          { kind: '槐花', weight: '10.000', lid: '木', _from: { id: source.id, make: 'jarring' } },
          { kind: '枣花', weight: '4.000' },
        ],
      },
      problems: [],
      from: {
        resource: 'gathering',
        make: 'jarring',
        records: [{ id: source.id }],
        choices: [],
        existing: null,
      },
    });
  });

  it('is saved as the make gives it, runs the action on its source and remembers what came from what', async () => {
    const source = await aGathering({ 槐花: '10', 枣花: '4' });
    await world.db.execute(`update gathering set secret = '欠重' where id = $1`, [source.id]);
    const made = await create('jarring', from(source));
    expect(made).toMatchObject({
      keeper: '老李',
      note: '欠重',
      stamp: `出自${String(source['gather_no'])}`,
      jars: [{ kind: '槐花', weight: '10.000' }, { kind: '枣花' }],
    });
    expect(lines(made, 'jars')[0]).not.toHaveProperty('_from');
    const combs = lines(source, 'combs');
    expect(await chainOf(made.id)).toEqual([
      { make: 'jarring', from_id: source.id, from_line: null, to_line: null },
      ...lines(made, 'jars').map(({ id }, place) => ({
        make: 'jarring',
        from_id: source.id,
        from_line: combs[place]?.id,
        to_line: id,
      })),
    ]);
    const after = await read('gathering', source.id);
    expect(after.version).toBe(source.version + 1);
    const others = await world.db.query('select 1 from sys_chain where from_id = $1 and to_id <> $2', [
      source.id,
      made.id,
    ]);
    expect(others).toEqual([]);
  });

  it('takes what was typed over it, lines left out and typed by hand, but nothing that only the source says', async () => {
    const source = await aGathering({ 槐花: '10', 枣花: '4' });
    const made = await create('jarring', {
      ...from(source),
      keeper: '老李',
      note: null,
      shelf: '二号',
      jars: [{ ...picked(source, 1), kind: '假蜜', weight: '3' }, { weight: '1' }],
    });
    expect(made).toMatchObject({
      note: null,
      shelf: '二号',
      total: '4.000',
      jars: [
        { kind: '枣花', weight: '3.000', lid: '木' },
        { kind: null, weight: '1.000' },
      ],
    });
    expect(await chainOf(made.id)).toHaveLength(2);
  });

  it.each<[string, Partial<Subject>, string, (source: Made) => Fields]>([
    ['a state that is not for it', SALES, 'ACTION_NOT_ALLOWED', (source) => from(source)],
    ['a source of somebody else', OTHER, 'NOT_FOUND', (source) => from(source)],
    ['no right to read such sources', FINANCE, 'FORBIDDEN', (source) => from(source)],
    ['no right to the action that makes it', BOSS, 'FORBIDDEN', (source) => from(source)],
    ['a make that is not there', SALES, 'VALIDATION', (source) => from(source, 'constructor')],
    ['a make of lines only', SALES, 'VALIDATION', (source) => from(source, 'share')],
    ['a make of something else', SALES, 'VALIDATION', (source) => from(source, 'tag')],
    [
      'an id that is none',
      SALES,
      'VALIDATION',
      () => ({ _from: { resource: 'gathering', id: "'", make: 'jarring' } }),
    ],
    [
      'lines of nowhere',
      SALES,
      'VALIDATION',
      (source) => ({
        keeper: '老李',
        jars: [{ weight: '1', _from: { resource: 'gathering', id: source.id, make: 'by_kind' } }],
      }),
    ],
  ])('is refused: %s', async (what, person, code, body) => {
    const source = await aGathering({ 槐花: '10' });
    if (what.startsWith('a state')) await act('gathering', source, 'finish');
    const before = await traceOf(world.db);
    await expect(create('jarring', body(source), person)).rejects.toMatchObject({ code });
    expect(await traceOf(world.db)).toEqual(before);
  });

  it('is refused when nothing is left, and for a document that is there already', async () => {
    const source = await aGathering({ 槐花: '10' });
    const made = await create('jarring', from(source));
    const change = { version: made.version, ...from(source) };
    await expect(updateRecord(world.open(SALES, 'jarring', 'update'), made.id, change)).rejects.toMatchObject(
      { code: 'VALIDATION' },
    );
    await act('jarring', made, 'seal');
    await expect(preview('jarring', from(source))).rejects.toMatchObject({ message: '蜂脾已全部装罐' });
    await expect(create('jarring', from(source))).rejects.toMatchObject({ message: '蜂脾已全部装罐' });
  });

  it('is offered by its source to whoever may make it, and once only where only one is made', async () => {
    const source = await aGathering({ 槐花: '10' });
    expect(source['_makes']).toMatchObject([
      { make: 'jarring', to: 'jarring', action: 'jar', title: '装罐', allowed: true },
      { make: 'by_kind', action: null, allowed: true },
      { make: 'tag', to: 'hive_tag', action: null, title: '制标签', allowed: true, reason: null },
    ]);
    const seen = await getRecord(world.open(SALES, 'gathering', 'read'), source.id);
    expect((seen['_makes'] as Made[]).map(({ make }) => make)).toEqual(['jarring', 'by_kind']);
    const both = await Promise.allSettled([1, 2].map(() => create('hive_tag', from(source, 'tag'), ADMIN)));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const tag = both.find((end) => end.status === 'fulfilled')?.value;
    expect(both.find((end) => end.status === 'rejected')?.reason).toMatchObject({
      code: 'RULE_REFUSED',
      message: `已生成标签${String(tag?.['words'])}，不能重复生成`,
    });
    const again = await preview('hive_tag', from(source, 'tag'), ADMIN);
    expect(again.from?.existing).toMatchObject({ resource: 'hive_tag', id: tag?.id, label: tag?.['words'] });
    await act('hive_tag', await read('hive_tag', tag?.id ?? ''), 'tear');
    await create('hive_tag', from(source, 'tag'), ADMIN);
  });

  it('of several documents fills the one that is chosen', async () => {
    const source = await aGathering({ 槐花: '10', 枣花: '4' });
    const first = await preview('jarring', from(source, 'by_kind'));
    expect(first.from?.choices).toMatchObject([{ per: '槐花' }, { per: '枣花' }]);
    await expect(create('jarring', from(source, 'by_kind'))).rejects.toMatchObject({ code: 'VALIDATION' });
    const made = await create('jarring', from(source, 'by_kind', { per: '枣花' }));
    expect(made['jars']).toMatchObject([{ kind: '枣花', weight: '4.000' }]);
  });

  it('of several sources makes one, and refuses what they must agree on and do not', async () => {
    const [one, two, foreign] = [
      await aGathering({ 槐花: '10' }),
      await aGathering({ 枣花: '4' }),
      await aGathering({ 荆条: '2' }, { keeper: '老王' }),
    ];
    const made = await create('jarring', from(one, 'jarring', { id: [one.id, two.id] }));
    expect(made).toMatchObject({ stamp: null, total: '14.000' });
    expect((await read('gathering', two.id)).version).toBe(two.version + 1);
    await expect(create('jarring', from(one, 'jarring', { id: [one.id, foreign.id] }))).rejects.toMatchObject(
      {
        message: '所选采蜜单的蜂农不同，不能合为一份',
      },
    );
  });
});

const pick = (body: object, person: Partial<Subject> = SALES, resource = 'jarring', list = 'jars') =>
  pickLines(world.open(person, resource, 'create'), list, body);

describe('lines picked from other documents', () => {
  it('are offered with what is left of them: open ones of documents that may be read, as the form and its columns ask', async () => {
    const keeper = '老周';
    const one = await aGathering({ 槐花: '10', 枣花: '4' }, { keeper });
    const two = await aGathering({ 荆条: '2' }, { keeper });
    await aGathering({ 椴树: '7' }, { keeper }, OTHER);
    await create('gathering', { keeper, combs: [{ kind: '草稿', weight: '1' }] });
    const sealed = await create('jarring', { keeper, jars: [{ ...picked(one, 1), weight: '4' }] });
    await act('jarring', sealed, 'seal');
    const answer = await pick({ record: { keeper } });
    checkAnswer('POST', '/erp/api/pick/jarring/jars', 200, { data: answer });
    expect(answer).toMatchObject({
      sources: [{ name: 'gathering.jarring', title: '采蜜单' }],
      filters: [{ name: 'meadow_id' }],
      total: 2,
      records: [
        {
          source: { id: two.id, label: two['gather_no'] },
          line: { kind: '荆条', weight: '2.000', lid: '木' },
        },
        { source: { id: one.id }, line: { kind: '槐花', weight: '10.000', _from: { id: one.id } } },
      ],
    });
    const others = [
      await pick({ record: { keeper: '没有' } }),
      await pick({ record: { keeper }, keyword: '荆' }),
      await pick({ record: { keeper }, except: [lines(one, 'combs')[0]?.id] }),
      await pick({ record: { keeper } }, FINANCE),
      await pick({ record: { keeper } }, BOSS),
    ];
    expect(others.map(({ total }) => total)).toEqual([0, 1, 1, 0, 3]);
    await expect(pick({}, SALES, 'jarring', 'constructor')).rejects.toMatchObject({ code: 'UNKNOWN_FIELD' });
  });

  it('of several documents stand in one, are remembered by line, and keep what only their source says', async () => {
    const [one, two] = [await aGathering({ 槐花: '10' }), await aGathering({ 枣花: '4' })];
    const made = await create('jarring', { keeper: '老李', jars: [{ ...picked(one, 0), weight: '6' }] });
    const added = await updateRecord(world.open(SALES, 'jarring', 'update'), made.id, {
      version: made.version,
      jars: [{ ...picked(two, 0), kind: '假蜜' }, { weight: '1' }],
    });
    expect(added['jars']).toMatchObject([
      { kind: '槐花', weight: '6.000' },
      { kind: '枣花', weight: '4.000', lid: '木' },
      { weight: '1.000' },
    ]);
    const kept = (await chainOf(made.id)).filter(({ to_line }) => to_line !== null);
    expect(kept.map(({ from_id }) => from_id)).toEqual([one.id, two.id]);
    expect((await read('gathering', one.id)).version).toBe(one.version);
  });

  it('are asked again at the save: closed meanwhile they are refused in their place, drawn by two at once one stands', async () => {
    const source = await aGathering({ 槐花: '10', 枣花: '4' });
    const body = { keeper: '老李', jars: [{ weight: '1' }, picked(source, 0)] };
    const drafts = [await create('jarring', body), await create('jarring', body)];
    const ends = await Promise.allSettled(drafts.map((draft) => act('jarring', draft, 'seal')));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: '装罐重量超过采蜜重量', problems: [{ path: 'jars.1.weight' }] },
    });
    await expect(create('jarring', body)).rejects.toMatchObject({
      problems: [{ path: 'jars.1', code: 'source_closed', message: '蜂脾已全部装罐' }],
    });
    await act('gathering', await read('gathering', source.id), 'finish');
    const late = { keeper: '老李', jars: [picked(source, 1)] };
    const { problems } = await preview('jarring', late);
    expect(problems).toMatchObject([{ path: 'jars.0', code: 'source_closed' }]);
    await expect(create('jarring', late)).rejects.toMatchObject({ problems: [{ path: 'jars.0' }] });
  });

  it('are all taken in at once by an action, in place of those that it took before', async () => {
    const keeper = '老赵';
    const place = await create('meadow', { name: `坡 ${keeper}` }, ADMIN);
    const [one, two] = [
      await aGathering({ 槐花: '10' }, { keeper }),
      await aGathering({ 枣花: '4' }, { keeper, meadow_id: place.id }),
    ];
    await aGathering({ 荆条: '2' }, { keeper: '老钱' });
    const levy = await create('levy', { keeper, rows: [{ weight: '1', note: '手工' }] });
    const reckon = async (record: Made): Promise<Made> => (await act('levy', record, 'reckon')) as Made;
    const first = await reckon(levy);
    expect(first).toMatchObject({
      total: '15.000',
      rows: [
        { note: '手工', share: 1 },
        { gathering_id: one.id, weight: '10.000', share: 1 },
        { gathering_id: two.id, place_id: place.id },
      ],
    });
    await act('gathering', one, 'spoil');
    const late = await aGathering({ 椴树: '7' }, { keeper });
    const second = await reckon(first);
    expect(second['rows']).toMatchObject([
      { note: '手工' },
      { id: lines(first, 'rows')[2]?.id, gathering_id: two.id },
      { gathering_id: late.id, weight: '7.000' },
    ]);
    expect(await reckon(second)).toMatchObject({ total: '12.000', rows: [{}, {}, {}] });
  });
});
