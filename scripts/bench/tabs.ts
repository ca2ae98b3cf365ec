import type { Page } from 'playwright/test';

/** What many open pages cost the browser. */
export interface TabsCost {
  /** Heap of the page before, after fifty documents were opened, and after fifty more. */
  readonly startMb: number;
  readonly firstMb: number;
  readonly secondMb: number;
}

const TABS = 50;
const BYTES_PER_MB = 1_048_576;
const SHOWN_MS = 400;

/** Opens documents one after the other, twice fifty: the second fifty must cost nothing, since the pages keep a limited number. */
export async function measureTabs(page: Page, addresses: readonly string[]): Promise<TabsCost> {
  const startMb = await heapMb(page);
  await openAll(page, addresses);
  const firstMb = await heapMb(page);
  await openAll(page, addresses);
  return { startMb, firstMb, secondMb: await heapMb(page) };
}

async function openAll(page: Page, addresses: readonly string[]): Promise<void> {
  for (let tab = 0; tab < TABS; tab += 1) {
    const address = addresses[tab % addresses.length] ?? '';
    // A parameter of its own makes it a tab of its own.
    const own = `${address}${address.includes('?') ? '&' : '?'}bench=${tab}`;
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(own)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page.waitForTimeout(SHOWN_MS);
  }
}

async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / BYTES_PER_MB;
}
