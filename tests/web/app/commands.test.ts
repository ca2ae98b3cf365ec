import { expect, test } from 'vitest';
import type { ResourceEntry } from '#contract/meta.ts';
import { fittingCommands, pageCommands, tabCommands } from '#web/app/commands.ts';

const entry = (resource: string, title: string, pages: ResourceEntry['pages'] = []): ResourceEntry => ({
  resource,
  title,
  kind: 'document',
  hash: '',
  label: 'no',
  operations: ['list'],
  pages,
});

const MENU = [
  {
    name: '收汇管理',
    url: '',
    list: [
      { name: '财务凭证', url: '/shmanage/cwpz', list: [] },
      { name: '结汇', url: '/jh', list: [] },
    ],
  },
];
const ENTRIES = [
  entry('finance_voucher', '财务凭证', [
    {
      route: '/shmanage/cwpz',
      kind: 'list',
      title: '财务凭证',
      tabs: ['accounting_period', 'fx_settlement'],
    },
    { route: '/closed', kind: 'list', title: '自营财务凭证', tabs: ['accounting_period', 'account'] },
  ]),
  entry('accounting_period', '会计期间'),
  entry('account', '会计科目'),
  entry('fx_settlement', '结汇水单', [{ route: '/jh', kind: 'list', title: '结汇' }]),
];

test('a list that is a tab of a page is found by its name and opens at that tab', () => {
  const commands = [...pageCommands(MENU), ...tabCommands(MENU, ENTRIES)];
  expect(fittingCommands(commands, '会计期间')).toEqual([
    {
      key: 'tab accounting_period',
      kind: '页面',
      text: '财务凭证 / 会计期间',
      address: '/shmanage/cwpz?tab=accounting_period',
    },
  ]);
  expect(fittingCommands(commands, 'kjqj').map(({ text }) => text)).toEqual(['财务凭证 / 会计期间']);
});

test('what stands on a page that is not in the menu is not offered, nor twice what has its own page there', () => {
  const texts = tabCommands(MENU, ENTRIES).map(({ text }) => text);
  expect(texts).toEqual(['财务凭证 / 会计期间']);
});
