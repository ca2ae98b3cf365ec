import { describe, expect, it } from 'vitest';
import { excludeEachOther } from '#engine/schema/exclusive-filters.ts';
import { lintDefinitions } from '#engine/schema/lint-resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';

const FERRY = {
  resource: 'ferry',
  title: '渡船',
  kind: 'document',
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', max: 20 },
    weight: { type: 'decimal', title: '载重' },
    sailed_on: { type: 'date', title: '开航日', system: true },
    stops: { type: 'lines', title: '停靠', fields: { quay: { type: 'text', title: '码头', max: 9 } } },
  },
  lifecycle: {
    initial: 'moored',
    states: { moored: { title: '靠泊', edit: '*' }, sailing: { title: '航行' }, scrapped: { title: '报废' } },
    groups: { final: ['scrapped'] },
    actions: {
      sail: { title: '开航', from: ['moored'], to: 'sailing', set: { sailed_on: 'today' } },
      moor: { title: '靠泊', from: ['sailing'], to: 'moored', system: true },
      scrap: { title: '报废', from: ['moored'], to: 'scrapped' },
    },
  },
};
const PILOT = {
  resource: 'pilot',
  title: '引航',
  kind: 'master',
  label: 'note',
  fields: {
    note: { type: 'text', title: '说明', max: 20 },
    ferry_id: { type: 'reference', title: '渡船', to: 'ferry' },
  },
  then: { create: [{ to: 'ferry_id', where: { status: { eq: 'sailing' } }, do: 'moor' }] },
};

/** The faults of the two with a change in the ferry's text, what code declares, and what waits. */
function faultsOf(
  change: {
    readonly ferry?: object;
    readonly pilot?: object;
    readonly writes?: readonly string[];
    readonly waiting?: object;
  } = {},
): readonly string[] {
  const files = [
    { path: 'resources/ferry.json', text: JSON.stringify(change.ferry ?? FERRY) },
    { path: 'resources/pilot.json', text: JSON.stringify(change.pilot ?? PILOT) },
    ...(change.waiting === undefined
      ? []
      : [{ path: 'resources/setup/waiting.json', text: JSON.stringify(change.waiting) }]),
  ];
  return lintDefinitions(files, { writes: change.writes ?? [] }).map((fault) =>
    formatFault(fault).replace(/:\d+:\d+/, ''),
  );
}

const ferryWith = (lifecycle: object): object => ({
  ...FERRY,
  lifecycle: { ...FERRY.lifecycle, ...lifecycle },
});
/** Loaded it sails, and with a weight of at most this it moors, both of its own accord. */
const moving = (back: string) =>
  ferryWith({
    actions: {
      ...FERRY.lifecycle.actions,
      load: {
        title: '满载',
        from: ['moored'],
        to: 'sailing',
        auto: true,
        system: true,
        when: { weight: { gt: '10' } },
      },
      unload: {
        title: '卸空',
        from: ['sailing'],
        to: 'moored',
        auto: true,
        system: true,
        when: { weight: { lte: back } },
      },
    },
  });
const IDLE_PILOT = { ...PILOT, then: {} };

describe('lint of dead ends', () => {
  it('finds nothing where everything begins and ends', () => {
    expect(faultsOf()).toEqual([]);
  });

  it('names a system action that nothing runs, unless code declares it or it waits', () => {
    const fault = 'resources/ferry.json 没有什么会执行系统动作 "moor"（没有 do、auto、定时，也没有代码声明）';
    expect(faultsOf({ pilot: IDLE_PILOT })).toEqual([fault]);
    expect(faultsOf({ pilot: IDLE_PILOT, writes: ['ferry!moor'] })).toEqual([]);
    const waiting = [{ resource: 'ferry', name: '!moor', for: 'harbour' }];
    expect(faultsOf({ pilot: IDLE_PILOT, waiting })).toEqual([]);
  });

  it('names what waits without need', () => {
    const waiting = [{ resource: 'ferry', name: '!moor', for: 'harbour' }];
    expect(faultsOf({ waiting })).toEqual([
      'resources/setup/waiting.json ferry 的 "!moor" 已不必等待，请删去此项',
    ]);
  });

  it('names a system field that nothing writes, in lines too', () => {
    const stops = {
      ...FERRY.fields.stops,
      fields: { ...FERRY.fields.stops.fields, left: { type: 'date', title: '离开', system: true } },
    };
    const ferry = { ...FERRY, fields: { ...FERRY.fields, stops } };
    expect(faultsOf({ ferry })).toEqual(['resources/ferry.json 没有什么会写入系统字段 "stops.left"']);
    expect(faultsOf({ ferry, writes: ['ferry.stops.left'] })).toEqual([]);
  });

  it('names states without a way in or out', () => {
    const states = { ...FERRY.lifecycle.states, sunk: { title: '沉没' } };
    expect(faultsOf({ ferry: ferryWith({ states }) })).toEqual([
      'resources/ferry.json 没有什么会进入状态 "sunk"',
    ]);
    expect(faultsOf({ ferry: ferryWith({ groups: {} }) })).toEqual([
      'resources/ferry.json 没有什么会离开状态 "scrapped"，它也不在 "final" 组中',
    ]);
  });

  it('takes a state as left by the approval of what is asked for in it', () => {
    const repair = (approved: string): object => {
      const approval = { approved, rejected: '$same', withdrawn: '$same' };
      const asked = { title: '报修', from: ['scrapped'], to: '$same', approval };
      return ferryWith({ groups: {}, actions: { ...FERRY.lifecycle.actions, repair: asked } });
    };
    expect(faultsOf({ ferry: repair('moored') })).toEqual([]);
    expect(faultsOf({ ferry: repair('$same') })).toEqual([
      'resources/ferry.json 没有什么会离开状态 "scrapped"，它也不在 "final" 组中',
    ]);
  });

  it('names actions that undo each other under conditions that may hold at once', () => {
    expect(faultsOf({ ferry: moving('10') })).toEqual([]);
    expect(faultsOf({ ferry: moving('12') })).toEqual([
      'resources/ferry.json 自动动作 "unload" 与 "load" 互相撤消，而两者的条件可能同时成立',
    ]);
  });
});

describe('filters that exclude each other', () => {
  it.each([
    [{ a: { eq: 'x' } }, { a: { eq: 'y' } }, true],
    [{ a: { in: ['x', 'y'] } }, { a: { nin: ['x', 'y', 'z'] } }, true],
    [{ a: { in: ['x', 'y'] } }, { a: { ne: 'x' } }, false],
    [{ a: { null: true } }, { a: { gt: '0' } }, true],
    [{ a: { gt: '0' } }, { a: { lt: '9' } }, false],
    [{ a: { gte: '9.0' } }, { a: { lt: '9' } }, true],
    [{ a: { lte: { '=': 'b + c' } } }, { a: { gt: { '=': 'b + c' } } }, true],
    [{ a: { lte: { '=': 'b' } } }, { a: { gt: { '=': 'c' } } }, false],
    [{ or: [{ a: { eq: 1 } }, { b: { eq: 1 } }] }, { a: { eq: 2 } }, false],
    [{ or: [{ a: { eq: 1 } }, { a: { eq: 3 } }] }, { a: { eq: 2 }, b: { eq: 1 } }, true],
  ])('%j and %j: %s', (left, right, expected) => {
    expect(excludeEachOther(left, right)).toBe(expected);
    expect(excludeEachOther(right, left)).toBe(expected);
  });
});
