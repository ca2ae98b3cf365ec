import type { Site } from '#contract/meta.ts';
import { textAccent } from '#engine/values/readable-accent.ts';
import { shownSite } from '#engine/values/shown-site.ts';

const NEUTRAL = shownSite({});
let site: Site = NEUTRAL;

/** The site data that the server wrote into the page; asks for it when the page came without (development). */
export async function loadSite(): Promise<Site> {
  const embedded = parseSite(readEmbedded());
  site = embedded ?? (await fetchSite()) ?? NEUTRAL;
  document.documentElement.style.setProperty('--accent', site.accent);
  document.documentElement.style.setProperty('--accent-strong', textAccent(site.accent));
  return site;
}

/** The site as loaded at start. */
export function currentSite(): Site {
  return site;
}

function readEmbedded(): unknown {
  try {
    return JSON.parse(document.getElementById('site')?.textContent ?? 'null');
  } catch {
    return null;
  }
}

async function fetchSite(): Promise<Site | null> {
  try {
    const answer: unknown = await (await fetch('/erp/api/meta/site')).json();
    return parseSite(typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : null);
  } catch {
    return null;
  }
}

function parseSite(value: unknown): Site | null {
  if (typeof value !== 'object' || value === null || !('coName' in value)) return null;
  // Made by our own server for this page.
  return shownSite(value as Partial<Site>);
}
