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
  if (isCopied === true) return true;
  getSelection()?.selectAllChildren(element);
  return document.execCommand('copy');
}
