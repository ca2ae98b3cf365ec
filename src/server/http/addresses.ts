import { AppError } from '#server/kernel/errors.ts';
import { sendRefusal } from './answer.ts';
import type { App } from './app-types.ts';
import { isSafeText } from './safe-json.ts';

/** The longest part of a path, in characters. */
export const MAX_PARAMETER = 200;

/** Most values in the query of an address. */
const MAX_QUERY_VALUES = 50;

/** NUL and half characters reach no statement, in addresses and queries neither. */
export function refuseUnsafeAddresses(app: App): void {
  app.addHook('preValidation', (request, reply, done) => {
    const texts = [...textsOf(request.params), ...textsOf(request.query)];
    const message =
      texts.length > MAX_QUERY_VALUES
        ? `地址中的参数过多：最多 ${MAX_QUERY_VALUES} 个`
        : texts.every(isSafeText)
          ? null
          : '地址中含有无效字符';
    if (message === null) done();
    else sendRefusal(reply, new AppError('BAD_REQUEST', { message }));
  });
}

/**
 * The address, or one that leads nowhere: what has a broken escape or too long a part would be answered by the
 * framework itself, in English and without our headers.
 */
export function routableAddress(url: string): string {
  const path = pathOf(url);
  const isRoutable = isDecodable(path) && path.split('/').every((part) => part.length <= MAX_PARAMETER);
  if (isRoutable) return url;
  return path.startsWith('/erp/') ? '/erp/api/-' : '/-';
}

function isDecodable(path: string): boolean {
  try {
    return decodeURI(path) !== '';
  } catch {
    return false;
  }
}

/** Addresses are logged without their query: it may carry keywords, ids and tokens. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => (Array.isArray(item) ? item.map(String) : [String(item)]));
}
