// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { returnFocus } from '#web/app/focus-return.ts';

let end = (): void => undefined;

beforeEach(() => {
  document.body.innerHTML =
    '<div class="pane"><button id="row">行</button><button id="open">导入</button></div>';
  end = returnFocus(document);
});
afterEach(() => end());

function button(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no ${id}`);
  return found;
}

/** A dialog at the end of the body, its first button with the focus; it is emptied before it is taken out, as React does. */
function dialog(): { readonly remove: () => void } {
  const layer = document.createElement('div');
  layer.innerHTML = '<div class="ant-modal-root"><button>取消</button></div>';
  document.body.append(layer);
  layer.querySelector('button')?.focus();
  return {
    remove: () => {
      layer.replaceChildren();
      layer.remove();
    },
  };
}

async function settled(): Promise<string> {
  await Promise.resolve();
  return document.activeElement?.id ?? '';
}

it('the focus comes back to what opened a dialog that was taken out of the page', async () => {
  button('open').focus();
  dialog().remove();
  expect(await settled()).toBe('open');
});

it('goes to where one was before when that is gone', async () => {
  button('row').focus();
  button('open').focus();
  const layer = dialog();
  button('open').remove();
  layer.remove();
  expect(await settled()).toBe('row');
});

it('stays where something put it on purpose', async () => {
  button('open').focus();
  const layer = dialog();
  button('row').focus();
  layer.remove();
  expect(await settled()).toBe('row');
});
