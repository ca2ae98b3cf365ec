import { type CallOptions, http, HttpFault } from './http.ts';
import { randomKey } from './random-key.ts';

export type WriteMethod = 'post' | 'patch' | 'put' | 'delete';

export function isWriteMethod(method: string): method is WriteMethod {
  return method === 'post' || method === 'patch' || method === 'put' || method === 'delete';
}

export interface Write {
  readonly method: WriteMethod;
  readonly path: string;
  /** Plain data, never a form with files. */
  readonly body?: unknown;
  readonly options?: CallOptions;
}

/** Waits before asking again while the connection is gone; the bar above the pages says so meanwhile. */
const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000];
/** A gateway that answers in the server's place recovers soon or not at all. */
const GATEWAY_TRIES = 2;
/** What a gateway says that has words of its own (spec section 8); of the others nobody would know what became of the work. */
const SPOKEN_GATEWAY = 504;
const GIVE_UP_MS = 60_000;
const LOST = '没有收到服务器的答复，可能已经保存。网络恢复后请再试一次，不会重复保存';

/** Keys of writes of which nobody knows whether they were done, by what was sent. */
const unanswered = new Map<string, string>();

/**
 * A write under a key of its own (`Idempotency-Key`): when its answer is lost it is asked for again, and the server gives
 * the first answer instead of writing twice. Whoever gave up and sends the very same again still uses the same key.
 * @throws HttpFault the refusal; with `isAnswerLost` when no answer came at all
 */
export async function keyedWrite<T>(write: Write): Promise<T> {
  const intention = intentionOf(write);
  const key = keyOfWrite(write);
  try {
    const answer = await untilAnswered<T>(write, key);
    unanswered.delete(intention);
    return answer;
  } catch (error) {
    if (!isUnknown(error)) unanswered.delete(intention);
    throw error;
  }
}

/** The key under which a write goes, now or when it is sent the next time. */
export function keyOfWrite(write: Write): string {
  const intention = intentionOf(write);
  const key = unanswered.get(intention) ?? randomKey();
  unanswered.set(intention, key);
  return key;
}

/** A write of an earlier visit whose answer was lost: sent again, it uses the key that it had then. */
export function recallWrite(write: Write, key: string): void {
  unanswered.set(intentionOf(write), key);
}

/** True when nobody knows whether a write was done. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof HttpFault && error.isAnswerLost;
}

async function untilAnswered<T>(write: Write, key: string): Promise<T> {
  const startMs = Date.now();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send<T>(write, key);
    } catch (error) {
      const waitMs = WAITS_MS[attempt];
      const isOver = waitMs === undefined || Date.now() - startMs > GIVE_UP_MS;
      if (!isUnknown(error) || write.options?.signal?.aborted === true) throw error;
      const isGateway = error.isAnswerLost && error.statusCode > 0;
      if (isGateway && attempt >= GATEWAY_TRIES)
        throw error.statusCode === SPOKEN_GATEWAY ? error : unanswerable(error);
      if (isOver) throw error.isAnswerLost ? unanswerable(error) : error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

function unanswerable(cause: HttpFault): HttpFault {
  return new HttpFault(LOST, { isAnswerLost: true, statusCode: cause.statusCode, cause });
}

function send<T>({ method, path, body, options }: Write, key: string): Promise<T> {
  const keyed = { ...options, headers: { ...options?.headers, 'Idempotency-Key': key } };
  return method === 'delete' ? http.delete<T>(path, keyed) : http[method]<T>(path, body, keyed);
}

/** No answer, or word that the first try is still at work. */
function isUnknown(error: unknown): error is HttpFault {
  return error instanceof HttpFault && (error.isAnswerLost || error.error === 'IDEMPOTENCY_IN_PROGRESS');
}

function intentionOf({ method, path, body }: Write): string {
  return `${method} ${path} ${JSON.stringify(body ?? null)}`;
}
