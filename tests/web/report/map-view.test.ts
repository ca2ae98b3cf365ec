import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { PLACES } from '#web/pages/report/map-ports.ts';
import { fitView, namedOf } from '#web/pages/report/map-view.ts';

const WORLD = { width: 360, height: 132 };

test('ports of one coast fill the map, with room around them', () => {
  const view = fitView(
    [
      { x: 301.5, y: 44.8 },
      { x: 300.3, y: 36 },
    ],
    WORLD,
  );
  expect(view.width).toBeCloseTo(90);
  expect(view.height / view.width).toBeCloseTo(WORLD.height / WORLD.width);
  expect(view.x).toBeLessThan(300.3 - 5);
  expect(view.x + view.width).toBeGreaterThan(301.5 + 5);
});

test('ports of all the world show the world, and the edge is never left', () => {
  expect(
    fitView(
      [
        { x: 5, y: 20 },
        { x: 350, y: 110 },
      ],
      WORLD,
    ),
  ).toMatchObject({ x: 0, y: 0, scale: 1 });
  expect(fitView([{ x: 359, y: 2 }], WORLD)).toMatchObject({ x: 360 * 0.75, y: 0 });
});

test('of names that would lie on one another the first is written', () => {
  const spot = (name: string, x: number, y: number) => ({ key: name, name, x, y, radius: 2 });
  const spots = [spot('上海', 301, 45), spot('宁波', 301.8, 46.2), spot('青岛', 301, 60)];
  expect(namedOf(spots, { scale: 1 }).map(({ name }) => name)).toEqual(['上海', '青岛']);
  expect(namedOf(spots, { scale: 0.25 }).map(({ name }) => name)).toEqual(['上海', '宁波', '青岛']);
});

test('every large port has a place of its own', async () => {
  const known = new Set(PLACES.split(' ').map((place) => place.split(':')[0]));
  const ports = (await readFile('resources/reference-data/ports.csv', 'utf8')).split('\n');
  const large = ports.filter((line) => /,1,\d{4}\r?$/.test(line)).map((line) => line.slice(0, 5));
  expect(large.length).toBeGreaterThan(600);
  expect(large.filter((code) => !known.has(code))).toEqual([]);
});
