import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ENGLISH_NAMES, named } from '../../../scripts/speak-chinese.ts';

const MODULES = path.resolve(import.meta.dirname, '../../../node_modules');

test.each(ENGLISH_NAMES)('$module says $chinese for $english, once', async (name) => {
  const code = await readFile(path.join(MODULES, name.module), 'utf8');
  expect(code.split(name.english)).toHaveLength(2);
  const spoken = named(code, name);
  expect(spoken).toContain(name.chinese);
  expect(() => named('role: "img"', name)).toThrow('names things in another way');
});
