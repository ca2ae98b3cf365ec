import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Preview } from '#contract/records.ts';
import type { Subject } from '#engine/schema/resource.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { previewRecord } from '#server/records/prepare/preview-record.ts';
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
