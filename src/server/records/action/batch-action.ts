import type { BatchForm, BatchResult } from '#contract/records.ts';
import { AppError } from '#server/kernel/errors.ts';
import { toAppError } from '#server/kernel/to-app-error.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Caller } from '#server/records/services.ts';
import { requireAction, runAction } from './run-action.ts';

/**
 * Runs an action on several records, each in a transaction of its own.
 */
export async function batchAction(call: Call, key: string, form: BatchForm): Promise<readonly BatchResult[]> {
  const action = requireAction(call, key);
  if (action.batch !== true && action.approval === undefined && action.inputs !== undefined)
    throw new AppError('ACTION_NOT_ALLOWED', { message: '该操作不支持批量' });
  const { rows, opinion, inputs } = batchOf(form);
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
): Promise<readonly BatchResult[]> {
  const { idempotency } = caller;
  const done = new Map(idempotency?.done.map((answer) => [answer.id, answer]));
  const results: BatchResult[] = [];
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

function batchOf(form: BatchForm): Batch {
  if ('records' in form)
    return {
      rows: form.records,
      opinion: form.opinion ?? form.records[0]?.opinion ?? null,
      inputs: form.inputs,
    };
  return { rows: form, opinion: form[0]?.opinion ?? null, inputs: undefined };
}
