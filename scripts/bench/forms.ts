import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright/test';
import { DEMO_PASSWORD } from '#server/kernel/config.ts';
import { type KeyPaint, keyToBarePaint, keyToPaint } from './key-paint.ts';
import { processorMs } from './main-thread.ts';
import { call, signIn } from './session.ts';
import { measureTabs, type TabsCost } from './tabs.ts';

/** What it costs to work on a document of some lines. */
export interface FormTimes {
  readonly lines: number;
  /** From the click to the lines on the screen, ms, and the processor of the page in that time. */
  readonly openMs: number;
  readonly openProcessorMs: number;
  /** Processor of a key in a field of the head and in a cell of the grid, with all that follows from it, ms. */
  readonly headKeyMs: number;
  readonly cellKeyMs: number;
  /** From a key in a cell of the grid to the frame that shows it. */
  readonly cellPaint: KeyPaint;
  /** From the click on 保存 to 已保存, one cell changed, ms. */
  readonly saveMs: number;
  /** From the click to the document's details, ms, and how many elements they have. */
  readonly detailsMs: number;
  readonly detailsProcessorMs: number;
  readonly detailsElements: number;
  /** From the click to a list of that many rows, a page of at most 200 of them, ms, and its processor. */
  readonly listMs: number;
  readonly listProcessorMs: number;
}

/** Work on documents of each size, what a key costs a page that has nothing else, and what many open pages cost. */
export interface PageTimes {
  readonly forms: readonly FormTimes[];
  readonly barePaint: KeyPaint;
  readonly tabs: TabsCost;
}

const PERSON = 'sp.aa';
const ROLE = 'SP';
/** Odd: a letter and Backspace by turns leave one letter, whatever a field's length. */
const KEYS = 41;
/** Somebody who types well; slow enough that what waits for a pause runs too. */
const KEY_PAUSE_MS = 160;
/** The draft, the preview and its answer come after the last key. */
const SETTLE_MS = 2_500;
const EDIT = '/details/wxhtbj';
const DETAILS = '/details/wxhtxq';
const LIST = '/details/xwxht';
const PANE = '.pane:not([style*="none"])';

/** Opens, types in, saves and reads contracts of 5 and of 500 lines, in the built pages. */
export async function measureForms(url: string): Promise<PageTimes> {
  const token = await signIn(url, PERSON, ROLE);
  const executablePath = execFileSync('node', [path.resolve(import.meta.dirname, '../find-browser.mjs')], {
    encoding: 'utf8',
  }).trim();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
    const page = await enter(context, url);
    // The programs of the pages are there, as after the first document of a day.
    const first = await contract(url, token, 1);
    await visit(page, `${EDIT}?id=${first}`, gridOf(1));
    await visit(page, `${DETAILS}?id=${first}`, '.pane:not([style*="none"]) .lines-table td');
    await visit(page, LIST, `${PANE} .plain-table tbody tr, ${PANE} .plain-table-empty`);
    const forms: FormTimes[] = [];
    for (const lines of [5, 500]) {
      const id = await contract(url, token, lines);
      for (let more = forms.length === 0 ? 2 : 6; more < lines; more += 1) await contract(url, token, 0);
      forms.push(await measure(page, id, lines));
    }
    const known = [LIST, `${EDIT}?id=${first}`, `${DETAILS}?id=${first}`];
    const barePaint = await keyToBarePaint(page);
    await page.bringToFront();
    return { forms, barePaint, tabs: await measureTabs(page, known) };
  } finally {
    await browser.close();
  }
}

async function measure(page: Page, id: string, lines: number): Promise<FormTimes> {
  let [openMs, detailsMs] = [0, 0];
  const openProcessorMs = await processorMs(page, async () => {
    openMs = await visit(page, `${EDIT}?id=${id}`, gridOf(lines));
  });
  const idleMs = await processorMs(page, async () => {
    await firstKey(page);
    await page.waitForTimeout(KEYS * KEY_PAUSE_MS + SETTLE_MS);
  });
  await page.getByLabel('客户PO号').filter({ visible: true }).click();
  const headKeyMs = await keyMs(page, idleMs);
  const cell = page.locator('.pane:not([style*="none"]) [role=gridcell] input[value="ITEM 1"]');
  await cell.click();
  await page.keyboard.press('End');
  const cellKeyMs = await keyMs(page, idleMs);
  const cellPaint = await keyToPaint(page);
  const saveMs = await page.evaluate<number>(SAVE);
  const detailsProcessorMs = await processorMs(page, async () => {
    detailsMs = await visit(page, `${DETAILS}?id=${id}`, '.pane:not([style*="none"]) .lines-table td');
  });
  const detailsElements = await page
    .locator('.pane:not([style*="none"]) *')
    .evaluateAll((elements) => elements.length);
  let listMs = 0;
  const size = Math.min(lines, 200);
  const listProcessorMs = await processorMs(page, async () => {
    // Above sixty rows only those in view are in the document.
    const rows = `${PANE} .plain-table[aria-rowcount="${size}"] tbody tr`;
    listMs = await visit(page, `${LIST}?size=${size > 20 ? 200 : 20}&bench=${lines}`, rows);
  });
  return {
    listMs,
    listProcessorMs,
    lines,
    openMs,
    openProcessorMs,
    headKeyMs,
    cellKeyMs,
    cellPaint,
    saveMs,
    detailsMs,
    detailsProcessorMs,
    detailsElements,
  };
}

async function keyMs(page: Page, idleMs: number): Promise<number> {
  // The first key makes the form unsaved, which the tab shows: that happens once.
  await page.keyboard.press('z');
  await page.waitForTimeout(SETTLE_MS);
  const busyMs = await processorMs(page, async () => {
    await firstKey(page);
    for (let key = 0; key < KEYS; key += 1) {
      await page.keyboard.press(key % 2 === 0 ? 'x' : 'Backspace');
      await page.waitForTimeout(KEY_PAUSE_MS);
    }
    await page.waitForTimeout(SETTLE_MS);
  });
  return Math.max(0, busyMs - idleMs) / KEYS;
}

/** The first key under a trace costs the browser some 400 ms, whatever it is: it is pressed while idle too. */
async function firstKey(page: Page): Promise<void> {
  await page.keyboard.press('Shift');
  await page.waitForTimeout(KEY_PAUSE_MS);
}

/** A draft with lines that have quantity and price; drafts need no more. */
async function contract(url: string, token: string, lines: number): Promise<string> {
  const items = Array.from({ length: lines }, (_, index) => ({
    name_en: `ITEM ${index + 1}`,
    quantity: '10',
    unit_price: '12.5',
  }));
  const made = await call(url, token, {
    path: '/erp/api/data/export_contract',
    body: items.length === 0 ? {} : { items },
  });
  return String(made['id']);
}

async function enter(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel('用户名').fill(PERSON);
  await page.getByLabel('密码').fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.getByRole('dialog', { name: '选择登录身份' }).getByRole('button', { name: '进入系统' }).click();
  await page.getByRole('tab', { name: '首页' }).waitFor();
  return page;
}

function gridOf(lines: number): string {
  return `.pane:not([style*="none"]) [role=grid][aria-rowcount="${lines + 1}"] [role=gridcell]`;
}

/** Milliseconds until an address shows what is waited for; taken inside the page, since asking from outside adds its own. Text, since the types here are Node's. */
function visit(page: Page, address: string, shown: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const start = performance.now();
    const look = () => {
      if (document.querySelector(${JSON.stringify(shown)}) === null) return requestAnimationFrame(look);
      requestAnimationFrame(() => resolve(performance.now() - start));
    };
    history.pushState(null, '', ${JSON.stringify(address)});
    dispatchEvent(new PopStateEvent('popstate'));
    look();
  })`);
}

const SAVE = `new Promise((resolve, reject) => {
  const start = performance.now();
  const look = () => {
    const said = [...document.querySelectorAll('.ant-message')].some((one) => one.textContent.includes('已保存'));
    if (performance.now() - start > 30_000) return reject(new Error('not saved'));
    if (!said) return requestAnimationFrame(look);
    resolve(performance.now() - start);
  };
  [...document.querySelectorAll('.pane:not([style*="none"]) .form-bar button')]
    .find((button) => button.textContent === '保存').click();
  look();
})`;
