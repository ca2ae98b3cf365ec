import { AppError } from '#server/kernel/errors.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { listConditions, listOrder } from '#server/records/list/query-records.ts';
import { isRecordId } from './read-stored.ts';
import { bind } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';

export interface Neighbours {
  readonly previous: string | null;
  readonly next: string | null;
}

/** How far into a list the neighbours are looked for. */
const REACH = 10_000;

/** The records before and after one in the list it was opened from: `?filters=&sorters=&keyword=` as JSON. */
export async function findNeighbours(
  call: Call,
  id: string,
  query: Readonly<Record<string, unknown>>,
): Promise<Neighbours> {
  if (!isRecordId(id)) throw new AppError('NOT_FOUND');
  const request = parseListRequest(call, {
    ...(query['filters'] === undefined ? {} : { filters: parseJson(query['filters'], 'filters') }),
    ...(query['sorters'] === undefined ? {} : { sorters: parseJson(query['sorters'], 'sorters') }),
    ...(typeof query['keyword'] === 'string' ? { keyword: query['keyword'] } : {}),
  });
  const { where, values } = listConditions(call, request);
  const bound = [...values];
  const order = listOrder(call, request.sorters, bound);
  const text = `select x.previous, x.next from (
      select w.id, lag(w.id) over (order by w.n) as previous, lead(w.id) over (order by w.n) as next
      from (select t.id, row_number() over (order by ${order}) as n from ${tableOf(call.resource)} t where ${where} order by ${order} limit ${REACH}) w
    ) x where x.id = ${bind(bound, id)}::uuid`;
  const [row] = await call.services.db.query(text, bound);
  return { previous: idOf(row?.['previous']), next: idOf(row?.['next']) };
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function parseJson(text: unknown, name: string): unknown {
  if (typeof text !== 'string' || text.length > 8000)
    throw new AppError('BAD_REQUEST', { message: `${name}不正确` });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('BAD_REQUEST', {
      message: `${name}不是有效的JSON`,
      problems: [{ path: name, code: 'json', message: '不是有效的JSON' }],
      cause,
    });
  }
}
