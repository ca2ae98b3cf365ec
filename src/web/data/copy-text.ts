/**
 * Copies what an element shows. Pages over plain HTTP have no clipboard of their own: there the text is selected and
 * the browser's old command asked. False leaves it selected, for Ctrl+C.
 */
export async function copyShown(element: HTMLElement): Promise<boolean> {
  // The types promise it everywhere; browsers offer it on secure pages only.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  const isCopied = await clipboard?.writeText(element.innerText).then(
    () => true,
    () => false,
  );
  if (isCopied) return true;
  getSelection()?.selectAllChildren(element);
  return document.execCommand('copy');
}

/** Copies a text that stands nowhere on the page. False where the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  const place = document.createElement('pre');
  place.textContent = text;
  document.body.append(place);
  const isCopied = await copyShown(place);
  place.remove();
  return isCopied;
}
