import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright/test';
import { DEMO_PASSWORD } from '#server/kernel/config.ts';
import { call, signIn } from './session.ts';

/** What it costs to write in a document of ten thousand words. */
export interface EditorTimes {
  /** From the click on the document to its last line on the screen, the editor's code loaded before; ms. */
  readonly openMs: number;
  /** From a key at the end of the document to the changed text, and the painting of it; median and 95th percentile, ms. */
  readonly keyMs: readonly [number, number];
}

const WORDS = 10_000;
const KEYS = 60;
const RUNS = 3;
const AUTHOR = 'tm.aa';
const ROLE = 'TM';

/** Opens the document in the page that edits news, several times, and types at its end. */
export async function measureEditor(url: string): Promise<EditorTimes> {
  const token = await signIn(url, AUTHOR, ROLE);
  const small = await article(url, token, '短文', '<p>短文</p>');
  const long = await article(url, token, '长文', longText());
  const executablePath = execFileSync('node', [path.resolve(import.meta.dirname, '../find-browser.mjs')], {
    encoding: 'utf8',
  }).trim();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await enter(await browser.newContext({ locale: 'zh-CN' }), url);
    const opened: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      await open(page, small, '短文');
      opened.push(await open(page, long, '第一百段的末尾'));
    }
    const keys = await typeAtEnd(page);
    return {
      openMs: opened.toSorted((a, b) => a - b)[1] ?? 0,
      keyMs: [keys[Math.floor(keys.length / 2)] ?? 0, keys[Math.floor(keys.length * 0.95)] ?? 0],
    };
  } finally {
    await browser.close();
  }
}

function longText(): string {
  const sentence = '出口货物报关单填制规范要求贸易国别与最终目的国一致，';
  // An article of more words is refused, and the blank between paragraphs counts.
  const length = WORDS / 100;
  const paragraph = sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length - 2);
  return Array.from(
    { length: 100 },
    (_, index) => `<p>${paragraph}${index === 99 ? '第一百段的末尾' : ''}</p>`,
  ).join('');
}

async function article(url: string, token: string, title: string, content: string): Promise<string> {
  const made = await call(url, token, {
    path: '/erp/api/data/news',
    body: { title, category: '公告', content },
  });
  return String(made['id']);
}

async function enter(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel('用户名').fill(AUTHOR);
  await page.getByLabel('密码').fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '选择登录身份' });
  await dialog.getByRole('button', { name: '进入系统' }).click();
  await page.getByRole('tab', { name: '首页' }).waitFor();
  return page;
}

/** The time is taken inside the page: asking from outside adds its own. Text, since the types here are Node's. */
function open(page: Page, id: string, last: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const start = performance.now();
    const look = () => {
      const areas = [...document.querySelectorAll('.richtext-editor [data-slate-editor]')];
      if (areas.some((area) => area.textContent.trim().endsWith(${JSON.stringify(last)})))
        requestAnimationFrame(() => resolve(performance.now() - start));
      else requestAnimationFrame(look);
    };
    history.pushState(null, '', ${JSON.stringify(`/gggl/xwbj?id=${id}`)});
    dispatchEvent(new PopStateEvent('popstate'));
    look();
  })`);
}

/** Types at the end; ascending times of the keys in ms. */
async function typeAtEnd(page: Page): Promise<readonly number[]> {
  await page.locator('.richtext-editor [data-slate-editor]').last().click();
  await page.keyboard.press('Control+End');
  await page.evaluate(WATCH_KEYS);
  for (let key = 0; key < KEYS; key += 1) await page.keyboard.press('a', { delay: 20 });
  const times = await page.evaluate<number[]>('globalThis.keyTimes');
  return times.toSorted((a, b) => a - b);
}

/** Text, since the types here are Node's. A key costs what runs until the text has changed, and its painting. */
const WATCH_KEYS = `{
  globalThis.keyTimes = [];
  let pressed = 0;
  document.addEventListener('keydown', () => { pressed = performance.now(); }, true);
  new MutationObserver(() => {
    if (pressed === 0) return;
    const changed = performance.now() - pressed;
    pressed = 0;
    requestAnimationFrame(() => {
      const frame = performance.now();
      const channel = new MessageChannel();
      channel.port1.onmessage = () => globalThis.keyTimes.push(changed + performance.now() - frame);
      channel.port2.postMessage(0);
    });
  }).observe([...document.querySelectorAll('.richtext-editor [data-slate-editor]')].at(-1), { subtree: true, childList: true, characterData: true });
}`;
