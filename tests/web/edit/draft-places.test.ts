// @vitest-environment jsdom
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { expandResource } from '#engine/schema/expand-resource.ts';
import {
  type Draft,
  dropDrafts,
  dropNewestDraft,
  findDrafts,
  keepDraft,
  newPlace,
} from '#web/pages/form/draft-store.ts';
import { FormStore } from '#web/pages/form/form-store.ts';
import { type DraftState, useDraft } from '#web/pages/form/use-draft.ts';
import { SALES_CONTEXT } from './sales-context.ts';

const KEY = 'sp.aa|buyer|new:/customer/buyeredit';
const NOTE = expandResource(
  {
    resource: 'buyer',
    title: '国外客户',
    kind: 'master',
    label: 'name',
    fields: { name: { type: 'text', title: '名称' } },
  },
  'hash',
);

const stored = new Map<string, unknown>();
const nothing: unknown = undefined;

/** The part of the browser's database that drafts use; what is asked is answered in its order. */
function databaseOfDrafts() {
  const answer = (work: () => unknown) => {
    const request = Object.assign(new EventTarget(), { result: nothing });
    queueMicrotask(() => {
      request.result = work();
      request.dispatchEvent(new Event('success'));
    });
    return request;
  };
  const store = {
    get: (key: string) => answer(() => stored.get(key)),
    getAll: () => answer(() => [...stored.values()]),
    put: (draft: Draft) => answer(() => stored.set(draft.key, structuredClone(draft)) && draft.key),
    delete: (key: string) => answer(() => void stored.delete(key)),
  };
  return { open: () => answer(() => ({ transaction: () => ({ objectStore: () => store }) })) };
}

vi.stubGlobal('indexedDB', databaseOfDrafts());
beforeEach(() => stored.clear());

let minute = 0;
const draft = (name: string, writer?: string): Draft => ({
  key: KEY,
  ...(writer === undefined ? {} : { writer }),
  savedAt: `2026-03-01T08:${String((minute += 1)).padStart(2, '0')}:00.000Z`,
  version: null,
  base: null,
  form: { record: { name }, keys: {} },
  pending: null,
});
const nobodys = (): boolean => false;
const names = (drafts: readonly Draft[]) => drafts.map(({ form }) => String(form.record['name']));
const kept = async () => names(await findDrafts(KEY));

/** A form that one types into, in a window of its own. */
async function formInWindow() {
  const store = new FormStore({
    resource: NOTE,
    dictionaries: {},
    context: SALES_CONTEXT,
    record: null,
    defer: (work) => work(),
  });
  const shown = vi.fn<(state: DraftState) => void>();
  function Form() {
    shown(useDraft(store, { key: KEY }));
    return null;
  }
  const root = createRoot(document.createElement('div'));
  flushSync(() => root.render(createElement(Form)));
  const now = () => shown.mock.lastCall?.[0];
  await vi.waitFor(() => expect(now()?.offered === null).toBe(stored.size === 0));
  return {
    type: async (name: string) => {
      store.set('name', name);
      await now()?.keep();
    },
    now,
    close: () => flushSync(() => root.unmount()),
  };
}

describe('where unsaved work lies', () => {
  test('that of an empty form, of copies and of what is made from a document, each by itself', () => {
    const made = { resource: 'a', id: '1', make: 'b' };
    // As they were called before copies had their own.
    expect(newPlace('/edit', { madeFrom: null, copyOf: null })).toBe('/edit');
    expect(newPlace('/edit', { madeFrom: made, copyOf: null })).toBe(`/edit ${JSON.stringify(made)}`);
    const copies = ['1', '2'].map((copyOf) => newPlace('/edit', { madeFrom: null, copyOf }));
    expect(new Set(['/edit', ...copies]).size).toBe(3);
  });

  test('beside that of other forms, the newest first; of more than five the oldest goes', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await keepDraft(draft(name), nobodys);
    expect(await kept()).toEqual(['e', 'd', 'c', 'b', 'a']);
    await keepDraft(draft('f'), nobodys);
    expect(await kept()).toEqual(['f', 'e', 'd', 'c', 'b']);
    await dropNewestDraft(KEY);
    expect(await kept()).toEqual(['e', 'd', 'c', 'b']);
  });

  test('the own one is written over, and what was answered goes with it', async () => {
    await keepDraft(draft('of before'), nobodys);
    await keepDraft(draft('mine', 'w'), nobodys);
    await keepDraft(draft('another', 'v'), nobodys);
    await keepDraft(draft('mine, later', 'w'), ({ writer }) => writer !== 'v');
    expect(await kept()).toEqual(['mine, later', 'another']);
    await dropDrafts(KEY, ({ writer }) => writer === 'w');
    expect(await kept()).toEqual(['another']);
  });
});

describe('two windows with one form', () => {
  test('saving in one leaves the draft of the other', async () => {
    const one = await formInWindow();
    await one.type('contract one');
    const two = await formInWindow();
    expect(names([two.now()?.offered ?? draft('')])).toEqual(['contract one']);
    await two.type('contract two');
    two.close();
    one.now()?.end();
    await vi.waitFor(async () => expect(await kept()).toEqual(['contract two']));
  });

  test('both keep theirs when the session ends, and what is restored is not offered again', async () => {
    const [one, two] = [await formInWindow(), await formInWindow()];
    await one.type('contract three');
    await two.type('contract four');
    expect((await kept()).toSorted()).toEqual(['contract four', 'contract three']);
    const later = await formInWindow();
    const first = names([later.now()?.offered ?? draft('')]);
    flushSync(() => later.now()?.taken());
    await later.type('restored, and typed on');
    expect((await kept()).toSorted()).toEqual(
      ['contract four', 'contract three', 'restored, and typed on'].filter((name) => !first.includes(name)),
    );
    flushSync(() => later.now()?.discard());
    await vi.waitFor(async () => expect(await kept()).toEqual(['restored, and typed on']));
  });
});
