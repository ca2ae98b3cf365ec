// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { fittingCommands, markCommands } from '#web/app/commands.ts';
import { type PageMarks, toggledFavourite, visited } from '#web/app/page-marks.ts';
import { forgetTabs, rememberedTabs, rememberTabs } from '#web/app/tab-memory.ts';
import type { Person } from '#contract/sign-in.ts';
import {
  change,
  close,
  FIXED_TABS,
  MAXIMUM_TABS,
  move,
  readdress,
  tabKey,
  type TabState,
  unsavedIn,
  visit,
} from '#web/app/tab-store.ts';

const START: TabState = { tabs: FIXED_TABS, active: '/index/index' };
const opened = (...addresses: readonly string[]): TabState =>
  addresses.reduce((state, address) => visit(state, address, address), START);

describe('the key of a tab', () => {
  test('ignores page, filters, sorting and the menu parameter', () => {
    expect(tabKey('/details/list?page=2&sort=-sign_date&uid=7')).toBe('/details/list');
  });

  test('tells records apart', () => {
    expect(tabKey('/details/listdetails?id=1&from=x')).toBe('/details/listdetails?id=1');
    expect(tabKey('/details/edit?copy=1')).not.toBe(tabKey('/details/edit'));
    expect(tabKey('/details/edit?copy=1')).not.toBe(tabKey('/details/edit?copy=2'));
    expect(tabKey('/details/listdetails?id=2')).not.toBe(tabKey('/details/listdetails?id=1'));
  });
});

describe('open tabs', () => {
  test('an address of an open page comes to the front with its new parameters, in the same tab', () => {
    const state = visit(opened('/a?page=1', '/b'), '/a?page=2', 'A');
    expect(state.tabs.map((tab) => tab.address)).toEqual([
      ...FIXED_TABS.map((tab) => tab.address),
      '/a?page=2',
      '/b',
    ]);
    expect(state.active).toBe('/a');
  });

  test('the twenty-first makes the oldest go that is neither fixed nor unsaved', () => {
    const many = opened(
      ...Array.from({ length: MAXIMUM_TABS - FIXED_TABS.length }, (_, index) => `/p${index}`),
    );
    const dirty = change(many, '/p0', { isDirty: true });
    const keys = visit(dirty, '/new', '').tabs.map((tab) => tab.key);
    expect(keys).toHaveLength(MAXIMUM_TABS);
    expect(keys).toContain('/p0');
    expect(keys).not.toContain('/p1');
    expect(keys).toContain('/index/index');
  });

  test('work that no draft keeps is told apart from a form, and outweighs it', () => {
    expect(unsavedIn(new Map())).toEqual({ isDirty: false, isLosable: false });
    expect(unsavedIn(new Map([['form', 'kept']]))).toEqual({ isDirty: true, isLosable: false });
    const both = new Map([['form', 'kept'] as const, ['comment', 'losable'] as const]);
    expect(unsavedIn(both)).toEqual({ isDirty: true, isLosable: true });
  });

  test('closing the front tab shows its neighbour; fixed tabs stay', () => {
    const state = close(opened('/a', '/b', '/c'), new Set(['/c', '/index/yj']));
    expect(state.active).toBe('/b');
    expect(state.tabs.map((tab) => tab.key)).toContain('/index/yj');
  });

  test('a tab is dragged to where another stands, never among the fixed ones', () => {
    const keys = (state: TabState) => state.tabs.slice(FIXED_TABS.length).map((tab) => tab.key);
    const state = opened('/a', '/b', '/c');
    expect(keys(move(state, '/a', '/c'))).toEqual(['/b', '/c', '/a']);
    expect(keys(move(state, '/c', '/a'))).toEqual(['/c', '/a', '/b']);
    expect(move(state, '/a', '/index/index')).toBe(state);
  });

  test('a tab that goes on takes the place of one that stands there, but of none with unsaved work', () => {
    const keys = (state: TabState) => state.tabs.slice(FIXED_TABS.length).map((tab) => tab.key);
    const both = opened('/pay?id=A', '/pay?id=B');
    const [, page] = both.tabs.slice(FIXED_TABS.length);
    const taken = readdress(both, '/pay?id=B', '/pay?id=A&from=x');
    expect(taken.tabs.slice(FIXED_TABS.length)).toEqual([
      { ...page, key: '/pay?id=A', address: '/pay?id=A&from=x' },
    ]);

    const halfWritten = change(both, '/pay?id=A', { isDirty: true, isLosable: true });
    const [written] = halfWritten.tabs.slice(FIXED_TABS.length);
    const kept = readdress(halfWritten, '/pay?id=B', '/pay?id=A');
    expect(kept.tabs.slice(FIXED_TABS.length)).toEqual([written]);
    expect(kept.active).toBe('/pay?id=A');
    // Behind another page it comes to no front.
    const behind = readdress(visit(halfWritten, '/list', ''), '/pay?id=B', '/pay?id=A');
    expect(keys(behind)).toEqual(['/pay?id=A', '/list']);
    expect(behind.active).toBe('/list');
    // Two forms of one source: the work of the one that goes on is in no draft any more.
    const dirty = change(halfWritten, '/pay?id=B', { isDirty: true });
    expect(readdress(dirty, '/pay?id=B', '/pay?id=A').tabs.at(-1)?.pane).toBe(page?.pane);
  });

  test('a tab that goes back to a fixed one is closed, whatever stands beside it', () => {
    const state = readdress(opened('/list', '/pay?id=A', '/other'), '/pay?id=A', '/index/sh');
    expect(state.tabs.map((tab) => tab.key)).toEqual([
      ...FIXED_TABS.map(({ key }) => key),
      '/list',
      '/other',
    ]);
    const shown = visit(opened('/list', '/other'), '/pay?id=A', '');
    expect(readdress(shown, '/pay?id=A', '/index/sh').active).toBe('/index/sh');
  });

  test('closing all leaves the fixed tabs', () => {
    const state = close(opened('/a', '/b'), new Set(['/a', '/b']));
    expect(state.tabs).toEqual(FIXED_TABS);
    expect(FIXED_TABS.map((tab) => tab.key)).toContain(state.active);
  });

  test('a change that changes nothing gives the same state, so that nothing renders', () => {
    const state = opened('/a');
    expect(change(state, '/a', { isDirty: false })).toBe(state);
    expect(change(state, '/gone', { isDirty: true })).toBe(state);
  });
});

describe('tabs over a reload', () => {
  const person: Person = {
    id: 'p1',
    personid: 'sp.aa',
    name: '周明',
    authorization: 't',
    kind: 'staff',
    roleId: 'SP',
    roleName: '业务员',
    mustChangePassword: false,
    saleId: null,
    roleList: [],
    roleIdList: [],
    salesManList: [],
    salesManName: '',
    userList: [],
    menuList: [],
    deptName: '',
    coName: '',
    coDeptnameCode: '',
    coCode: 'AA',
    superPermission: 0,
    qxStatus: '',
  };

  test('come back asleep, without the fixed ones and without unsaved marks', () => {
    rememberTabs(person, change(opened('/a?page=2'), '/a', { isDirty: true, title: '甲' }).tabs);
    expect(rememberedTabs(person)).toEqual([
      {
        key: '/a',
        pane: expect.any(String),
        address: '/a?page=2',
        title: '甲',
        isFixed: false,
        isDirty: false,
        isLosable: false,
        isAwake: false,
        refreshKey: 0,
      },
    ]);
  });

  test('are not those of another role, and none after logging out', () => {
    rememberTabs(person, opened('/a').tabs);
    expect(rememberedTabs({ ...person, roleId: 'DM' })).toEqual([]);
    forgetTabs();
    expect(rememberedTabs(person)).toEqual([]);
  });
});

describe('what Ctrl+K offers', () => {
  const page = (text: string) => ({ key: text, kind: '页面' as const, text });
  const all = ['契约管理 / 外销合同', '客户管理 / 委托方', '外销发票', '审核管理 / 外销合同审核'].map(page);

  test('finds by the initials of the name, the closest first', () => {
    expect(fittingCommands(all, 'wxht').map(({ text }) => text)).toEqual([
      '契约管理 / 外销合同',
      '审核管理 / 外销合同审核',
    ]);
    expect(fittingCommands(all, '外销合同')[0]?.text).toBe('契约管理 / 外销合同');
  });

  test('recent pages stand once, the last first; favourites come before them', () => {
    const mark = (address: string) => ({ address, title: address });
    const marks = ['/a', '/b', '/a'].reduce((kept, address) => visited(kept, mark(address)), {
      recent: [],
      favourites: [],
    } as PageMarks);
    expect(marks.recent.map(({ address }) => address)).toEqual(['/a', '/b']);
    const starred = toggledFavourite(marks, mark('/b'));
    expect(markCommands(starred).map(({ kind, address }) => `${kind} ${address ?? ''}`)).toEqual([
      '收藏 /b',
      '最近 /a',
    ]);
    expect(toggledFavourite(starred, mark('/b')).favourites).toEqual([]);
  });

  test('a list is one page, however it is turned and filtered', () => {
    const mark = (address: string) => ({ address, title: '国外客户' });
    const pages = ['/buyer', '/buyer?page=2', '/buyer?page=3&q=a'].map(mark);
    const marks = pages.reduce(visited, { recent: [], favourites: [] } as PageMarks);
    expect(marks.recent).toEqual([mark('/buyer?page=3&q=a')]);
    const starred = toggledFavourite(marks, mark('/buyer?page=2'));
    expect(markCommands(starred).map(({ text, address }) => `${text} ${address ?? ''}`)).toEqual([
      '国外客户 /buyer?page=2',
    ]);
    expect(toggledFavourite(starred, mark('/buyer')).favourites).toEqual([]);
  });
});
