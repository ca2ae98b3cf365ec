import { AppError } from '#server/kernel/errors.ts';
import { toAppError } from '#server/kernel/to-app-error.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { requireAction, runAction } from './run-action.ts';

/** What became of one row. */
export interface BatchResult {
  readonly id: string;
  readonly ok: boolean;
  readonly msg: string;
}

const MAX_ROWS = 200;

/**
 * Runs an action on several records, each in a transaction of its own. The body is a list of `{ id, version }`, or
 * `{ records, opinion, inputs }`.
 */
export async function batchAction(call: Call, key: string, body: unknown): Promise<readonly BatchResult[]> {
  const action = requireAction(call, key);
  if (action.batch !== true && action.approval === undefined && action.inputs !== undefined)
    throw new AppError('ACTION_NOT_ALLOWED', { message: '该操作不支持批量' });
  const { rows, opinion, inputs } = parseBatch(body);
  const results: BatchResult[] = [];
  for (const { id, version } of rows) {
    try {
      await runAction(call, { id, action: key }, { version, opinion, inputs });
      results.push({ id, ok: true, msg: '操作成功' });
    } catch (error) {
      results.push({ id, ok: false, msg: refusalText(call, error) });
    }
  }
  return results;
}

/** The text of a refusal for one row of a batch; what nobody foresaw is logged. */
export function refusalText(call: Pick<Call, 'services'>, error: unknown): string {
  const refusal = toAppError(error);
  if (refusal.status >= 500) call.services.log.error({ err: error }, 'a row of a batch failed');
  return refusal.message;
}

interface Batch {
  readonly rows: readonly { readonly id: string; readonly version: number }[];
  readonly opinion: string | null;
  readonly inputs: unknown;
}

function parseBatch(body: unknown): Batch {
  const list: unknown = Array.isArray(body) ? body : member(body, 'records');
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_ROWS)
    throw new AppError('BAD_REQUEST', { message: `请选择1到${MAX_ROWS}条记录` });
  const rows = list.map((row: unknown, index) => {
    const id = member(row, 'id');
    const version = member(row, 'version');
    if (typeof id !== 'string' || typeof version !== 'number')
      throw new AppError('BAD_REQUEST', {
        message: '每条记录须有 id 和 version',
        problems: [{ path: String(index), code: 'type', message: '每条记录须有 id 和 version' }],
      });
    return { id, version };
  });
  const opinion = member(body, 'opinion') ?? member(list[0], 'opinion');
  return { rows, opinion: typeof opinion === 'string' ? opinion : null, inputs: member(body, 'inputs') };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
