import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright/test';

/** What the first visit of the login page costs. Times are ms from the start of the navigation. */
export interface LoginPaint {
  /** Bytes over the wire until the form can be used, in kB. */
  readonly transferKb: number;
  /** Until something is painted. */
  readonly firstPaintMs: number;
  /** Until the largest part of the page is painted. */
  readonly largestPaintMs: number;
  /** Until the name can be typed: its field stands in a frame that is painted. */
  readonly usableMs: number;
  /** Until the form can be sent. */
  readonly sendableMs: number;
  /** Paths of everything that the visit loaded. */
  readonly paths: readonly string[];
}

/** The slow line and processor of design section 7. */
const SLOW = { latencyMs: 170, bytesPerSecond: (9 * 1024 * 1024) / 8, slowdown: 4 } as const;
const RUNS = 3;
/** The largest part is painted when nothing larger has come for so long. */
const QUIET_MS = 1_000;

/** Visits the login page with an empty cache; the middle of three visits. */
export async function measureLoginPage(url: string, isSlow: boolean): Promise<LoginPaint> {
  const browser = await launchBrowser();
  try {
    const visits: LoginPaint[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const context = await browser.newContext({ locale: 'zh-CN' });
      visits.push(await visit(context, url, isSlow));
      await context.close();
    }
    const [, middle] = visits.toSorted((a, b) => a.usableMs - b.usableMs);
    if (middle === undefined) throw new TypeError('the login page was not visited');
    return middle;
  } finally {
    await browser.close();
  }
}

/** A browser of its own for visits with an empty cache. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = execFileSync('node', [path.resolve(import.meta.dirname, '../find-browser.mjs')], {
    encoding: 'utf8',
  }).trim();
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** The line and processor of a telephone on the way. */
export async function slowDown(session: CDPSession): Promise<void> {
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW.latencyMs,
    downloadThroughput: SLOW.bytesPerSecond,
    uploadThroughput: SLOW.bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW.slowdown });
}

async function visit(context: BrowserContext, url: string, isSlow: boolean): Promise<LoginPaint> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  const paths = new Set<string>();
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  session.on('Network.responseReceived', ({ response }) => paths.add(new URL(response.url).pathname));
  if (isSlow) await slowDown(session);
  // Noted by the page itself: asking it from outside would wait for its program.
  await page.addInitScript(FORM);
  await page.goto(`${url}/login`, { waitUntil: 'commit' });
  const { usableMs, sendableMs } =
    await page.evaluate<Pick<LoginPaint, 'usableMs' | 'sendableMs'>>('formTimes');
  const transferKb = bytes / 1024;
  return { transferKb, usableMs, sendableMs, ...(await paintsOf(page)), paths: [...paths] };
}

/** Waits for the entries: a form that can be used is not painted yet, and the picture behind it comes later. */
function paintsOf(page: Page): Promise<Pick<LoginPaint, 'firstPaintMs' | 'largestPaintMs'>> {
  return page.evaluate<Pick<LoginPaint, 'firstPaintMs' | 'largestPaintMs'>>(PAINTS);
}

/** Text, since the types here are Node's. */
const FORM = `window.formTimes = new Promise((resolve) => {
  let usableMs = NaN;
  const look = () => {
    if (isNaN(usableMs) && document.getElementById('account') !== null) usableMs = performance.now();
    if (document.querySelector('.login-submit:enabled') === null) return requestAnimationFrame(look);
    resolve({ usableMs, sendableMs: performance.now() });
  };
  requestAnimationFrame(look);
})`;

const PAINTS = `new Promise((resolve) => {
  let firstPaintMs = NaN;
  let largestPaintMs = NaN;
  let timer;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isNaN(firstPaintMs)) resolve({ firstPaintMs, largestPaintMs });
    }, ${QUIET_MS});
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName('first-contentful-paint')) firstPaintMs = entry.startTime;
    later();
  }).observe({ type: 'paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) largestPaintMs = entry.startTime;
    later();
  }).observe({ type: 'largest-contentful-paint', buffered: true });
})`;
