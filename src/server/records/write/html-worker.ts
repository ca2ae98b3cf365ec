/** The program of the thread that sanitises rich texts: for each HTML that comes in, the same as it may be stored. */
import { parentPort } from 'node:worker_threads';
import createPurifier from 'dompurify';
import { JSDOM } from 'jsdom';
import { finishElement, RICHTEXT_POLICY } from '#engine/fields/richtext-policy.ts';

const purifier = createPurifier(new JSDOM('').window);
purifier.addHook('afterSanitizeAttributes', finishElement);
parentPort?.on('message', (html: string) => {
  parentPort?.postMessage(purifier.sanitize(html, RICHTEXT_POLICY));
});
parentPort?.postMessage('ready');
