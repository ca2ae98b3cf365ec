import type { LoginTab } from './login-form.ts';
import { type ShownSite, shownSite } from './shown-site.ts';

/** The login page as HTML, with marks where a company's texts belong. */
export interface WrittenLogins {
  /** Where it stands. */
  readonly addresses: readonly string[];
  /** By way in and kind of site. */
  readonly pages: Readonly<Record<string, string>>;
}

/** The texts of a site that its login page shows. */
const TEXTS = ['label', 'coName', 'slogan', 'background', 'hotline', 'copyright'] as const;
const TABS = ['management', 'mobile', 'customer'] as const satisfies readonly LoginTab[];
const MARKED = Object.fromEntries(TEXTS.map((name) => [name, markOf(name)]));

/** Writes the login page of every way in, with and without what a site may leave out. */
export function writeLogins(
  addresses: readonly string[],
  write: (tab: LoginTab, site: ShownSite) => string,
): WrittenLogins {
  const kinds = [{}, { background: null }, { hotline: '' }, { background: null, hotline: '' }];
  const sites = [true, false].flatMap((hasOidc) =>
    kinds.map((without) => shownSite({ ...MARKED, ...without, hasOidc })),
  );
  const pages = TABS.flatMap((tab) => sites.map((site) => [kindOf(tab, site), write(tab, site)]));
  return { addresses, pages: Object.fromEntries(pages) };
}

/** The login page of a company; null where the way in is none or nothing was written. */
export function writtenLogin(written: WrittenLogins, tab: string, site: ShownSite): string | null {
  const html = written.pages[kindOf(tab, site)];
  if (html === undefined) return null;
  return TEXTS.reduce(
    (text, name) => text.replaceAll(markOf(name), () => escapeText(site[name] ?? '')),
    html,
  );
}

function kindOf(tab: string, { background, hotline, hasOidc }: ShownSite): string {
  const parts = { background: background !== null, hotline: hotline !== '', oidc: hasOidc };
  return [tab, ...Object.entries(parts).map(([name, isThere]) => (isThere ? name : ''))].join();
}

function markOf(name: (typeof TEXTS)[number]): string {
  return `{{${name}}}`;
}

/** As text and in attributes in double quotes. */
function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
