import type { CrudFilter, DataProvider } from '@refinedev/core';
import type { Comparison, Filter } from '#engine/schema/definition.ts';
import { callApi, http, HttpFault } from './http.ts';
import { isWriteMethod, keyedWrite } from './keyed-write.ts';

/** refine's seam to the server: the generic data API for every resource. */
export const dataProvider: DataProvider = {
  getApiUrl: () => '/erp/api',
  getList: async ({ resource, pagination, filters, sorters, meta }) => {
    const own = (filters ?? []).map(crudFilter).filter((filter) => filter !== null);
    const all = [...(isFilter(meta?.['filter']) ? [meta['filter']] : []), ...own];
    const columns = listOf(meta?.['columns']) ?? [];
    const { records, ...rest } = await callApi('POST /data/:resource/query', {
      params: { resource },
      body: {
        currentPage: pagination?.currentPage ?? 1,
        pageSize: pagination?.pageSize ?? 20,
        ...(all.length === 0 ? {} : { filters: all.length === 1 ? all[0] : { and: all } }),
        sorters:
          listOf(meta?.['sorters']) ??
          (sorters ?? []).map(({ field, order }) => (order === 'desc' ? `-${field}` : field)),
        ...(typeof meta?.['keyword'] === 'string' && meta['keyword'] !== ''
          ? { keyword: meta['keyword'] }
          : {}),
        ...(typeof meta?.['group'] === 'string' ? { group: meta['group'] } : {}),
        ...(columns.length > 0 ? { columns } : {}),
      },
    });
    return { ...rest, data: asData<never[]>(records) };
  },
  getOne: async ({ resource, id }) => ({
    data: asData(await callApi('GET /data/:resource/:id', { params: { resource, id: String(id) } })),
  }),
  create: async ({ resource, variables }) => ({
    data: asData(await keyedWrite({ method: 'post', path: `/data/${resource}`, body: variables })),
  }),
  update: async ({ resource, id, variables }) => {
    const path = `/data/${resource}/${id}`;
    const write = keyedWrite({ method: 'patch', path, body: variables });
    return { data: asData(await orAsItIs(write, path)) };
  },
  deleteOne: async ({ resource, id, meta }) => {
    const path = `/data/${resource}/${id}?version=${String(meta?.['version'] ?? '')}`;
    return { data: asData(await keyedWrite({ method: 'delete', path })) };
  },
  /** Reads (`useCustom`, or `meta.isRead`) go as they are; whatever else is sent is a write under a key. */
  custom: async ({ url, method, payload, headers, meta }) => {
    const options = {
      ...(isHeaders(headers) ? { headers } : {}),
      ...(typeof meta?.['timeoutMs'] === 'number' ? { timeoutMs: meta['timeoutMs'] } : {}),
      ...(meta?.['signal'] instanceof AbortSignal ? { signal: meta['signal'] } : {}),
    };
    if (method === 'get') return { data: asData(await http.get(url, options)) };
    const isRead = meta?.['isRead'] === true || meta?.['queryKey'] !== undefined;
    if (isRead || !isWriteMethod(method)) return { data: asData(await http.post(url, payload, options)) };
    const write = keyedWrite({ method, path: url, body: payload, options });
    const [, record] = /^(\/data\/[^/]+\/[^/]+)\/actions\//.exec(url) ?? [];
    return { data: asData(await (record === undefined ? write : orAsItIs(write, record))) };
  },
};

/** A change that was written while its answer is gone for good: the record as it is now tells what became of it. */
async function orAsItIs(write: Promise<unknown>, path: string): Promise<unknown> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof HttpFault && error.error === 'IDEMPOTENCY_WRITTEN') return http.get(path);
    throw error;
  }
}

/** Refine's generics name the record type at the call; what comes is what the API's contract says. */
function asData<T>(value: unknown): T {
  return value as T;
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

function isFilter(value: unknown): value is Filter {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  );
}

function listOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null;
}

function isHeaders(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
