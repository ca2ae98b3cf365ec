import type { ErpRecord } from '#engine/schema/resource.ts';
import type { NeighbourQuery, Neighbours } from '#contract/lists.ts';
import { AppError } from '#server/kernel/errors.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { finder, listConditions, listOrder } from '#server/records/list/query-records.ts';
import { isRecordId } from './read-stored.ts';
import { bind } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';

/** How far into a list the neighbours are looked for. */
const REACH = 10_000;

/** The records before and after one in the list it was opened from: `?filters=&sorters=&keyword=` as JSON. */
export async function findNeighbours(call: Call, id: string, query: NeighbourQuery): Promise<Neighbours> {
  if (!isRecordId(id)) throw new AppError('NOT_FOUND');
  const { filters = 'null', sorters = 'null', keyword = null } = query;
  const request = parseListRequest(call, {
    filters: parseJson('filters', filters, isCondition),
    sorters: parseJson('sorters', sorters, isTexts),
    keyword,
  });
  const { where, values } = listConditions(call, request);
  const bound = [...values];
  const order = listOrder(call, request.sorters, bound);
  const text = `select x.previous, x.next from (
      select w.id, lag(w.id) over (order by w.n) as previous, lead(w.id) over (order by w.n) as next
      from (select t.id, row_number() over (order by ${order}) as n from ${tableOf(call.resource)} t where ${where} order by ${order} limit ${REACH}) w
    ) x where x.id = ${bind(bound, id)}::uuid`;
  const [row] = await finder(call, request).query(text, bound);
  return { previous: idOf(row?.['previous']), next: idOf(row?.['next']) };
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Null, or what the text must be. */
function parseJson<T>(name: string, text: string, isFitting: (value: unknown) => value is T): T | null {
  const value = parse(name, text);
  if (value === null || isFitting(value)) return value;
  throw unreadable(name, '不正确');
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(name, '不是有效的JSON', cause);
  }
}

function unreadable(name: string, fault: string, cause?: unknown): AppError {
  const problems = [{ path: name, code: 'json', message: fault }];
  return new AppError('BAD_FILTER', { message: `${name}${fault}`, problems, cause });
}

function isCondition(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
