import { expect, it } from 'vitest';
import { severityColours } from '#web/pages/report/chart-colours.ts';
import { plotOptions } from '#web/pages/report/plot-options.ts';

const INKS = { text: '#000', ground: '#fff' };

interface Mark {
  readonly type: string;
  readonly data: readonly { readonly point: string; readonly value: number | null }[];
}

function drawn(options: object): { readonly children: readonly Mark[]; readonly scale: object } {
  return options as { readonly children: readonly Mark[]; readonly scale: object };
}

it('a line breaks where there is no figure, and no point stands at nothing', () => {
  const series = [{ title: '换汇成本', isShare: false, values: [6.9, null, 7.1] }];
  const { children } = drawn(plotOptions({ names: ['一月', '二月', '三月'], series }, 'line', INKS));
  const valuesOf = (type: string) =>
    children.find((mark) => mark.type === type)?.data.map(({ value }) => value);
  expect(valuesOf('line')).toEqual([6.9, null, 7.1]);
  expect(valuesOf('point')).toEqual([6.9, 7.1]);
});

it('steps that go from on time to long overdue go from green to red', () => {
  const bucket = (title: string) => ({ title, isShare: false, values: [1] });
  const series = ['未到期', '1-30天', '31-60天', '61-90天', '91-180天', '180天以上'].map(bucket);
  const { scale } = drawn(plotOptions({ names: ['甲'], series, isRising: true }, 'stackedBar', INKS));
  const colours = severityColours(6);
  expect(scale).toMatchObject({ color: { range: colours } });
  expect([new Set(colours).size, colours[0], colours[4]]).toEqual([6, '#2f9e8f', '#c0392b']);
  expect(severityColours(2)).toEqual(['#2f9e8f', '#7f1d1d']);
});
