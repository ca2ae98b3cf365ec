import type { CrudFilter, DataProvider } from '@refinedev/core';
import type { Comparison, Filter } from '#engine/schema/definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { http } from './http.ts';
import { randomKey } from './random-key.ts';

/** refine's seam to the server: the generic data API for every resource. */
export const dataProvider: DataProvider = {
  getApiUrl: () => '/erp/api',
  getList: async ({ resource, pagination, filters, sorters, meta }) => {
    const own = (filters ?? []).map(crudFilter).filter((filter) => filter !== null);
    const all = [...(isFilter(meta?.['filter']) ? [meta['filter']] : []), ...own];
    const columns = listOf(meta?.['columns']) ?? [];
    const { records, ...rest } = await http.post<ListAnswer>(`/data/${resource}/query`, {
      currentPage: pagination?.currentPage ?? 1,
      pageSize: pagination?.pageSize ?? 20,
      ...(all.length === 0 ? {} : { filters: all.length === 1 ? all[0] : { and: all } }),
      sorters: listOf(meta?.['sorters']) ?? (sorters ?? []).map(({ field, order }) => (order === 'desc' ? `-${field}` : field)),
      ...(typeof meta?.['keyword'] === 'string' && meta['keyword'] !== '' ? { keyword: meta['keyword'] } : {}),
      ...(typeof meta?.['group'] === 'string' ? { group: meta['group'] } : {}),
      ...(columns.length > 0 ? { columns } : {}),
    });
    return { ...rest, data: asData<never[]>(records) };
  },
  getOne: async ({ resource, id }) => ({ data: asData(await http.get(`/data/${resource}/${id}`)) }),
  create: async ({ resource, variables, meta }) => ({
    data: asData(await http.post(`/data/${resource}`, variables, { headers: keyHeader(meta) })),
  }),
  update: async ({ resource, id, variables }) => ({ data: asData(await http.patch(`/data/${resource}/${id}`, variables)) }),
  deleteOne: async ({ resource, id, meta }) => ({
    data: asData(await http.delete(`/data/${resource}/${id}?version=${String(meta?.['version'] ?? '')}`)),
  }),
  custom: async ({ url, method, payload, headers, meta }) => {
    const options = {
      ...(isHeaders(headers) ? { headers } : {}),
      ...(meta?.['signal'] instanceof AbortSignal ? { signal: meta['signal'] } : {}),
    };
    if (method === 'get') return { data: asData(await http.get(url, options)) };
    if (method === 'delete') return { data: asData(await http.delete(url, options)) };
    if (method === 'put') return { data: asData(await http.put(url, payload, options)) };
    if (method === 'patch') return { data: asData(await http.patch(url, payload, options)) };
    return { data: asData(await http.post(url, payload, options)) };
  },
};

/** Refine's generics name the record type at the call; what comes is what the API's contract says. */
function asData<T>(value: unknown): T {
  return value as T;
}

interface ListAnswer {
  readonly records: readonly ErpRecord[];
  readonly total: number;
  readonly totalIsCapped?: boolean;
  readonly totals?: unknown;
}

const OPERATORS: Readonly<Record<string, keyof Comparison>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'lt',
  lte: 'lte',
  gt: 'gt',
  gte: 'gte',
  in: 'in',
  nin: 'nin',
  contains: 'contains',
  startswith: 'startswith',
  between: 'between',
  null: 'null',
};

function crudFilter(filter: CrudFilter): Filter | null {
  if ('field' in filter) {
    const operator = OPERATORS[filter.operator];
    return operator === undefined ? null : { [filter.field]: { [operator]: filter.value as string } };
  }
  const parts = filter.value.map(crudFilter).filter((inner) => inner !== null);
  return filter.operator === 'or' ? { or: parts } : { and: parts };
}

function keyHeader(meta: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  const key = meta?.['idempotencyKey'];
  const given = isHeaders(meta?.['headers']) ? meta['headers'] : {};
  return { 'Idempotency-Key': typeof key === 'string' ? key : randomKey(), ...given };
}

function isFilter(value: unknown): value is Filter {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

function listOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;
}

function isHeaders(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
