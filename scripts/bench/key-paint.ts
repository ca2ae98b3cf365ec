import type { Page } from 'playwright/test';
import { middle } from './measure.ts';

/** From a key to the frame that shows it, ms: at full speed and at a fourth of the processor. */
export interface KeyPaint {
  readonly fullMs: number;
  readonly fourthMs: number;
}

const KEYS = 41;
const SLOWDOWN = 4;
/** Keys fall on no beat of the screen. */
const PAUSE_MS = 163;
/** What follows the last key comes to rest. */
const SETTLE_MS = 2_500;

/** Of the field that has the focus; it keeps what stood in it. */
export async function keyToPaint(page: Page): Promise<KeyPaint> {
  const session = await page.context().newCDPSession(page);
  const slowTo = (rate: number): Promise<unknown> => session.send('Emulation.setCPUThrottlingRate', { rate });
  const fullMs = await typed(page);
  await slowTo(SLOWDOWN);
  const fourthMs = await typed(page);
  await slowTo(1);
  await session.detach();
  return { fullMs, fourthMs };
}

/** The same for a page that has one field and nothing else: what the browser takes by itself. */
export async function keyToBarePaint(page: Page): Promise<KeyPaint> {
  const bare = await page.context().newPage();
  await bare.setContent('<input id="only">');
  await bare.locator('#only').click();
  const times = await keyToPaint(bare);
  await bare.close();
  return times;
}

async function typed(page: Page): Promise<number> {
  await page.evaluate(NOTE);
  // An even number: a letter and Backspace by turns, the first of which do not count.
  for (let key = 0; key <= KEYS; key += 1) {
    await page.keyboard.press(key % 2 === 0 ? 'x' : 'Backspace');
    await page.waitForTimeout(PAUSE_MS);
  }
  await page.waitForTimeout(SETTLE_MS);
  return middle((await page.evaluate<number[]>('window.keyTimes')).slice(2));
}

/** A message sent from a frame's callback arrives when that frame has been drawn. Text, since the types here are Node's. */
const NOTE = `(() => {
  const isNoted = window.keyTimes !== undefined;
  window.keyTimes = [];
  if (isNoted) return;
  addEventListener('keydown', (event) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.keyTimes.push(performance.now() - event.timeStamp);
      port2.postMessage(null);
    });
  }, true);
})()`;
