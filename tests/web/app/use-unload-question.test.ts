// @vitest-environment jsdom
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { useUnloadQuestion } from '#web/app/use-unload-question.ts';
import { keepForLeaving, onKeepDrafts, stayWithDrafts } from '#web/data/draft-events.ts';

Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);

function Page({ isLosable }: { readonly isLosable: boolean }) {
  useUnloadQuestion([{ isDirty: true, isLosable }]);
  return null;
}

function isAsked(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

test('the site is left without a question only when drafts keep all that was typed', async () => {
  const root = createRoot(document.createElement('div'));
  const show = (isLosable: boolean) => act(async () => root.render(createElement(Page, { isLosable })));
  const forget = onKeepDrafts(async () => true);
  await show(true);
  await keepForLeaving();
  expect(isAsked()).toBe(true);
  // The opinion is sent: the form alone is left, and its draft is kept.
  await show(false);
  expect(isAsked()).toBe(true);
  await keepForLeaving();
  expect(isAsked()).toBe(false);
  stayWithDrafts();
  expect(isAsked()).toBe(true);
  forget();
  await show(true);
  await act(async () => root.unmount());
  await keepForLeaving();
  expect(isAsked()).toBe(false);
});
