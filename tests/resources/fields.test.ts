import { describe, expect, it } from 'vitest';
import { parseField } from '#engine/fields/field-types.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { readJson, shipped, shippedDefinitions } from './shipped-definitions.ts';

/** Title and flags (R required, U unique, L in the list, F filter, C computed) of the fields people agreed on. */
interface Expected {
  readonly title: string;
  readonly states: Readonly<Record<string, string>>;
  readonly transitions: readonly string[];
  readonly fields: Readonly<Record<string, readonly [title: string, flags: string]>>;
}

const MAX_COLUMNS = 10;
const expected = readJson<Readonly<Record<string, Expected>>>('tests/resources/expected-fields.json');

describe('shipped definitions', () => {
  it('have no faults', () => {
    expect(shippedDefinitions().faults.map(formatFault)).toEqual([]);
  });
});

describe.each(Object.entries(expected))('%s', (key, { title, states, transitions, fields }) => {
  const resource = shipped(key);
  const known = Object.entries(fields).map(([path, [fieldTitle, flags]]) => ({ path, fieldTitle, flags }));
  const pathsWith = (flag: string): readonly string[] =>
    known.filter(({ path, flags }) => flags.includes(flag) && path !== 'status').map(({ path }) => path);

  it('has its title, fields and states', () => {
    expect(resource.title).toBe(title);
    const titles = known
      .filter(({ path }) => path !== 'status')
      .map(({ path }) => [path, fieldAt(resource, path)?.title ?? null]);
    expect(titles).toEqual(
      known.filter(({ path }) => path !== 'status').map(({ path, fieldTitle }) => [path, fieldTitle]),
    );
    const stateTitles = Object.entries(resource.lifecycle?.states ?? {}).map(([state, named]) => [
      state,
      named.title,
    ]);
    expect(Object.fromEntries(stateTitles)).toMatchObject(states);
    expect(Object.keys(resource.lifecycle?.actions ?? {})).toEqual(expect.arrayContaining([...transitions]));
  });

  it('requires what must be there', () => {
    const missing = pathsWith('R').filter((path) => {
      const field = fieldAt(resource, path);
      return field?.type !== 'lines' && field?.required !== true && field?.computed !== true;
    });
    expect(missing).toEqual([]);
  });

  it('keeps unique what is', () => {
    const missing = pathsWith('U').filter((path) => !isUnique(resource, path));
    expect(missing).toEqual([]);
  });

  it('shows and filters what clerks look for', () => {
    const columns = resource.list.columns.map((column) =>
      typeof column === 'string' ? column : column.field,
    );
    const left = pathsWith('L').filter((path) => !path.includes('.') && !columns.includes(path));
    expect(columns.length >= MAX_COLUMNS ? [] : left).toEqual([]);
    const filters = pathsWith('F').filter(
      (path) => !path.includes('.') && !resource.list.filters.includes(path),
    );
    expect(filters).toEqual([]);
  });

  it('takes nothing computed from a client', () => {
    const open = pathsWith('C').filter((path) => {
      const field = fieldAt(resource, path);
      return field?.computed !== true && field?.readOnly !== true;
    });
    expect(open).toEqual([]);
  });
});

describe('defaults', () => {
  it('are values of their fields', () => {
    const wrong = Object.values(shippedDefinitions().catalog?.resources ?? {}).flatMap((resource) =>
      Object.values(resource.fields).flatMap((field) =>
        [field, ...Object.values(field.fields ?? {})]
          .filter(
            ({ default: value }) => value !== undefined && (typeof value !== 'object' || value === null),
          )
          .filter((each) => 'problem' in parseField(each.default, each) || !isOption(each))
          .map((each) => `${resource.resource}.${each.name}`),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

/** A default among the items of its dictionary; dictionaries filled from a resource have none here. */
function isOption(field: Field): boolean {
  if (field.type !== 'dictionary' || field.default === undefined) return true;
  const items = shippedDefinitions().catalog?.dictionaries[field.dictionary ?? '']?.items ?? [];
  const values = [...Object.keys(field.options ?? {}), ...items.map(({ value }) => value)];
  return values.length === 0 || values.includes(String(field.default));
}

function fieldAt(resource: Resource, path: string): Field | undefined {
  const [name = '', column] = path.split('.');
  const field = resource.fields[name];
  return column === undefined ? field : field?.fields?.[column];
}

/** A company's own code is part of every unique constraint of a company. */
function isUnique(resource: Resource, path: string): boolean {
  const [name = '', column] = path.split('.');
  if (path === 'co_code') return resource.scope === 'company';
  if (column === undefined) return resource.unique.some(({ fields }) => fields.includes(name));
  return (resource.fields[name]?.unique ?? []).some(({ fields }) => fields.includes(column));
}
