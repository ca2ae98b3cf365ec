import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright/test';

/** What is wrong with a page for whoever cannot see it or has no mouse; empty when nothing is. */
export async function auditPage(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const root = document;
    const all = (selector: string) => [...root.querySelectorAll<HTMLElement>(selector)];
    const textOf = (ids: string | null) =>
      (ids ?? '').split(/\s+/).map((id) => root.getElementById(id)?.textContent?.trim() ?? '').join(' ').trim(); // prettier-ignore
    const nameOf = (element: HTMLElement) =>
      element.getAttribute('aria-label') ??
      (textOf(element.getAttribute('aria-labelledby')) ||
        [...((element as HTMLInputElement).labels ?? [])]
          .map((label) => label.textContent?.trim())
          .join(' ') ||
        (element instanceof HTMLInputElement ? '' : element.textContent?.trim()) ||
        '');
    if (document.documentElement.lang !== 'zh-CN') found.push(`lang ${document.documentElement.lang}`);
    if (document.querySelectorAll('main').length !== 1) found.push('not one main');
    if (all('h1').filter((title) => title.getClientRects().length > 0).length !== 1) found.push('not one h1');
    for (const element of all('input, select, textarea, button, a[href], [role=tab], [role=tablist]'))
      if (element.getClientRects().length > 0 && nameOf(element) === '')
        found.push(`without a name: ${element.outerHTML}`);
    for (const image of all('img')) if (!image.hasAttribute('alt')) found.push(`no alt: ${image.outerHTML}`);
    const ids = all('[id]').map(({ id }) => id);
    for (const id of ids.filter((one, place) => ids.indexOf(one) !== place)) found.push(`id twice: ${id}`);
    for (const element of all('[aria-invalid=true]'))
      if (textOf(element.getAttribute('aria-describedby')) === '')
        found.push(`a fault without words: ${element.id}`);
    for (const element of all('[tabindex]'))
      if (element.tabIndex > 0) found.push(`a tab order of its own: ${element.outerHTML}`);
    if (document.documentElement.scrollWidth > innerWidth) found.push('wider than the window');
    return found;
  });
}

/** The names of what the Tab key visits, from the top of the page to where it leaves it; each must show that it has the focus. */
export async function tabOrder(page: Page): Promise<readonly string[]> {
  // Leaving the focus would not do: the next Tab goes on from where it was.
  await page.evaluate(() => {
    const start = document.createElement('span');
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus();
    start.remove();
  });
  const names: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      const style = getComputedStyle(element);
      const isSeen = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
      const label = (element as HTMLInputElement).labels?.[0]?.textContent?.trim();
      const text = element.getAttribute('aria-label') ?? label ?? element.textContent?.trim() ?? '';
      return isSeen ? text : `${text} (focus is not seen)`;
    });
    if (name === null) break;
    names.push(name);
  }
  return names;
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** What axe finds against WCAG 2.1 AA, a line for each place; empty when nothing is. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(await readFile(source, 'utf8'));
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
