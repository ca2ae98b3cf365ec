import { describe, expect, it } from 'vitest';
import { lintDefinitions } from '#engine/schema/lint-resource.ts';
import type { DefinitionFile } from '#engine/schema/parse-files.ts';
import { formatFault } from '#engine/schema/source-file.ts';

function aNote(changes: object = {}): object {
  return {
    resource: 'note',
    title: '便笺',
    kind: 'document',
    label: 'title',
    fields: {
      title: { type: 'text', title: '标题' },
      items: { type: 'lines', title: '明细', fields: { text: { type: 'text', title: '内容' } } },
    },
    lifecycle: { initial: 'open', states: { open: { title: '打开' }, shut: { title: '关闭' } } },
    ...changes,
  };
}

function faultsOf(...definitions: readonly object[]): readonly string[] {
  const files = definitions.map((definition, index): DefinitionFile => {
    const name = 'path' in definition ? String(definition.path) : `resources/${index}.json`;
    const { path: _path, ...content } = { path: '', ...definition };
    return { path: name, text: JSON.stringify(content, null, 1) };
  });
  return lintDefinitions(files).map(formatFault);
}

function states(states: object, more: object = {}): object {
  return { lifecycle: { initial: 'open', states, ...more } };
}

describe('a name', () => {
  it.each<[string, object, RegExp]>([
    ['of the engine', { resource: 'sys_audit' }, /:2:14 "sys_audit" 是系统保留的名称/],
    ['of a type of the database', { resource: 'box' }, /:2:14 "box" 与数据库的类型同名/],
    ['that reads like lines', { resource: 'note__items' }, /:2:14 "note__items" 不能含有两个连续的下划线/],
    [
      'of a field that reads like lines',
      { fields: { title: { type: 'text', title: '标题' }, a__b: { type: 'text', title: '甲' } } },
      /字段名 "a__b" 不能含有两个连续的下划线/,
    ],
  ])('%s is refused at its place', (_what, change, fault) => {
    expect(faultsOf(aNote(change)).join()).toMatch(fault);
  });
});

describe('a former name', () => {
  const title = { type: 'text', title: '标题' };
  it.each<[string, object, RegExp]>([
    ['of the engine', { was: 'sys_session' }, /"sys_session" 是系统保留的名称/],
    ['that is the present one', { was: 'note' }, /原名 "note" 与现名相同/],
    [
      'of a field in use',
      { fields: { title, text: { ...title, was: 'title' } } },
      /原名 "title" 仍是在用的字段，不能由它改名为 "text"/,
    ],
    ['of a standard field', { fields: { title, text: { ...title, was: 'created_at' } } }, /原名 "created_at" 仍是在用的字段/],
    ['of a column of storage', { fields: { title, text: { ...title, was: 'is_deleted' } } }, /原名 "is_deleted" 仍是在用的字段/],
    [
      'that two fields claim',
      { fields: { title, a: { ...title, was: 'old' }, b: { ...title, was: 'old' } } },
      /原名 "old" 也被字段 "a" 声明/,
    ],
    [
      'of a column in use',
      { fields: { title, items: { type: 'lines', title: '明细', fields: { a: title, b: { ...title, was: 'parent_id' }, c: { ...title, was: 'a' } } } } },
      /原名 "parent_id" 仍是在用的字段.*原名 "a" 仍是在用的字段/s,
    ],
    ['of a state in use', states({ open: { title: '打开' }, shut: { title: '关闭', was: 'open' } }), /原名 "open" 仍是在用的状态/],
    [
      'of a state that is retired as well',
      states({ open: { title: '打开' }, shut: { title: '关闭', was: 'done' } }, { retired: { done: 'open' } }),
      /状态 "done" 已改名为 "shut"，不能同时停用/,
    ],
    ['retired into nowhere', states({ open: { title: '打开' } }, { retired: { to: 'opn' } }), /未知状态 "opn"，是否想写 "open"/],
    ['retired though it is there', states({ open: { title: '打开' } }, { retired: { open: 'open' } }), /状态 "open" 仍在用/],
  ])('%s is refused at its place', (_what, change, fault) => {
    expect(faultsOf(aNote(change)).join()).toMatch(fault);
  }); // prettier-ignore

  it('of a resource that is in use, or that another claims, takes nothing', () => {
    expect(faultsOf(aNote(), aNote({ resource: 'memo', was: 'note' }))).toEqual([
      expect.stringMatching(/^resources\/1\.json:\d+:\d+ 原名 "note" 仍是在用的资源，不能由它改名为 "memo"$/),
    ]);
    const claims = faultsOf(aNote({ was: 'old' }), aNote({ resource: 'memo', was: 'old' }));
    expect(claims).toHaveLength(2);
    expect(claims[0]).toMatch(/原名 "old" 也被资源 "memo" 声明/);
  });

  it('that is gone is a rename', () => {
    const fields = { heading: { type: 'text', title: '标题', was: 'title' } };
    const renamed = aNote({
      resource: 'memo',
      was: 'note',
      label: 'heading',
      fields,
      ...states(
        { open: { title: '打开' }, closed: { title: '关闭', was: 'shut' } },
        { retired: { to: 'open' } },
      ),
    });
    expect(faultsOf(renamed)).toEqual([]);
  });
});

describe('a copied file', () => {
  it('is at fault itself, whatever its path, when the original is given first', () => {
    const original = { ...aNote(), path: 'resources/sales/note.json' };
    expect(faultsOf(original, { ...aNote(), path: 'resources/a/copy.json' })).toEqual([
      expect.stringMatching(
        /^resources\/a\/copy\.json:\d+:\d+ 资源 "note" 已在 resources\/sales\/note\.json 中定义$/,
      ),
    ]);
  });
});

describe('a page that puts values into what begins there', () => {
  const page = (more: object = {}) => ({ route: '/a/b', kind: 'edit', title: '便笺编辑', where: { title: { eq: '甲' } }, ...more }); // prettier-ignore
  const FAULT = /角色可新增，却不能写入 "title"，而页面 "\/a\/b" 新增时写入它/;
  it.each<[string, object, object, number]>([
    ['may not write them', { write: ['items'] }, {}, 1],
    ['reads them alone', { readOnly: ['title'] }, {}, 1],
    ['does not see them', { hide: ['title'] }, {}, 1],
    ['may write them', { write: ['items', 'title'] }, {}, 0],
    ['is none of its readers', { write: ['items'] }, { audience: 'staff' }, 0],
    ['begins nothing', { do: ['list', 'read'], write: ['items'] }, {}, 0],
  ])('is judged where a role that begins records there %s', (_what, grant, more, count) => {
    const access = [{ role: 'PT', do: ['list', 'read', 'create'], ...grant }];
    const faults = faultsOf(aNote({ access, pages: [page(more)] }));
    expect(faults.filter((text) => FAULT.test(text))).toHaveLength(count);
  });
});
