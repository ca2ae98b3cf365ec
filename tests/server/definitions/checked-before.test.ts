import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadDefinitions, loadFaultless } from '#engine/schema/lint-resource.ts';
import { lintExtras } from '#server/business/lint-extras.ts';
import { checkedBefore } from '#server/records/definitions/checked-before.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { readDefinitionFiles } from '../../../scripts/definition-files.ts';

const FILES = [
  { path: 'resources/a.json', text: '{"a":1}' },
  { path: 'resources/b.json', text: '{"b":2}' },
];
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checked-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('knows files that the same program found faultless, and no others', async () => {
  const one = { folder, program: 'one' };
  expect((await checkedBefore(one, FILES)).isFaultless).toBe(false);
  await (await checkedBefore(one, FILES)).keep();
  const [first, second] = FILES.map(({ path, text }) => ({ path, text }));
  const cases: readonly [string, typeof one, readonly (typeof FILES)[number][], boolean][] = [
    ['the same', one, FILES, true],
    ['another program', { folder, program: 'two' }, FILES, false],
    ['an edited file', one, [{ path: 'resources/a.json', text: '{"a":2}' }, ...FILES.slice(1)], false],
    ['a file less', one, FILES.slice(1), false],
    ['a file more', one, [...FILES, { path: 'resources/c.json', text: '{}' }], false],
    ['a moved text', one, [{ path: 'resources/a.json', text: `${first?.text}${second?.text}` }], false],
  ];
  for (const [what, at, files, expected] of cases)
    expect({ what, isFaultless: (await checkedBefore(at, files)).isFaultless }).toEqual({
      what,
      isFaultless: expected,
    });
});

it('takes a note that was half written for none, and writes none for a program that runs from its sources', async () => {
  const note = join(folder, 'definitions-checked');
  await truncate(note, 40);
  expect((await checkedBefore({ folder, program: 'one' }, FILES)).isFaultless).toBe(false);
  await writeFile(note, 'kept');
  const sources = await checkedBefore({ folder, program: null }, FILES);
  await sources.keep();
  expect(sources.isFaultless).toBe(false);
  expect(await readFile(note, 'utf8')).toBe('kept');
});

it('reads the shipped definitions unchecked as it reads them checked, and then still knows the places in them', () => {
  registerTradeFunctions();
  const files = [...readDefinitionFiles('resources'), ...readDefinitionFiles('reports')];
  const hashOf = (text: string): string => `${text.length}`;
  const extras = lintExtras();
  const parsed = new Map();
  const trusted = loadFaultless({ files, hashOf, parsed });
  const checked = loadDefinitions(files, hashOf, extras);
  expect(checked.faults).toEqual([]);
  expect(trusted.catalog).toEqual(checked.catalog);
  expect(trusted.setup).toEqual(checked.setup);
  // One file is edited badly later on: the others are not parsed again, the fault has its place.
  const edited = files.map((file) =>
    file.path.endsWith('/buyer.json')
      ? { ...file, text: file.text.replace('"to": "country"', '"to": "countri"') }
      : file,
  );
  const [fault] = loadDefinitions(edited, hashOf, extras, parsed).faults;
  expect(fault?.path).toMatch(/buyer\.json$/);
  expect(fault?.line).toBeGreaterThan(1);
  expect(fault?.message).toContain('country');
});
