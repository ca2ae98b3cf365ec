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
import { RowActions } from '#web/pages/list/row-actions.tsx';
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
