// @vitest-environment jsdom
import { Refine } from '@refinedev/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App, Modal } from 'antd';
import { act, createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dataProvider } from '#web/data/data-provider.ts';
import { definitionQuery } from '#web/data/page-resource.ts';
import { RESOURCE_LIST_KEY } from '#web/data/resource-list.ts';
import { hasBatch } from '#web/pages/list/batch-bar.tsx';
import { ConditionBuilder } from '#web/pages/list/condition-builder.tsx';
import { ListOverview } from '#web/pages/list/list-overview.tsx';
import { RowActions } from '#web/pages/list/row-actions.tsx';
import type { SavedView, ViewContent } from '#web/pages/list/saved-view.ts';
import { useListContent } from '#web/pages/list/use-list-content.ts';
import { ViewMenu } from '#web/pages/list/view-menu.tsx';
import { MailDialog } from '#web/pages/print/mail-dialog.tsx';
import { RowCards } from '#web/pages/table/row-cards.tsx';
import { shipped } from '../../resources/shipped-definitions.ts';

Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);

const REFUND = shipped('tax_refund');
const asked: { readonly path: string; readonly body: unknown }[] = [];
let answers: Readonly<Record<string, unknown>> = {};
let end = async (): Promise<void> => undefined;

beforeEach(() => {
  asked.length = 0;
  answers = {};
  // A window as wide as it likes.
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addListener: () => undefined,
    removeListener: () => undefined,
  }));
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    asked.push({ path, body: typeof body === 'string' ? JSON.parse(body) : null });
    const data = Object.entries(answers).find(([end]) => path.endsWith(end))?.[1];
    return Response.json(data === undefined ? { code: 500, msg: '没有' } : { code: 200, msg: '', data });
  });
});
afterEach(async () => {
  await end();
  Modal.destroyAll();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

/** Shows a part of a page as it stands in the shell. */
async function show(part: ReactNode): Promise<void> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(RESOURCE_LIST_KEY, []);
  client.setQueryData(definitionQuery(REFUND.resource).queryKey, { ...REFUND, operations: ['*'] });
  const box = document.createElement('div');
  document.body.append(box);
  const root = createRoot(box);
  const options = { disableTelemetry: true, reactQuery: { clientConfig: client } };
  const refined = createElement(Refine, { dataProvider, options }, part);
  await act(async () =>
    root.render(createElement(App, null, createElement(QueryClientProvider, { client }, refined))),
  );
  end = () => act(async () => root.unmount());
}

/** The first part that is shown with these words, once there is one. */
async function named(text: string, among = 'button, [role=menuitem]'): Promise<HTMLElement> {
  let found: HTMLElement | undefined;
  await act(() =>
    vi.waitFor(() => {
      found = [...document.querySelectorAll<HTMLElement>(among)].find(
        (one) => one.textContent.replaceAll(/\s/g, '') === text,
      );
      if (found === undefined) throw new TypeError(text);
    }),
  );
  if (found === undefined) throw new TypeError(text);
  return found;
}

const press = async (text: string): Promise<void> => {
  const part = await named(text);
  await act(async () => part.click());
};
const typeIn = (input: HTMLInputElement | HTMLTextAreaElement | null, text: string) =>
  act(async () => {
    if (input === null) throw new TypeError('nothing to type in');
    const written = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value');
    written?.set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
const leaveDialog = () => act(async () => document.querySelector<HTMLElement>('.ant-modal-close')?.click());

test('an action under 更多 of a row asks what it has to ask, and is offered again afterwards', async () => {
  const cancel = { action: 'void', title: '作废', allowed: true, reason: null, confirm: '作废后不可恢复' };
  answers = { '/tax_refund/1': { id: '1', version: 1, status: 'draft', _actions: [cancel], _makes: [] } };
  const nothing = () => undefined;
  await show(
    createElement(RowActions, {
      ...{
        resource: REFUND,
        operations: new Set<string>(),
        row: { id: '1', status: 'draft' },
        address: null,
      },
      ...{ onEdit: nothing, onDetails: nothing },
    }),
  );
  await press('更多');
  await press('作废');
  await named('作废后不可恢复', '.ant-modal .action-confirm');
  await press('取消');
  await press('更多');
  expect(await named('作废')).toBeDefined();
});

const HOLDING = shipped('fx_holding');
const SEVERAL = {
  make: 'sale',
  title: '结汇',
  to: 'fx_settlement',
  fixed: {},
  takesSeveral: true,
  action: null,
};
const SETTLE = { action: 'request_settle', title: '申请结汇', confirm: '申请多少？' };

test.each([
  ['who may ask', ['read', 'request_settle'], 'holding', '申请结汇'],
  ['who may not', ['read'], 'holding', '查看'],
  ['who edits the row', ['update', 'request_settle'], 'holding', '编辑'],
  ['a state that it does not start from', ['read', 'request_settle'], 'settled', '查看'],
])('the action of a list stands first in a row: for %s', async (_, operations, status, title) => {
  await show(
    createElement(RowActions, {
      ...{ resource: HOLDING, operations: new Set(operations), row: { id: '1', status }, address: null },
      ...{ first: 'request_settle', onEdit: () => undefined, onDetails: () => undefined },
    }),
  );
  expect([...document.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
    title,
    '更多',
  ]);
});

test.each([
  [true, null, '申请多少？', '.ant-modal .action-confirm'],
  [false, '没有余额了', '没有余额了', '.ant-message-error'],
] as const)('pressed in a row, an action that is allowed (%s) asks, else says why', async (...given) => {
  const [allowed, reason, text, where] = given;
  const record = {
    id: '1',
    version: 1,
    status: 'holding',
    _actions: [{ ...SETTLE, allowed, reason }],
    _makes: [],
  };
  answers = { '/fx_holding/1': record };
  await show(
    createElement(RowActions, {
      ...{ resource: HOLDING, operations: new Set(['request_settle']), row: { id: '1', status: 'holding' } },
      ...{ address: null, first: 'request_settle', onEdit: () => undefined, onDetails: () => undefined },
    }),
  );
  await press('申请结汇');
  expect(await named(text, where)).toBeDefined();
});

test.each([
  ['nothing is batched', HOLDING, ['read', 'request_settle'], [], false],
  ['an action is', REFUND, ['*'], [], true],
  ['that action is not open', REFUND, ['read'], [], false],
  ['several make one document', HOLDING, ['read'], [SEVERAL], true],
] as const)('rows are chosen where something can be done with several: %s', (...given) => {
  const [, resource, operations, makes, isOffered] = given;
  expect(hasBatch({ resource, operations: new Set<string>(operations), makes })).toBe(isOffered);
});

test('on a telephone what is pressed in a dialog of a row does not open the row', async () => {
  const opened: unknown[] = [];
  const dialog = createElement(Modal, { open: true }, createElement('textarea', { id: 'why' }));
  await show(
    createElement(RowCards, {
      ...{ resource: REFUND, columns: [], rows: [{ id: '1' }], sorters: [], density: 'compact' },
      ...{ onSort: () => undefined, rowActions: () => dialog },
      onOpen: (row) => opened.push(row['id']),
    }),
  );
  await act(async () => document.getElementById('why')?.click());
  expect(opened).toEqual([]);
  await act(async () => document.querySelector<HTMLElement>('.row-card-line')?.click());
  expect(opened).toEqual(['1']);
});

test('a built condition is not left without a question', async () => {
  const onClose = vi.fn();
  await show(
    createElement(ConditionBuilder, { resource: REFUND, value: null, onApply: () => undefined, onClose }),
  );
  await leaveDialog();
  expect(onClose).toHaveBeenCalledTimes(1);
  await press('加条件');
  await leaveDialog();
  expect(onClose).toHaveBeenCalledTimes(1);
  await named('内容尚未保存，确定关闭吗？', '.ant-modal-confirm-title');
});

test('a mail that was typed is not left without a question; one that was sent is', async () => {
  const draft = {
    ...{ to: 'a@b.cn', subject: '单据', body: '', prints: [{ id: 'p', title: '单据' }], files: [] },
    ...{ way: 'smtp', refusal: null },
  };
  answers = { '/print/p/mail': draft, '/mails': [] };
  const onClose = vi.fn();
  const print = { resource: REFUND.resource, id: '1', printId: 'p', period: undefined };
  await show(createElement(MailDialog, { print, onClose }));
  await named('发送');
  await typeIn(document.querySelector('textarea'), '请查收');
  await leaveDialog();
  expect(onClose).not.toHaveBeenCalled();
  await press('继续编辑');
  await press('发送');
  await act(() => vi.waitFor(() => expect(asked.some(({ body }) => body !== null)).toBe(true)));
  await leaveDialog();
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('columns that are changed in an opened view do not take the place of the person’s own', async () => {
  const saved: ViewContent[] = [];
  const own: ViewContent = { layout: { widths: { refund_no: 300 } } };
  const view: ViewContent = { layout: { hidden: ['status'] }, density: 'compact' };
  function List() {
    const { layout, density, change, open } = useListContent({ own, saveOwn: (next) => saved.push(next) });
    return [
      createElement('button', { key: 1, onClick: () => change({ density: 'middle' }) }, '宽松'),
      createElement('button', { key: 2, onClick: () => open(view) }, '打开'),
      createElement('output', { key: 3 }, JSON.stringify({ layout, density })),
    ];
  }
  const shown = (): unknown => JSON.parse(document.querySelector('output')?.textContent ?? '');
  await show(createElement(List));
  await press('宽松');
  expect(saved).toEqual([{ ...own, density: 'middle' }]);
  await press('打开');
  expect(shown()).toEqual(view);
  await press('宽松');
  expect(shown()).toEqual({ ...view, density: 'middle' });
  expect(saved).toHaveLength(1);
});

test('a view takes the place of another of its name only when one says so', async () => {
  const view: SavedView = { id: '1', name: '本月', isShared: true, isOwn: true, content: {} };
  const save = vi.fn(async () => undefined);
  const saved = { views: [view], own: {}, save, saveOwn: () => undefined, remove: async () => undefined };
  await show(createElement(ViewMenu, { saved, current: {}, onOpen: () => undefined }));
  await press('视图');
  await press('保存当前视图…');
  await typeIn(document.querySelector('.ant-modal input'), '本月');
  await press('保存');
  await named('已有同名视图「本月」，替换吗？', '.ant-modal-confirm-title');
  await named('该视图共享给了同事，替换后同事将看不到。', '.ant-modal-confirm-content');
  expect(save).not.toHaveBeenCalled();
  await press('替换');
  await act(() => vi.waitFor(() => expect(save).toHaveBeenCalledWith('本月', {}, false)));
});

test('what stands above a list is of what its keyword finds', async () => {
  answers = { '/query': { records: [], total: 0 } };
  const overview = REFUND.pages.find((page) => page.overview !== undefined)?.overview;
  if (overview === undefined) throw new TypeError('no overview');
  const given = { resource: REFUND, overview, filter: null, keyword: '宁波', onFilter: () => undefined };
  await show(createElement(ListOverview, given));
  await act(() => vi.waitFor(() => expect(asked).toHaveLength(1)));
  expect(asked[0]?.body).toMatchObject({ keyword: '宁波' });
});
