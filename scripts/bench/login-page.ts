import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { chromium } from 'playwright/test';

/** What the first visit of the login page costs. */
export interface LoginPaint {
  /** Bytes over the wire until the form can be used, in kB. */
  readonly transferKb: number;
  /** Until something is painted, in ms. */
  readonly paintMs: number;
  /** Until the name can be typed, in ms. */
  readonly usableMs: number;
}

/** The slow line and processor of design section 7. */
const SLOW = { latencyMs: 170, bytesPerSecond: (9 * 1024 * 1024) / 8, slowdown: 4 } as const;
const RUNS = 3;

/** Visits the login page with an empty cache; the middle of three visits. */
export async function measureLoginPage(url: string, isSlow: boolean): Promise<LoginPaint> {
  const executablePath = execFileSync('node', [path.resolve(import.meta.dirname, '../find-browser.mjs')], {
    encoding: 'utf8',
  }).trim();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const visits: LoginPaint[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const context = await browser.newContext({ locale: 'zh-CN' });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      let bytes = 0;
      await session.send('Network.enable');
      session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
      if (isSlow) {
        await session.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: SLOW.latencyMs,
          downloadThroughput: SLOW.bytesPerSecond,
          uploadThroughput: SLOW.bytesPerSecond,
        });
        await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW.slowdown });
      }
      await page.goto(`${url}/login`, { waitUntil: 'commit' });
      await page.getByLabel('用户名').waitFor();
      const usableMs = await page.evaluate(() => performance.now());
      const transferKb = bytes / 1024;
      const paintMs = await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      );
      visits.push({ transferKb, paintMs, usableMs });
      await context.close();
    }
    const [, middle] = visits.toSorted((a, b) => a.usableMs - b.usableMs);
    return middle ?? { transferKb: Number.NaN, paintMs: Number.NaN, usableMs: Number.NaN };
  } finally {
    await browser.close();
  }
}
