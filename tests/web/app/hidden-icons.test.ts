import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { withoutEnglishName } from '../../../scripts/hide-icons.ts';

test('an icon of the library says nothing, unless whoever shows it names it', async () => {
  const file = createRequire(import.meta.url).resolve('@ant-design/icons/es/components/AntdIcon.js');
  const code = withoutEnglishName(await readFile(file, 'utf8'));
  expect(code).not.toContain('icon.name,');
  expect(code).toMatch(
    /"aria-hidden": restProps\["aria-label"\] === undefined \? true : undefined\s*\}, restProps/,
  );
  expect(() => withoutEnglishName('role: "img"')).toThrow('The icon library names its icons in another way.');
});
