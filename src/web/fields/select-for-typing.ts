/**
 * Puts the plain text into an input that gets the focus and selects it, before anything can be typed: the render that
 * follows finds the text already there and leaves the selection alone. A click places the caret afterwards, so it is
 * selected once more with the next frame, unless something was typed by then.
 */
export function selectForTyping(input: HTMLInputElement, text: string): void {
  if (input.value !== text) input.value = text;
  input.select();
  requestAnimationFrame(() => {
    if (document.activeElement === input && input.value === text) input.select();
  });
}
