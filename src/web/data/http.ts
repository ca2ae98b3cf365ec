/** The one client of `/erp/api`: session, envelope, time-out, and the error texts of spec section 8. */
import type { CallKey, DataOf, InputOf } from '#contract/calls.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { type LooseInput, requestOf } from './call-address.ts';
import { recordClientError } from './client-errors.ts';
import { noteBusyServer, noteLostConnection } from './connection.ts';
import { noteDefinitions } from './definitions-tag.ts';
import { limitSilence, readFileBody, type Silence } from './silence.ts';
import { leaveForLogin, storedAuthorization } from './stored-person.ts';

const BASE = '/erp/api';
const TIMEOUT_MS = 30_000;
const UNREACHED = '连不上服务器，请稍后重试';
const POSITION = '/sys/setPosition';
/** Without an envelope these come from something between page and server, which may have done the work. */
const GATEWAY_FAULTS: ReadonlySet<number> = new Set([502, 503, 504]);
/** While a role is being switched the old session may end before the new one is known. */
let positionChanges = 0;

/** A refused or failed call; `message` is Chinese and fit to show. An empty message (502) shows nothing. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault';
  readonly statusCode: number;
  /** The envelope's code, 0 when there was no answer. */
  readonly code: number;
  readonly problems: readonly FieldProblem[];
  /** The record as it is now, when a stale version was refused. */
  readonly current: ErpRecord | null;
  readonly requestId: string | null;
  /** The refusal's code in the server's catalogue, for programs. */
  readonly error: string | null;
  /** Nobody knows whether the server did it: the answer never came whole. */
  readonly isAnswerLost: boolean;

  constructor(
    message: string,
    details: Partial<Omit<HttpFault, 'name' | 'message'>> & { readonly cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.statusCode = details.statusCode ?? 0;
    this.code = details.code ?? 0;
    this.problems = details.problems ?? [];
    this.current = details.current ?? null;
    this.requestId = details.requestId ?? null;
    this.error = details.error ?? null;
    this.isAnswerLost = details.isAnswerLost ?? false;
  }
}

export interface CallOptions {
  /** For the whole answer; for a file until it begins, and between its bytes. */
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
  readonly requestId?: string;
  readonly error?: string;
  readonly problems?: readonly FieldProblem[];
  /** With a refused stale version. */
  readonly current?: unknown;
}

type Optional<Input> =
  Partial<Input> extends Input ? [given?: Input & CallOptions] : [given: Input & CallOptions];

/** Makes a call of the contract: its key names method and path, its parts and its answer are typed by it. */
export async function callApi<Key extends CallKey>(
  key: Key,
  ...[given]: Optional<InputOf<Key>>
): Promise<DataOf<Key>> {
  const { params, query, body, files, ...options }: LooseInput & CallOptions = given ?? {};
  const { method, path } = requestOf(key, { params, query });
  return call(method, path, files ?? body ?? emptyBody(method), options);
}

/** A file of the contract, unchecked. */
export async function download<Key extends CallKey>(
  key: Key,
  ...[given]: Optional<InputOf<Key>>
): Promise<Blob> {
  const { params, query, ...options }: LooseInput & CallOptions = given ?? {};
  const { path } = requestOf(key, { params, query });
  const sent = await send('GET', path, undefined, options);
  const file = fileOf(sent);
  if (file !== null) return file;
  await unwrap(sent);
  throw failure(path, '未知错误', { statusCode: sent.response.status });
}

/** A file that a call makes, or its answer when the work goes on as a job. */
export async function callForFile<Key extends CallKey>(
  key: Key,
  ...[given]: Optional<InputOf<Key>>
): Promise<Blob | DataOf<Key>> {
  const { params, query, body, ...options }: LooseInput & CallOptions = given ?? {};
  const { method, path } = requestOf(key, { params, query });
  const sent = await send(method, path, body ?? emptyBody(method), options);
  return fileOf(sent) ?? unwrap<DataOf<Key>>(sent);
}

function emptyBody(method: string): object | undefined {
  return method === 'POST' ? {} : undefined;
}

/** For refine's seam alone, which knows addresses instead of calls; everything else makes calls of the contract. */
export const http = {
  get: <T>(path: string, options?: CallOptions) => call<T>('GET', path, undefined, options),
  post: <T>(path: string, body: unknown = {}, options?: CallOptions) => call<T>('POST', path, body, options),
  put: <T>(path: string, body: unknown, options?: CallOptions) => call<T>('PUT', path, body, options),
  patch: <T>(path: string, body: unknown, options?: CallOptions) => call<T>('PATCH', path, body, options),
  delete: <T>(path: string, options?: CallOptions) => call<T>('DELETE', path, undefined, options),
} as const;

async function call<T>(method: string, path: string, body: unknown, options?: CallOptions): Promise<T> {
  if (path !== POSITION) return unwrap<T>(await send(method, path, body, options));
  positionChanges += 1;
  try {
    return await unwrap<T>(await send(method, path, body, options));
  } finally {
    positionChanges -= 1;
  }
}

/** An answered call, and the session it was made in: a session that ended meanwhile must not end the next one. */
interface Sent {
  readonly response: Response;
  readonly path: string;
  readonly authorization: string | null;
  /** Ends the answer's body too, which may stall after its headers: as a whole, a file when its bytes stop. */
  readonly silence: Silence;
  readonly given: AbortSignal | undefined;
}

async function send(method: string, path: string, body: unknown, options: CallOptions = {}): Promise<Sent> {
  const authorization = storedAuthorization();
  const silence = limitSilence(options.timeoutMs ?? TIMEOUT_MS);
  const signal =
    options.signal === undefined ? silence.signal : AbortSignal.any([silence.signal, options.signal]);
  const sending = { path, authorization, silence, given: options.signal };
  const init = setUp(sending, body, options.headers);
  let response: Response;
  try {
    response = await fetch(`${BASE}${path}`, { ...init, method, signal });
  } catch (cause) {
    throw brokenOff(sending, cause, UNREACHED);
  }
  noteDefinitions(response);
  const sent = { ...sending, response };
  if (response.ok) return sent;
  throw await refusal(sent);
}

/** A request that cannot even be made says what spec section 8 has for it; the connection is not to blame. */
function setUp(
  { path, authorization }: Pick<Sent, 'path' | 'authorization'>,
  body: unknown,
  given: CallOptions['headers'],
): RequestInit {
  const isForm = body instanceof FormData;
  try {
    const headers = new Headers({
      ...(authorization === null ? {} : { Authorization: authorization }),
      ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      ...given,
    });
    return { headers, ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }) };
  } catch (cause) {
    throw failure(path, '请求超时!', { cause });
  }
}

async function unwrap<T>(sent: Sent): Promise<T> {
  const { response, path } = sent;
  if (!isJson(response)) throw failure(path, '未知错误', { statusCode: response.status });
  const envelope = parseEnvelope(parseJson(await readBody(sent, () => response.text())));
  if (envelope === null) throw failure(path, '未知错误', { statusCode: response.status });
  if (envelope.code !== 200) throw envelopeFault(envelope, sent);
  return envelope.data as T;
}

/** A file as it comes; null where JSON came in its place: its refusal, or data. */
function fileOf(sent: Sent): Promise<Blob> | null {
  return isJson(sent.response) ? null : readBody(sent, () => readFileBody(sent.response, sent.silence));
}

/** Reads an answer whose headers have come: it may still stall or break. */
async function readBody<T>(sent: Sent, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw brokenOff(sent, cause);
  }
}

/** What a call ends with that got no whole answer; one that the page itself gave up stays what it is. */
function brokenOff(
  { path, silence, given }: Omit<Sent, 'response'>,
  cause: unknown,
  text = '请求超时!',
): unknown {
  if (given?.aborted === true) return cause;
  const isTooLong = silence.signal.aborted;
  if (!isTooLong) noteLostConnection();
  const told = navigator.onLine ? text : '网络已断开，恢复后请重试';
  return failure(path, isTooLong ? '请求超时!' : told, { cause, isAnswerLost: true });
}

async function refusal(sent: Sent): Promise<HttpFault> {
  const { response, path } = sent;
  const envelope = isJson(response) ? parseEnvelope(parseJson(await response.text().catch(() => ''))) : null;
  if (envelope !== null) return envelopeFault(envelope, sent);
  if (response.status === 401) leaveWhenEnded(sent);
  const requestId = response.headers.get('x-request-id');
  const isAnswerLost = GATEWAY_FAULTS.has(response.status);
  if (isAnswerLost) noteBusyServer();
  return failure(path, statusText(response.status), { statusCode: response.status, requestId, isAnswerLost });
}

function envelopeFault(envelope: Envelope, sent: Sent): HttpFault {
  if (envelope.code === 401) leaveWhenEnded(sent);
  if (envelope.error === 'UNAVAILABLE') noteBusyServer();
  const data = isObject(envelope.data) ? envelope.data : {};
  const current = [envelope.current, data['current']].find(isObject) ?? null;
  return failure(sent.path, envelope.msg || '未知错误', {
    statusCode: sent.response.status,
    code: envelope.code,
    current,
    problems: envelope.problems ?? [],
    requestId: envelope.requestId ?? null,
    error: typeof envelope.error === 'string' ? envelope.error : null,
  });
}

/** A refused login is no ended session, and an answer to an older session says nothing of the present one. */
function leaveWhenEnded({ path, authorization }: Sent): void {
  if (path.startsWith('/sys/login') || (positionChanges > 0 && path !== POSITION)) return;
  if (storedAuthorization() === authorization) leaveForLogin();
}

/** Spec section 8: the texts for answers that carry no envelope; 503 is no riddle. */
function statusText(status: number): string {
  if (status === 500 || status === 504) return '服务器出错';
  if (status === 403) return '权限不足,请联系管理员!';
  if (status === 404) return '404,找不到地址!';
  if (status === 503) return '服务器繁忙，请稍后重试';
  return status === 502 ? '' : '未知错误';
}

function failure(
  path: string,
  message: string,
  details: ConstructorParameters<typeof HttpFault>[1],
): HttpFault {
  const fault = new HttpFault(message, details);
  recordClientError({ path, code: fault.code || fault.statusCode, message, requestId: fault.requestId });
  return fault;
}

function parseEnvelope(value: unknown): Envelope | null {
  return isObject(value) && typeof value['code'] === 'number' ? (value as unknown as Envelope) : null;
}

/** Null for a text that is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isJson(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').includes('application/json');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
