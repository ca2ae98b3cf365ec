import type { Person } from '#contract/sign-in.ts';
import { CLEAN, MAXIMUM_TABS, newPane, type OpenTab, tabKey } from './tab-store.ts';

const KEY = 'open-tabs';

/** Keeps the open tabs of this window over a reload and over a session that ran out. */
export function rememberTabs(person: Person, tabs: readonly OpenTab[]): void {
  const kept = tabs.filter((tab) => !tab.isFixed).map(({ address, title }) => ({ address, title }));
  sessionStorage.setItem(KEY, JSON.stringify({ owner: ownerOf(person), tabs: kept }));
}

/** Logging out forgets them. */
export function forgetTabs(): void {
  sessionStorage.removeItem(KEY);
}

/** The tabs that were open, asleep until somebody looks at them; none when another person or role had them. */
export function rememberedTabs(person: Person): readonly OpenTab[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (!isRecord(value) || value['owner'] !== ownerOf(person) || !Array.isArray(value['tabs'])) return [];
    return value['tabs'].filter(isRecord).flatMap(asleep).slice(0, MAXIMUM_TABS);
  } catch {
    return [];
  }
}

function asleep({ address, title }: Readonly<Record<string, unknown>>): readonly OpenTab[] {
  if (typeof address !== 'string' || !address.startsWith('/') || typeof title !== 'string') return [];
  const tab = { isFixed: false, ...CLEAN, isAwake: false, refreshKey: 0 };
  return [{ key: tabKey(address), pane: newPane(), address, title, ...tab }];
}

function ownerOf({ id, roleId, saleId }: Person): string {
  return [id, roleId, saleId ?? ''].join('/');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
