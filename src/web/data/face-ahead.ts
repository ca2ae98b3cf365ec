import type { Face } from '#contract/face.ts';
import { callApi } from '#web/data/http.ts';

let ahead: Promise<Face> | null = null;

/** Asks for the home page's content, once, while its program is still on the way: one round trip sooner on a telephone. */
export function askForFace(): void {
  ahead ??= callApi('GET /face/home');
  // Whoever takes it hears of the fault.
  ahead.catch(() => undefined);
}

/** The content that was asked for ahead, once; asked for now when it was not. */
export function takeFace(signal: AbortSignal): Promise<Face> {
  const asked = ahead;
  ahead = null;
  return asked ?? callApi('GET /face/home', { signal });
}
