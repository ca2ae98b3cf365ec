import type { ResourceEntry } from '#contract/meta.ts';
import { addressOf } from '#engine/schema/record-address.ts';

/** A list that stands as a tab on the page of another. */
export interface TabPage {
  readonly resource: string;
  readonly title: string;
  /** The route of the page that it stands on. */
  readonly host: string;
  readonly address: string;
}

/** The lists that a person reaches as tabs of other pages, each where it stands first. */
export function tabPages(entries: readonly ResourceEntry[]): readonly TabPage[] {
  const found = new Map<string, TabPage>();
  for (const { pages } of entries)
    for (const { route, tabs = [] } of pages)
      for (const resource of tabs) {
        const entry = entries.find((item) => item.resource === resource && item.operations.includes('list'));
        if (entry === undefined || found.has(resource)) continue;
        const address = addressOf(route, { tab: resource });
        found.set(resource, { resource, title: entry.title, host: route, address });
      }
  return [...found.values()];
}
