/**
 * Tells what stands below a bar how high it is (`--form-bar-height` on the bar's parent), so that other things that
 * stay in view stay under it. A callback for `ref`.
 */
export function tellBarHeight(bar: HTMLElement | null): (() => void) | undefined {
  const parent = bar?.parentElement;
  if (bar === null || parent === null || parent === undefined) return undefined;
  const observer = new ResizeObserver(() =>
    parent.style.setProperty('--form-bar-height', `${bar.offsetHeight}px`),
  );
  observer.observe(bar);
  return () => observer.disconnect();
}
