import { describe, expect, it } from 'vitest';
import { frozenOf } from '#engine/schema/frozen-states.ts';
import type { LifecycleDefinition } from '#engine/schema/lifecycle-definition.ts';

const LIFE: LifecycleDefinition = {
  initial: 'draft',
  groups: { counts: ['approved', 'paid'], final: ['paid', 'void'], dead: ['void'] },
  states: Object.fromEntries(
    ['draft', 'pending', 'approved', 'rejected', 'failed', 'paid', 'void'].map((name) => [
      name,
      { title: name },
    ]),
  ),
  actions: {
    submit: {
      title: '提交',
      from: ['draft', 'rejected'],
      to: 'pending',
      approval: { approved: 'approved', rejected: 'rejected', withdrawn: 'draft' },
    },
    pay: { title: '付款', from: ['approved', 'failed'], to: 'paid' },
    fail: { title: '失败', from: ['approved'], to: 'failed' },
    void: { title: '作废', from: ['draft', 'rejected'], to: 'void' },
    dispute: {
      title: '异议',
      from: ['paid'],
      to: '$same',
      approval: { approved: 'failed', rejected: '$same', withdrawn: '$same' },
    },
  },
};

describe('the states in which a value with `until` is taken at every write', () => {
  it.each([
    // What an approval ends in comes after it, not before: an approved figure is not that of today.
    ['pending', ['draft', 'rejected', 'void']],
    [
      ['pending', '@counts'],
      ['draft', 'rejected', 'void'],
    ],
    ['@counts', ['draft', 'pending', 'rejected', 'void']],
    ['paid', ['draft', 'pending', 'approved', 'failed', 'rejected', 'void']],
    ['failed', ['draft', 'pending', 'approved', 'rejected', 'paid', 'void']],
  ])('until %j: %j', (until, open) => {
    expect([...frozenOf(until, LIFE).open].sort()).toEqual([...open].sort());
  });

  it('are none that is left for the one of before alone, whatever it was entered from', () => {
    const { actions = {}, states } = LIFE;
    const changing = {
      change: { title: '变更', from: ['approved', 'paid'], to: 'changing' },
      changed: { title: '变更完成', from: ['changing'], to: '$previous' },
      remind: { title: '催办', from: ['changing'], to: '$same' },
    };
    const life = {
      ...LIFE,
      states: { ...states, changing: { title: '变更中' } },
      actions: { ...actions, ...changing },
    };
    expect(frozenOf('paid', life).open).not.toContain('changing');
    const given = { ...changing, give: { title: '放弃', from: ['changing'], to: 'failed' } };
    expect(frozenOf('paid', { ...life, actions: { ...actions, ...given } }).open).toContain('changing');
  });

  it('are none without a lifecycle', () => {
    expect(frozenOf(['paid'], undefined)).toEqual({ at: ['paid'], open: [] });
  });
});
