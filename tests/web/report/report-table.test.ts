// @vitest-environment jsdom
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import type { ReportResult } from '#contract/reports.ts';
import { ReportTable } from '#web/pages/report/report-table.tsx';

const LINES = 300;

/** A report of so many lines that the screen shows only a part of them. */
function longReport(): ReportResult {
  const columns = [
    { ...{ key: 'name', title: '名称', isFigure: false, as: 'text', scale: 0, opens: false } },
  ];
  const line = { level: 0, isLine: true, keys: [], source: null, currency: null, count: 1, labels: {} };
  const rows = Array.from({ length: LINES }, (_, at) => ({
    ...{ ...line, id: String(at), cells: { name: `行${at}` } },
  }));
  return {
    ...{ report: 21, title: '', params: [], hidden: [], at: '', isCapped: false, total: null, groups: 0 },
    ...{ columns, rows, chart: null },
  };
}

it('paper has every line of a report whose screen draws only those in sight', () => {
  const box = document.createElement('div');
  document.body.append(box);
  const root = createRoot(box);
  const given = { result: longReport(), onOpen: () => undefined, onOpenRecord: () => undefined };
  flushSync(() => root.render(createElement(ReportTable, given)));
  const drawn = () => box.querySelectorAll('tbody tr:not([aria-hidden])').length;
  expect(drawn()).toBeLessThan(LINES);
  // The browser lays the page out as soon as this event is over.
  window.dispatchEvent(new Event('beforeprint'));
  expect(drawn()).toBe(LINES);
  flushSync(() => window.dispatchEvent(new Event('afterprint')));
  expect(drawn()).toBeLessThan(LINES);
  root.unmount();
});
