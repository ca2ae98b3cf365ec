import type { Browser, BrowserContext } from 'playwright/test';
import { DEMO_PASSWORD } from '#server/kernel/config.ts';
import type { FrontServer } from './front-server.ts';
import { launchBrowser, slowDown } from './login-page.ts';

/** What the home page of a customer costs on a telephone on the way. */
export interface PartnerHome {
  /** From the press of 登录 to the painted content, its program loaded while one typed. */
  readonly afterLoginMs: number;
  /** From opening its address with an empty cache to the painted content. */
  readonly paintedMs: number;
  /** Over the wire beyond what the login page had loaded, in kB. */
  readonly beyondKb: number;
}

const MOBILE = '13900007001';
const RUNS = 3;
const CONTENT = '.face-block';
const HOME = '/index/index';

/** Signs in as a customer and opens the home page anew; the middle of three visits. */
export async function measurePartnerHome(server: Pick<FrontServer, 'url' | 'ask'>): Promise<PartnerHome> {
  await server.ask({ ask: 'partner', mobile: MOBILE });
  return visitHome(server.url, MOBILE);
}

/** The same on a server that has the account. */
export async function visitHome(url: string, mobile: string): Promise<PartnerHome> {
  const browser = await launchBrowser();
  try {
    const visits: PartnerHome[] = [];
    for (let run = 0; run < RUNS; run += 1) visits.push(await visit(browser, url, mobile));
    const [, middle] = visits.toSorted((a, b) => a.paintedMs - b.paintedMs);
    if (middle === undefined) throw new TypeError('the home page was not visited');
    return middle;
  } finally {
    await browser.close();
  }
}

async function visit(browser: Browser, url: string, mobile: string): Promise<PartnerHome> {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 390, height: 844 } });
  try {
    const signedIn = await signIn(context, url, mobile);
    return { ...signedIn, paintedMs: await openHome(context, url) };
  } finally {
    await context.close();
  }
}

async function signIn(
  context: BrowserContext,
  url: string,
  mobile: string,
): Promise<Pick<PartnerHome, 'afterLoginMs' | 'beyondKb'>> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await slowDown(session);
  await page.goto(`${url}/login`);
  await page.getByRole('tab', { name: '客户登录' }).click();
  await page.waitForLoadState('networkidle');
  const before = bytes;
  await page.getByLabel('手机号').fill(mobile);
  await page.getByLabel('密码').fill(DEMO_PASSWORD);
  await page.waitForLoadState('networkidle');
  const began = Date.now();
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.locator(CONTENT).first().waitFor();
  const afterLoginMs = Date.now() - began;
  const beyondKb = (bytes - before) / 1024;
  await page.close();
  return { afterLoginMs, beyondKb };
}

/** A second window with an empty cache, the session kept. */
async function openHome(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await slowDown(session);
  await page.goto(`${url}${HOME}`, { waitUntil: 'commit' });
  await page.locator(CONTENT).first().waitFor();
  const paintedMs = await page.evaluate(() => performance.now());
  await page.close();
  return paintedMs;
}
