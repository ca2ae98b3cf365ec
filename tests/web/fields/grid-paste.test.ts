// @vitest-environment jsdom
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import type { Field } from '#engine/schema/resource.ts';
import { makeGridModel } from '#web/fields/grid/grid-model.ts';
import { LineStore } from '#web/fields/grid/line-store.ts';
import type { PasteResult } from '#web/fields/grid/paste-block.ts';
import { useGridPaste } from '#web/fields/grid/use-grid-paste.ts';
import { useGridSelection } from '#web/fields/grid/use-grid-selection.ts';

const columns: readonly Field[] = ['a', 'b'].map((name) => ({
  ...{ name, title: name, type: 'text', required: false, standard: false, computed: false },
}));

/** Pastes two rows of two cells into an empty grid; gives its lines, what was said, and whether the grid took the text. */
async function pasted(isDisabled: boolean) {
  const store = new LineStore({ columns });
  const model = makeGridModel({
    ...{ store, columns, dictionaries: {}, services: null, isDisabled },
    ...{ resource: 'r', lines: 'l', readParent: () => ({}) },
  });
  const say = vi.fn<(result: PasteResult) => void>();
  function Grid() {
    const selection = useGridSelection({ rows: 0, columns: 2 });
    const paste = useGridPaste({ model, selection, max: 500, isDisabled, say, fail: () => undefined });
    return createElement('div', { onPaste: paste.onPaste });
  }
  const box = document.createElement('div');
  document.body.append(box);
  const root = createRoot(box);
  flushSync(() => root.render(createElement(Grid)));
  const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), {
    clipboardData: { getData: () => '1\t2\r\n3\t4' },
  });
  box.firstElementChild?.dispatchEvent(event);
  // The lookups of a paste, of which there are none here, are over within a turn.
  await new Promise((resolve) => setTimeout(resolve, 0));
  root.unmount();
  return { lines: store.lines(), said: say.mock.calls, isTaken: event.defaultPrevented };
}

test('a block goes into lines that may be written', async () => {
  expect(await pasted(false)).toEqual({
    lines: [expect.objectContaining({ a: '1', b: '2' }), expect.objectContaining({ a: '3', b: '4' })],
    said: [[{ rows: 2, problems: 0 }]],
    isTaken: true,
  });
});

test('lines that are only read take no block, and say nothing of having taken one', async () => {
  expect(await pasted(true)).toEqual({ lines: [], said: [], isTaken: false });
});
