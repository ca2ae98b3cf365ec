import { readdirSync, readFileSync } from 'node:fs';
import { type Page, test } from 'playwright/test';
import { expect, type Fields, find, staff } from './support/flow-desk.ts';
import { pdfText } from './support/pdf-text.ts';
import { baseUrl } from './support/session.ts';

interface Printed {
  readonly resource: string;
  readonly id: string;
  readonly title: string;
  readonly when: Fields | undefined;
  readonly roles: readonly string[];
}

/** Every print of the definitions, and the roles that may make it. */
function allPrints(): readonly Printed[] {
  const folder = process.env['E2E_RESOURCES'] ?? 'resources';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^\w+\/\w+\.json$/.test(name),
  );
  return files.flatMap((name) => {
    const file = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as {
      readonly resource?: string;
      readonly print?: readonly { readonly id: string; readonly title: string; readonly when?: Fields }[];
      readonly access?: readonly {
        readonly role: string | readonly string[];
        readonly do: readonly string[];
      }[];
    };
    const { resource, print = [], access = [] } = file;
    if (resource === undefined) return [];
    const roles = access.filter((entry) => entry.do.includes('print')).flatMap(({ role }) => role);
    return print.map(({ id, title, when }) => ({ resource, id, title, when, roles }));
  });
}

const ROLES = ['sp', 'dc', 'fn', 'tr', 'tm', 'cs', 'gm'] as const;

test('every paper of the house is drawn from the documents of a company that works, whole and without a gap', async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const desks = await staff(browser, ROLES);
  const prints = allPrints();
  expect(prints.length).toBeGreaterThan(25);
  const without: string[] = [];
  for (const print of prints)
    await test.step(`${print.resource} ${print.title}`, async () => {
      for (const role of ROLES.filter((name) => print.roles.includes(name.toUpperCase()))) {
        const [record] = await find(desks[role], print.resource, print.when ?? {});
        if (record === undefined) continue;
        await expectPaper(desks[role], print, String(record['id']);
        return;
      }
      without.push(`${print.resource} ${print.title}`);
    });
  expect(without).toEqual([]);
});

async function expectPaper(page: Page, { resource, id, title }: Printed, record: string): Promise<void> {
  await page.goto(`${baseUrl()}/index/dy?resource=${resource}&print=${id}&id=${record}`);
  const sheet = page.locator('.print-sheet').first();
  await expect(sheet).toBeVisible();
  const shown = await page.locator('.print-sheet text').allInnerTexts();
  expect([title, shown.filter((text) => /[{}□]|undefined|null|NaN|\[object/.test(text))]).toEqual([
    title,
    [],
  ]);
  expect(shown.length).toBeGreaterThan(8);
  const pdf = page.waitForEvent('download');
  await page.getByRole('button', { name: '下载 PDF' }).click();
  const path = await (await pdf).path();
  const { pages, text } = pdfText(readFileSync(path));
  expect([title, pages]).toEqual([title, await page.locator('.print-sheet').count()]);
  // The text on the page is the text of the file, to be selected and found.
  const [word = ''] = shown
    .filter((part) => /\p{Script=Han}{2,}|[A-Z]{4,}/u.test(part))
    .toSorted((a, b) => b.length - a.length);
  expect(text.replaceAll(/\s/g, '')).toContain(word.replaceAll(/\s/g, '').slice(0, 12));
}
