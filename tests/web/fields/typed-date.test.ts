// @vitest-environment jsdom
import { createElement, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import type { Field } from '#engine/schema/resource.ts';
import { DATE_VIEW } from '#web/fields/date-view.tsx';
import { DATETIME_VIEW } from '#web/fields/datetime-view.tsx';
import { type Days, DaySpan } from '#web/fields/day-span.tsx';
import { typedDate } from '#web/fields/typed-date.ts';
import { useEditKeys } from '#web/pages/edit/use-edit-keys.ts';
import { ReportParamsBar } from '#web/pages/report/report-params-bar.tsx';

it.each([
  ['2026-12-01', '2026-12-01'],
  ['２０２６-１２-０１', '2026-12-01'],
  [' 20261201 ', '2026-12-01'],
  ['2026/3/1', '2026-03-01'],
  ['2026年3月1日', '2026-03-01'],
  ['', ''],
  ['2026-02-31', null],
  ['2026-13-01', null],
  ['下周五', null],
])('%s is read as %s', (typed, date) => {
  expect(typedDate(typed)).toBe(date);
});

/** Sign by sign, behind what stands there by then: the picker may write it otherwise on the way. */
function typeOver(input: HTMLInputElement | null, typed: string): void {
  input?.focus();
  const written = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  const enter = (text: string): void =>
    flushSync(() => {
      written?.set?.call(input, text);
      input?.dispatchEvent(new Event('input', { bubbles: true }));
    });
  enter('');
  for (const sign of typed) enter(`${input?.value ?? ''}${sign}`);
}

/** Types over what stands in a control and presses Ctrl+S: what is saved, and what is said at the control. */
function savedAfterTyping(type: 'date' | 'datetime', before: string | null, typed: string) {
  const field: Field = { name: 'd', title: '日期', type, required: false, standard: false, computed: false };
  const { Control } = type === 'date' ? DATE_VIEW : DATETIME_VIEW;
  const saved: unknown[] = [];
  const store: { value: unknown } = { value: before };
  function Form() {
    const [value, setValue] = useState<unknown>(before);
    const form = useRef<HTMLDivElement>(null);
    const onChange = (next: unknown) => {
      store.value = next;
      setValue(next);
    };
    useEditKeys(form, true, {
      save: () => saved.push(store.value),
      submit: () => undefined,
      nextProblem: () => undefined,
    });
    return createElement('div', { ref: form }, createElement(Control, { field, value, onChange }));
  }
  const box = document.createElement('div');
  document.body.append(box);
  const root = createRoot(box);
  flushSync(() => root.render(createElement(Form)));
  const input = box.querySelector('input');
  typeOver(input, typed);
  flushSync(() =>
    input?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 's', ctrlKey: true, bubbles: true, cancelable: true }),
    ),
  );
  const said = box.querySelector('[role=alert]')?.textContent ?? null;
  const isFocused = document.activeElement === input;
  root.unmount();
  box.remove();
  return { saved, said, isFocused };
}

it.each([
  ['date', '2026-11-28', '2026-11-25', '2026-11-25'],
  ['date', '2026-11-28', '2026/3/1', '2026-03-01'],
  ['date', '2026-11-28', '20261130', '2026-11-30'],
  ['date', '2026-11-28', '', null],
  ['datetime', null, '2026-12-01 09:30', '2026-12-01T09:30:00+08:00'],
  ['datetime', null, '2026-12-1 9:30', '2026-12-01T09:30:00+08:00'],
  ['datetime', null, '20261201 0930', '2026-12-01T09:30:00+08:00'],
  ['datetime', '2026-11-28T01:05:30Z', '2026-11-28 09:05', '2026-11-28T01:05:30Z'],
  ['datetime', '2026-11-28T01:05:00Z', '', null],
] as const)('of a %s %s, typed over as %j, Ctrl+S saves %s', (type, before, typed, value) => {
  expect(savedAfterTyping(type, before, typed)).toEqual({ saved: [value], said: null, isFocused: true });
});

it('a typed time that is none is named at its field', () => {
  expect(savedAfterTyping('datetime', null, '2026-12-01 25:00')).toMatchObject({
    saved: [null],
    said: '“2026-12-01 25:00”不是时间，没有采用，应如 2026-03-31 14:05',
  });
});

it.each([
  ['20260331', '2026-03-31', null],
  ['2026/3/31', '2026-03-31', null],
  ['2026-3-31', '2026-03-31', null],
  ['三月底', '2026-01-01', '“三月底”不是日期，没有采用，应如 2026-03-31'],
])('a report is asked for the day that was typed as %s', (typed, day, told) => {
  const runs: unknown[] = [];
  const param = {
    ...{
      name: 'at',
      title: '截止日期',
      type: 'date' as const,
      required: true,
      multiple: false,
      value: '2026-01-01',
    },
  };
  const box = document.createElement('div');
  document.body.append(box);
  const root = createRoot(box);
  const given = { params: [param], value: { at: '2026-01-01' }, onRun: (value: unknown) => runs.push(value) };
  flushSync(() => root.render(createElement(ReportParamsBar, given)));
  const input = box.querySelector('input');
  typeOver(input, typed);
  flushSync(() => input?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  flushSync(() => box.querySelector('form')?.requestSubmit());
  expect(runs).toEqual([{ at: day }]);
  expect(box.querySelector('[role=alert]')?.textContent ?? null).toBe(told);
  root.unmount();
  box.remove();
});

/** Types over the ends of a span that are given, leaves each, and goes away: what it holds and shows by then, and what it says. */
async function spanAfterTyping(before: Days, typed: Days) {
  const store = { days: before };
  function Form() {
    const [days, setDays] = useState(before);
    const onChange = (next: Days) => {
      store.days = next;
      setDays(next);
    };
    return createElement(DaySpan, { title: '日期', days, onChange });
  }
  const box = document.createElement('div');
  const away = document.createElement('button');
  document.body.append(box, away);
  const root = createRoot(box);
  flushSync(() => root.render(createElement(Form)));
  const ends = [...box.querySelectorAll('input')];
  for (const [index, text] of typed.entries()) if (text !== null) typeOver(ends[index] ?? null, text);
  const within = ends.map((end) => end.value);
  flushSync(() => away.focus());
  // The pickers write a day that is given to them a moment later.
  await vi.waitFor(() => expect(ends.map((end) => end.value)).toEqual(store.days.map((day) => day ?? '')));
  const said = box.querySelector('[role=alert]')?.textContent ?? null;
  root.unmount();
  box.remove();
  away.remove();
  return { days: store.days, within, said };
}

const NONE: Days = [null, null];
const OLD: Days = ['2026-11-02', '2026-11-10'];

it.each([
  ['two days', NONE, ['2026-11-05', '2026/11/20'], ['2026-11-05', '2026-11-20']],
  ['one day', NONE, [null, '20261120'], [null, '2026-11-20']],
  ['a later beginning, then its end', OLD, ['2026-11-20', '2026-12-05'], ['2026-11-20', '2026-12-05']],
  ['the wrong way round', NONE, ['2026-11-20', '2026-11-01'], ['2026-11-01', '2026-11-20']],
  ['a later beginning alone', OLD, ['2026-11-20', null], ['2026-11-10', '2026-11-20']],
  ['nothing', OLD, [null, ''], ['2026-11-02', null]],
] as const)('a span of days takes %s', async (_, before, typed, days) => {
  expect(await spanAfterTyping(before, typed)).toMatchObject({ days, said: null });
});

it('a span the wrong way round stands as it was typed until it is left', async () => {
  const { within } = await spanAfterTyping(NONE, ['2026-11-20', '2026-11-01']);
  expect(within).toEqual(['2026-11-20', '2026-11-01']);
});

it.each(['abc', '2026-13-01', '11-5'])('an end typed as %s is named and changes nothing', async (typed) => {
  const { days, said } = await spanAfterTyping(OLD, [null, typed]);
  expect({ days, said }).toEqual({ days: OLD, said: `“${typed}”不是日期，没有采用，应如 2026-03-31` });
});
