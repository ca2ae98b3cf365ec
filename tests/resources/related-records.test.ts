import { expect, it } from 'vitest';
import { checkFilter } from '#engine/filter/check-filter.ts';
import { pointsTo } from '#engine/filter/points-to.ts';
import { shippedDefinitions } from './shipped-definitions.ts';

const { catalog } = shippedDefinitions();
const ID = '01a2012a-ec80-71c9-97c5-d90d52a694f3';

it('what points to a record is asked for by a filter that its field knows, one value or several', () => {
  if (catalog === null) throw new Error('the definitions did not load');
  const asked = Object.values(catalog.resources).flatMap(({ details }) => details.related);
  const faults = asked.flatMap(({ resource: key, by }) => {
    const resource = catalog.resources[key];
    const [name = '', column] = by.split('.');
    const field = column === undefined ? resource?.fields[name] : resource?.fields[name]?.fields?.[column];
    if (resource === undefined || field === undefined) return [`${key} has no ${by}`];
    return checkFilter(pointsTo(by, field, ID), { resource, catalog }).map(
      ({ message }) => `${key}: ${message}`,
    );
  });
  expect(asked.length).toBeGreaterThan(50);
  expect(faults).toEqual([]);
});
