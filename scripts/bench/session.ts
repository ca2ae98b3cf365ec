import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY, DEMO_PASSWORD } from '#server/kernel/config.ts';

/** Signs in as a demo account; the token of the full session. */
export async function signIn(url: string, personid: string, roleId: string): Promise<string> {
  const person = await post(url, '/erp/api/sys/login', {
    personid,
    password: sealEnvelope(DEMO_PASSWORD, DEMO_AES_KEY),
  });
  const full = await post(
    url,
    '/erp/api/sys/setPosition',
    { id: person['id'], roleId, roleIdList: [roleId], saleId: null },
    text(person['authorization']),
  );
  return text(full['authorization']);
}

/** Calls the API and gives its data; a refusal ends the benchmark with its message. */
export async function call(
  url: string,
  token: string,
  request: { readonly method?: string; readonly path: string; readonly body?: unknown },
): Promise<Record<string, unknown>> {
  const response = await fetch(url + request.path, {
    method: request.method ?? 'POST',
    headers: {
      authorization: token,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  const answer: unknown = await response.json();
  if (!isObject(answer) || answer['code'] !== 200)
    throw new TypeError(`${request.path}: ${JSON.stringify(answer).slice(0, 500)}`);
  return isObject(answer['data']) ? answer['data'] : {};
}

function post(url: string, path: string, body: unknown, token = ''): Promise<Record<string, unknown>> {
  return call(url, token, { path, body });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
