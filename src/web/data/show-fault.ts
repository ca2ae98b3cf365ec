import type { MessageInstance } from 'antd/es/message/interface';

/** Seconds for which an error stands (spec section 8). */
const SHOWN_S = 4;

/**
 * Says why something was not done: the fault's own words, else `otherwise`. An empty text (HTTP 502) shows nothing, and
 * words that are not Chinese are a browser's or a library's and help nobody.
 */
export function showFault(
  message: MessageInstance,
  error: unknown,
  otherwise: string,
  shownS = SHOWN_S,
): void {
  const text = error instanceof Error && !/^[^一-鿿]+$/.test(error.message) ? error.message : otherwise;
  showError(message, text, shownS);
}

/** Says what is wrong. The same words once, however often they are said: whoever presses twice has one message to read. */
export function showError(message: MessageInstance, text: string, shownS = SHOWN_S): void {
  if (text !== '') void message.error({ content: text, key: text, duration: shownS });
}

/** The same for what stands in a page, which is never empty: `otherwise` for HTTP 502 too. */
export function faultText(error: unknown, otherwise: string): string {
  return error instanceof Error && /[一-鿿]/.test(error.message) ? error.message : otherwise;
}
