import { describe, expect, it } from 'vitest';
import { axisNames } from '#web/pages/report/axis-names.ts';

const weeks = (first: string, count: number) =>
  Array.from({ length: count }, (_, place) =>
    new Date(Date.parse(first) + place * 604_800_000).toISOString().slice(0, 10),
  );

describe('names under a drawing', () => {
  it('tell sixteen weeks apart', () => {
    const names = weeks('2026-08-10', 16);
    expect(names.map(axisNames(names)).slice(-2)).toEqual(['11-16', '11-23']);
    expect(new Set(names.map(axisNames(names))).size).toBe(16);
  });

  it('keep the year where there are two', () => {
    const names = weeks('2026-12-21', 3);
    expect(names.map(axisNames(names))).toEqual(['26-12-21', '26-12-28', '27-01-04']);
  });

  it('tell the months of two years apart', () => {
    const names = Array.from({ length: 24 }, (_, place) =>
      new Date(Date.UTC(2025, place)).toISOString().slice(0, 7),
    );
    expect(names.map(axisNames(names)).slice(11, 13)).toEqual(['25-12', '26-01']);
    expect(names.slice(0, 2).map(axisNames(names.slice(0, 2)))).toEqual(['2025-01', '2025-02']);
  });

  it('are cut where they would not stand side by side, Latin letters later', () => {
    const names = Array.from({ length: 16 }, (_, place) => `第${place}个很长的名称`);
    expect(axisNames(names)('宁波保税区仓库')).toBe('宁波保税…');
    expect(axisNames(names)('AAXM2025')).toBe('AAXM2025');
    expect(axisNames(['甲'])('宁波保税区第二仓库北门西侧')).toBe('宁波保税区第二仓库北门…');
  });
});
