/** The open tabs: which pages stay alive, which one is in front, which have unsaved work. */
import { ADDRESS } from '#web/data/addresses.ts';

export interface OpenTab {
  readonly key: string;
  /** Its page, for as long as it is open: a new record that is saved gets another key and address in the same page. */
  readonly pane: string;
  /** The tab's own address: path and query. */
  readonly address: string;
  readonly title: string;
  readonly isFixed: boolean;
  readonly isDirty: boolean;
  /** Some of the unsaved work stays in no draft: leaving the site loses it. */
  readonly isLosable: boolean;
  /** Its page stands: tabs of a former load and fixed ones sleep until somebody looks at them. */
  readonly isAwake: boolean;
  /** Grows with every refresh: the page is made anew. */
  readonly refreshKey: number;
}

export interface TabState {
  readonly tabs: readonly OpenTab[];
  readonly active: string;
}

/** A tab in which nothing is unsaved. */
export const CLEAN = { isDirty: false, isLosable: false } as const;

/** What becomes of unsaved work when the site is left: a draft of it stays in the browser, or nothing does. */
export type Unsaved = 'kept' | 'losable';

/** What a tab is, by the unsaved parts of its page. */
export function unsavedIn(parts: ReadonlyMap<string, Unsaved>): Pick<OpenTab, 'isDirty' | 'isLosable'> {
  return { isDirty: parts.size > 0, isLosable: [...parts.values()].includes('losable') };
}

export const MAXIMUM_TABS = 20;
export const FIXED_TABS: readonly OpenTab[] = [
  fixedTab(ADDRESS.home, '首页'),
  fixedTab(ADDRESS.warnings, '预警'),
  fixedTab(ADDRESS.inbox, '审核'),
];

/** Partners have neither warnings nor approvals: their home page alone is fixed. */
export function fixedTabs(isPartner: boolean): readonly OpenTab[] {
  return isPartner ? FIXED_TABS.slice(0, 1) : FIXED_TABS;
}

/** A page's tab is its path and the record it shows or begins from; list parameters (page, filters, sorting) do not make another tab. */
export function tabKey(address: string): string {
  const [path = '', query = ''] = address.split('?');
  const params = new URLSearchParams(query);
  const parts = ['id', 'print', 'resource', '_from', 'copy'].flatMap((name) =>
    params.has(name) ? [`${name}=${params.get(name) ?? ''}`] : [],
  );
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

/** An address without the menu's uid parameter. */
export function withoutUid(address: string): string {
  return address.replace(/[?&]uid=[^&]*$/, '');
}

/** The state after the browser shows an address: its tab is in front, made when it was not open. */
export function visit(state: TabState, address: string, title: string): TabState {
  const key = tabKey(address);
  if (state.tabs.some((tab) => tab.key === key))
    return {
      active: key,
      tabs: state.tabs.map((tab) => (tab.key === key ? { ...tab, address, isAwake: true } : tab)),
    };
  const opened: OpenTab = {
    key,
    pane: newPane(),
    address,
    title,
    isFixed: false,
    ...CLEAN,
    isAwake: true,
    refreshKey: 0,
  };
  return { active: key, tabs: dropOldest([...state.tabs, opened], key) };
}

/**
 * The state with a tab at another address, its page staying as it is; a tab that stood there already gives way. One that is
 * fixed does not, nor one with unsaved work to one without: it comes to the front and the tab that was to move is closed.
 */
export function readdress(state: TabState, key: string, address: string): TabState {
  const next = tabKey(address);
  const own = state.tabs.find((tab) => tab.key === key);
  if (own === undefined) return state;
  const other = state.tabs.find((tab) => tab.key === next && tab !== own);
  if (other?.isFixed === true || (other?.isDirty === true && !own.isDirty))
    return close({ ...state, active: state.active === key ? next : state.active }, new Set([key]));
  return {
    active: state.active === key ? next : state.active,
    tabs: state.tabs
      .filter((tab) => tab.key !== next || tab.key === key)
      .map((tab) => (tab.key === key ? { ...tab, key: next, address } : tab)),
  };
}

/** The state without these tabs; the neighbour of a closed front tab comes to the front. Fixed tabs stay. */
export function close(state: TabState, keys: ReadonlySet<string>): TabState {
  const tabs = state.tabs.filter((tab) => tab.isFixed || !keys.has(tab.key));
  if (tabs.some((tab) => tab.key === state.active)) return { ...state, tabs };
  const place = state.tabs.findIndex((tab) => tab.key === state.active);
  const neighbour = [...state.tabs.slice(place + 1), ...state.tabs.slice(0, place).reverse()].find((tab) =>
    tabs.includes(tab),
  );
  return { tabs, active: neighbour?.key ?? FIXED_TABS[0]?.key ?? '' };
}

/** The state with a tab dragged in front of another; fixed tabs stay where they are. */
export function move(state: TabState, key: string, before: string): TabState {
  const moved = state.tabs.find((tab) => tab.key === key);
  const target = state.tabs.find((tab) => tab.key === before);
  if (moved === undefined || target === undefined || moved === target || moved.isFixed || target.isFixed)
    return state;
  const isForward = state.tabs.indexOf(moved) < state.tabs.indexOf(target);
  const rest = state.tabs.filter((tab) => tab !== moved);
  const place = rest.indexOf(target) + (isForward ? 1 : 0);
  return { ...state, tabs: [...rest.slice(0, place), moved, ...rest.slice(place)] };
}

/** The state with a tab changed; the very same state when nothing is different, so that nothing renders again. */
export function change(state: TabState, key: string, part: Partial<OpenTab>): TabState {
  const tab = state.tabs.find((item) => item.key === key);
  const isSame =
    tab === undefined || Object.entries(part).every(([name, value]) => Reflect.get(tab, name) === value);
  if (isSame) return state;
  return { ...state, tabs: state.tabs.map((tab) => (tab.key === key ? { ...tab, ...part } : tab)) };
}

/** The oldest tab that is neither fixed, dirty nor in front makes room. */
function dropOldest(tabs: readonly OpenTab[], active: string): readonly OpenTab[] {
  if (tabs.length <= MAXIMUM_TABS) return tabs;
  const oldest = tabs.find((tab) => !tab.isFixed && !tab.isDirty && tab.key !== active);
  return tabs.filter((tab) => tab !== oldest);
}

function fixedTab(path: string, title: string): OpenTab {
  return {
    key: path,
    pane: path,
    address: path,
    title,
    isFixed: true,
    ...CLEAN,
    isAwake: false,
    refreshKey: 0,
  };
}

let lastPane = 0;

/** A name for the page of a new tab. */
export function newPane(): string {
  lastPane += 1;
  return `pane-${lastPane}`;
}
