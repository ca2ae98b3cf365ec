// @vitest-environment jsdom
import { createElement, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { expandField } from '#engine/schema/expand-resource.ts';
import { type FieldServices, FieldServicesContext } from '#web/fields/field-services.ts';
import type { PickedRecord } from '#web/fields/field-view.ts';
import { TEXT_VIEW } from '#web/fields/text-view.tsx';

const field = expandField('value', { type: 'text', title: '参数值', names: 'parameter_value' });
const picked = (id: string, label: string): PickedRecord => ({
  ...{ id, label, caption: [], fill: {}, fillLabels: {}, paths: {} },
});
const LISTS: Readonly<Record<string, readonly PickedRecord[]>> = {
  MODE: [picked('max', '取大'), picked('funding', '垫付')],
};
const services = {
  lookup: (place) => {
    const records = LISTS[String(place.readRecord()['param'])] ?? [];
    return Promise.resolve({ records, total: records.length });
  },
} as Partial<FieldServices> as FieldServices;

/** The control of the value of a parameter. */
function shown(record: { param: string | null }, first: string | null) {
  const box = document.createElement('div');
  document.body.append(box);
  const root = createRoot(box);
  function Form() {
    const [value, onChange] = useState<unknown>(first);
    const place = { resource: 'system_default', path: 'value', readRecord: () => record };
    return createElement(TEXT_VIEW.Control, { field, value, onChange, place });
  }
  flushSync(() =>
    root.render(createElement(FieldServicesContext.Provider, { value: services }, createElement(Form))),
  );
  const text = (): string | undefined => box.querySelector('.ant-select-selection-item')?.textContent;
  return { box, text, end: () => root.unmount() };
}

it('the value of a parameter that has a list is picked by its name', async () => {
  const { text, end } = shown({ param: 'MODE' }, 'funding');
  await vi.waitFor(() => expect(text()).toBe('垫付'));
  end();
});

it('that of any other is typed', async () => {
  const { box, end } = shown({ param: 'DAYS' }, '30');
  await Promise.resolve();
  expect(box.querySelector('input')?.value).toBe('30');
  end();
});

it('a parameter that was named meanwhile is asked for its list when one comes to its value', async () => {
  const record: { param: string | null } = { param: null };
  const { box, text, end } = shown(record, 'max');
  record.param = 'MODE';
  flushSync(() => box.querySelector('input')?.focus());
  await vi.waitFor(() => expect(text()).toBe('取大'));
  end();
});
