import type { Comparison, Filter } from '#engine/schema/definition.ts';

/** What of a list lives in the URL, so that a link or the browser's history brings it back. */
export interface ListAddress {
  /** Comparisons of the filter form, by field. */
  readonly fields: Readonly<Record<string, Comparison>>;
  /** The condition of the builder. */
  readonly condition: Filter | null;
  /** The condition is the only one: what the page itself is narrowed to is left out. */
  readonly isWide: boolean;
  /** The record whose branch of the tree beside the list is shown. */
  readonly branch: string | null;
  readonly keyword: string;
  /** The field that rows are grouped by. */
  readonly group: string | null;
  readonly sorters: readonly string[];
  readonly page: number;
  readonly pageSize: number;
}

export const PAGE_SIZES = [20, 50, 100, 200] as const;

const ROW_PX = 34;
/** Header, tabs, filters, toolbar, head of the table, totals, pager, footer. */
const AROUND_PX = 360;

/** The page size that a screen has room for: 20 on most, 50 on a tall one. */
export function pageSizeOfScreen(heightPx: number): number {
  return heightPx - AROUND_PX > PAGE_SIZES[0] * 1.3 * ROW_PX ? PAGE_SIZES[1] : PAGE_SIZES[0];
}

const OWN_SIZE = pageSizeOfScreen(typeof window === 'undefined' ? 0 : window.innerHeight);

/** Reads the list's part of a URL; what is broken or foreign there is passed over. */
export function readAddress(params: URLSearchParams): ListAddress {
  const pageSize = Number(params.get('size'));
  const page = Number(params.get('page'));
  return {
    fields: readObject<Readonly<Record<string, Comparison>>>(params.get('f')) ?? {},
    condition: readObject<Filter>(params.get('c')),
    isWide: params.get('all') === '1',
    branch: /^[0-9a-f-]{36}$/.test(params.get('b') ?? '') ? params.get('b') : null,
    keyword: params.get('q') ?? '',
    group: /^[a-z][a-z0-9_]*$/.exec(params.get('g') ?? '')?.[0] ?? null,
    sorters: (params.get('sort') ?? '').split(',').filter((sorter) => /^-?[a-z][a-z0-9_.]*$/.test(sorter)),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    pageSize: PAGE_SIZES.find((size) => size === pageSize) ?? OWN_SIZE,
  };
}

/** The record that a link of `recordAddress` names, where it has no page but the list; null for any other address. */
export function linkedRecord({ condition }: Pick<ListAddress, 'condition'>): string | null {
  const entries = Object.entries(condition ?? {});
  const [name, comparison] = entries.length === 1 ? (entries[0] ?? []) : [];
  if (name !== 'id' || typeof comparison !== 'object' || comparison === null) return null;
  const id: unknown = Reflect.get(comparison, 'eq');
  return typeof id === 'string' ? id : null;
}

/** The URL parameters of a list; other parameters (uid) stay as they are. */
export function writeAddress(params: URLSearchParams, address: ListAddress): URLSearchParams {
  const next = new URLSearchParams(params);
  const put = (name: string, value: string) => (value === '' ? next.delete(name) : next.set(name, value));
  put('f', Object.keys(address.fields).length === 0 ? '' : JSON.stringify(address.fields));
  put('c', address.condition === null ? '' : JSON.stringify(address.condition));
  put('all', address.isWide ? '1' : '');
  put('b', address.branch ?? '');
  put('q', address.keyword);
  put('g', address.group ?? '');
  put('sort', address.sorters.join(','));
  put('page', address.page === 1 ? '' : String(address.page));
  put('size', address.pageSize === OWN_SIZE ? '' : String(address.pageSize));
  return next;
}

/** What a list is asked for when nothing is. */
export const NO_CONDITIONS = {
  fields: {},
  condition: null,
  keyword: '',
  isWide: false,
} as const satisfies Partial<ListAddress>;

/** All conditions of the list as one filter; null when there are none. `tree` is the field that a branch narrows by. */
export function addressFilter(
  address: ListAddress,
  pageWhere: Filter | undefined,
  tree: string | null = null,
): Filter | null {
  const parts = [
    address.isWide ? null : pageWhere,
    ...Object.entries(address.fields).map(([field, comparison]) => ({ [field]: comparison })),
    tree === null || address.branch === null ? null : { [tree]: { under: address.branch } },
    address.condition,
  ];
  const filters = parts.filter(
    (part): part is Filter => part !== undefined && part !== null && Object.keys(part).length > 0,
  );
  if (filters.length === 0) return null;
  return filters.length === 1 ? (filters[0] ?? null) : { and: filters };
}

function readObject<T>(text: string | null): T | null {
  if (text === null || text === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    // The server checks every filter; here it only has to be an object.
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as T) : null;
  } catch {
    return null;
  }
}
