import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { expect, type Fields, find, newest } from './support/flow-api.ts';
import { show, staff } from './support/flow-desk.ts';
import { pdfText } from './support/pdf-text.ts';
import { callApi } from './support/session.ts';
import { test } from './support/test.ts';
import { serverUnderTest } from './support/server-under-test.ts';

interface Printed {
  readonly resource: string;
  readonly id: string;
  readonly title: string;
  readonly when: Fields | undefined;
  readonly roles: readonly string[];
}

/** Every print of the definitions, and the roles that may make it. */
function allPrints(): readonly Printed[] {
  const folder = serverUnderTest().resources;
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
  const desks = await staff(browser, ROLES);
  for (const name of ROLES) await show(desks[name], '/user/center');
  const prints = allPrints();
  expect(prints.length).toBeGreaterThan(25);
  const without: string[] = [];
  for (const print of prints)
    await test.step(`${print.resource} ${print.title}`, async () => {
      for (const role of ROLES.filter((name) => print.roles.includes(name.toUpperCase()))) {
        const [record] = await find(desks[role], print.resource, print.when ?? {});
        if (record === undefined) continue;
        await expectPaper(desks[role], print, String(record['id']));
        return;
      }
      without.push(`${print.resource} ${print.title}`);
    });
  expect(without).toEqual([]);
});

test('each paper that is open has a tab of its own name', async ({ browser }) => {
  const { sp } = await staff(browser, ['sp']);
  const { id, contract_no } = await newest(sp, 'export_contract', { status: { eq: 'approved' } });
  await show(sp, `/index/dy?resource=export_contract&id=${String(id)}`);
  await expect(sp.getByRole('tab', { name: `${String(contract_no)} 外销合同` })).toBeVisible();
});

interface Paper {
  readonly pages: readonly (readonly { readonly kind: string; readonly text?: string }[])[];
  readonly missing: readonly string[];
}

/** The pages as the screen has them, and the file that is saved. */
async function expectPaper(page: Page, { resource, id, title }: Printed, record: string): Promise<void> {
  const path = `/data/${resource}/${record}/print/${id}`;
  const { status, body } = await callApi<{ readonly data: Paper }>(page, 'GET', path);
  expect([title, status]).toEqual([title, 200]);
  const { pages, missing } = body.data;
  const shown = pages.flat().flatMap(({ text }) => text ?? []);
  expect([title, missing, shown.filter((text) => /[{}□]|undefined|null|NaN|\[object/.test(text))]).toEqual([
    title,
    [],
    [],
  ]);
  expect(shown.length).toBeGreaterThan(8);
  const file = pdfText(await pdfOf(page, path));
  expect([title, file.pages]).toEqual([title, pages.length]);
  // The text on the page is the text of the file, to be selected and found.
  const [word = ''] = shown
    .filter((part) => /\p{Script=Han}{2,}|[A-Z]{4,}/u.test(part))
    .toSorted((a, b) => b.length - a.length);
  expect(file.text.replaceAll(/\s/g, '')).toContain(word.replaceAll(/\s/g, '').slice(0, 12));
}

async function pdfOf(page: Page, path: string): Promise<Buffer> {
  const base64 = await page.evaluate(async (address) => {
    const answer = await fetch(`/erp/api${address}/pdf`, {
      headers: { Authorization: localStorage.getItem('authorization') ?? '' },
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  }, path);
  return Buffer.from(base64, 'base64');
}
