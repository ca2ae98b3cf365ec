import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';

/** A gateway's 502 has no words of its own. */
const UNREACHED = '连不上服务器，请稍后重试';

/** An error whose message is fit to be shown. */
export class ShownError extends Error {
  override readonly name = 'ShownError';
}

/** What a refused call says, whatever layer it went through. */
export interface Refusal {
  readonly message: string;
  readonly status: number | null;
  readonly problems: readonly FieldProblem[];
  /** The record as it is now, when a stale version was refused. */
  readonly current: ErpRecord | null;
}

/**
 * Reads a refusal out of an error: the envelope's members may stand on the error itself or on its `data`, `body`,
 * `response` or `cause`, as data providers wrap it.
 */
export function refusalOf(error: unknown): Refusal {
  const layers = layersOf(error);
  const find = (name: string): unknown =>
    layers.map((layer) => layer[name]).find((value) => value !== undefined && value !== null);
  const status = find('statusCode') ?? find('status') ?? find('code');
  const problems = find('problems');
  const current = find('current');
  const message = find('msg') ?? find('message');
  return {
    message:
      typeof message === 'string' && message !== '' ? message : status === 502 ? UNREACHED : '未知错误',
    status: typeof status === 'number' ? status : null,
    problems: Array.isArray(problems) ? problems.filter(isProblem) : [],
    current: isObject(current) ? current : null,
  };
}

/** Whether what was acted on is no longer as it is shown: gone (404), decided or changed (409), given to somebody else (403). */
export function isStale({ status }: Refusal): boolean {
  return status === 403 || status === 404 || status === 409;
}

function layersOf(error: unknown): readonly Record<string, unknown>[] {
  if (!isObject(error)) return [];
  const inner = ['data', 'body', 'response', 'cause', 'meta'].map((name) => error[name]).filter(isObject);
  const message = error instanceof Error ? [{ message: error.message }] : [];
  return [error, ...inner, ...inner.map((layer) => layer['data']).filter(isObject), ...message];
}

function isProblem(value: unknown): value is FieldProblem {
  return isObject(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
