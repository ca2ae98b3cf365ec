import { AppError } from '#server/kernel/errors.ts';
import { toAppError } from '#server/kernel/to-app-error.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Caller, PartAnswer } from '#server/records/services.ts';
import { requireAction, runAction } from './run-action.ts';

const MAX_ROWS = 200;

/**
 * Runs an action on several records, each in a transaction of its own. The body is a list of `{ id, version }`, or
 * `{ records, opinion, inputs }`.
 */
export async function batchAction(call: Call, key: string, body: unknown): Promise<readonly PartAnswer[]> {
  const action = requireAction(call, key);
  if (action.batch !== true && action.approval === undefined && action.inputs !== undefined)
    throw new AppError('ACTION_NOT_ALLOWED', { message: '该操作不支持批量' });
  const { rows, opinion, inputs } = parseBatch(body);
  return eachPart(call.caller, rows, {
    msg: '操作成功',
    write: async ({ id, version }, caller) => {
      await runAction({ ...call, caller }, { id, action: key }, { version, opinion, inputs });
    },
    refused: (error) => refusalText(call, error),
  });
}

/**
 * Writes each part of a batch in a transaction of its own. Under an idempotency key what an earlier try has written
 * before its process died is not written again.
 */
export async function eachPart<P extends { readonly id: string }>(
  caller: Caller,
  parts: readonly P[],
  how: {
    /** What a part that was written is answered. */
    readonly msg: string;
    readonly write: (part: P, caller: Caller) => Promise<void>;
    readonly refused: (error: unknown) => string;
  },
): Promise<readonly PartAnswer[]> {
  const { idempotency } = caller;
  const done = new Map(idempotency?.done.map((answer) => [answer.id, answer]));
  const results: PartAnswer[] = [];
  for (const part of parts) {
    const answer = { id: part.id, ok: true, msg: how.msg };
    const own =
      idempotency === undefined ? caller : { ...caller, idempotency: { ...idempotency, part: answer } };
    try {
      if (!done.has(part.id)) await how.write(part, own);
      results.push(answer);
    } catch (error) {
      results.push({ id: part.id, ok: false, msg: how.refused(error) });
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
