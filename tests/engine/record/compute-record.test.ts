import { describe, expect, it } from 'vitest';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { applyDefaults } from '#engine/record/apply-defaults.ts';
import { applyOwn } from '#engine/record/apply-own.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import type { FieldDefinition, Filter } from '#engine/schema/definition.ts';
import { formulasBefore, orderFormulas } from '#engine/schema/formula-order.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { aCatalog, aContract } from '../../support/definitions.ts';
import { context, resourceOf } from '../schema/example-files.ts';

const STATEMENT: Readonly<Record<string, FieldDefinition>> = {
  brought: { type: 'money', title: '期初', currency: 'currency' },
  currency: { type: 'text', title: '币种' },
  moves: {
    type: 'lines',
    title: '流水',
    fields: {
      into: { type: 'money', title: '收', currency: 'parent.currency' },
      out: { type: 'money', title: '付', currency: 'parent.currency' },
      opening: {
        type: 'money',
        title: '上期',
        currency: 'parent.currency',
        formula: 'coalesce(above.closing, parent.brought, 0)',
      },
      closing: {
        type: 'money',
        title: '结余',
        currency: 'parent.currency',
        formula: 'opening + into - out',
      },
      share: {
        type: 'percent',
        title: '占比',
        formula: 'closing / parent.final',
      },
    },
  },
  final: { type: 'money', title: '期末', currency: 'currency', formula: 'last(moves.closing)' },
  fee: { type: 'money', title: '手续费', currency: 'currency', formula: 'round(final * 0.0045, 2)' },
  ratio: { type: 'percent', title: '比例', default: { '=': '0.05 * 2' } },
};

function definitions(changes: Readonly<Record<string, FieldDefinition>> = {}) {
  const catalog = aCatalog(aContract({}, { ...STATEMENT, ...changes }));
  const resource = resourceOf(catalog, 'contract');
  const scope = (record: ErpRecord): Scope => ({ resource, catalog, record, context: context() });
  return { resource, scope, compute: (record: ErpRecord) => computeRecord(resource, record, scope(record)) };
}

describe('computeRecord', () => {
  it('brings a balance forward from line to line', () => {
    const { compute } = definitions();
    const moves = [{ into: '100.00' }, { out: '30.50' }, { id: 'x', into: '5.00', out: '1.00' }];
    const computed = compute({ currency: 'CNY', brought: '10.00', moves });
    expect(computed['moves']).toMatchObject([
      { opening: '10.00', closing: '110.00' },
      { opening: '110.00', closing: '79.50' },
      { opening: '79.50', closing: '83.50', share: '100.0000' },
    ]);
    expect(computed['final']).toBe('83.50');
  });

  it('rounds an amount once, to the decimals of its currency', () => {
    const { compute } = definitions();
    const of = (currency: string): unknown => compute({ currency, moves: [{ into: '110.00' }] })['fee'];
    expect(of('JPY')).toBe('0.00');
    expect(of('CNY')).toBe('0.50');
  });
});

describe('orderFormulas', () => {
  it('sees a circle where something of the head would have to come between two lines', () => {
    const { resource } = definitions();
    expect(orderFormulas(resource.fields).cycles).toEqual([]);
    const moves = { ...STATEMENT['moves'], type: 'lines', title: '流水' } as const;
    const circular = definitions({
      moves: {
        ...moves,
        fields: { ...moves.fields, into: { type: 'decimal', title: '收', formula: 'parent.final / 2' } },
      },
    });
    expect(orderFormulas(circular.resource.fields).cycles.length).toBeGreaterThan(0);
  });
});

describe('formulas of lines', () => {
  const parts: Readonly<Record<string, FieldDefinition>> = {
    parts: {
      type: 'lines',
      title: '份额',
      fields: {
        size: { type: 'decimal', title: '量' },
        twice: { type: 'decimal', title: '倍量', formula: 'size * 2' },
        more: { type: 'decimal', title: '加一', formula: 'twice + 1' },
        of_all: { type: 'percent', title: '占', formula: 'more / sum(parent.parts.more)' },
        before_it: { type: 'decimal', title: '前行', formula: 'above.more' },
        next: { type: 'decimal', title: '再加', formula: 'more + parent.bonus' },
      },
    },
    bonus: { type: 'decimal', title: '加数', formula: 'count(parts.size)' },
    sign_id: { type: 'reference', title: '匹配', to: 'contract', find: { where: { ratio: { eq: { '=': 'sum(source.parts.twice)' } } } } }, // prettier-ignore
  };

  it('give the same whether they are taken line by line or column by column', () => {
    const { compute } = definitions(parts);
    const computed = compute({ parts: [{ size: '1' }, { size: '3' }] });
    expect(computed['parts']).toMatchObject([
      { twice: '2.0000', more: '3.0000', of_all: '30.0000', before_it: null, next: '5.0000' },
      { twice: '6.0000', more: '7.0000', of_all: '70.0000', before_it: '3.0000', next: '9.0000' },
    ]);
  });

  it('are run before a find only as far as it reads them', () => {
    const { resource, scope } = definitions(parts);
    const needed = formulasBefore(resource, ['sign_id']);
    expect([...needed]).toEqual(['parts.twice']);
    const record = { parts: [{ size: '4' }], currency: 'CNY' };
    expect(computeRecord(resource, record, scope(record), needed)).toEqual({
      ...record,
      parts: [{ size: '4', twice: '8.0000' }],
    });
  });
});

describe('formulas beside percent fields', () => {
  it('count in fractions: as a default, and where a filter compares', () => {
    const { resource, scope } = definitions();
    expect(applyDefaults(resource, {}, scope({}))['ratio']).toBe('10.0000');
    const record = { ratio: '10.0000' };
    expect(matchesFilter({ ratio: { lte: { '=': '0.1' } } }, scope(record))).toBe(true);
    expect(matchesFilter({ ratio: { gt: { '=': 'ratio / 2' } } }, scope(record))).toBe(true);
    expect(matchesFilter({ ratio: { eq: '10' } }, scope(record))).toBe(true);
  });
});

describe('what a record writes into itself', () => {
  it('is written where its condition holds: on the record, or on each line', () => {
    const { resource, scope } = definitions();
    const record = { currency: 'CNY', brought: '1.00', moves: [{ into: '5.00' }, { into: '7.00' }] };
    const written = (where: Filter, each?: string) =>
      applyOwn(
        resource,
        [{ where, set: each === undefined ? { brought: '2' } : { out: '1' }, ...(each ? { each } : {}) }],
        record,
        scope(record),
      );
    expect(written({ currency: { eq: 'USD' } })).toBe(record);
    expect(written({ currency: { eq: 'CNY' } })).toMatchObject({ brought: '2.00' });
    expect(written({ into: { gt: '6' } }, 'moves')['moves']).toEqual([
      { into: '5.00' },
      { into: '7.00', out: '1.00' },
    ]);
  });
});
