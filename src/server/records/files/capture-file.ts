import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { AppError } from '#server/kernel/errors.ts';
import { MAX_FILE_BYTES } from '#engine/fields/file-rules.ts';
import { isPublicAddress } from './public-address.ts';

/** The whole capture, redirects and a slow sender included. */
const TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 3;

/** An address of a host as the name service tells it. */
interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** How hosts are found and which of their addresses may be asked; tests stand a host of their own in. */
export interface CaptureNetwork {
  readonly find: (host: string) => Promise<readonly HostAddress[]>;
  readonly isOpen: (address: string) => boolean;
}

const INTERNET: CaptureNetwork = { find: (host) => lookup(host, { all: true }), isOpen: isPublicAddress };

/**
 * Fetches a picture, film or music that somebody pasted by its address. The server must not become a way into its own
 * network: only public hosts are asked, each at the very address that was checked, redirects are checked as the first
 * address was, and at most as many bytes are read as a file may have.
 * @throws CAPTURE_REFUSED, FILE_TOO_LARGE
 */
export async function captureFile(address: string, network: CaptureNetwork = INTERNET): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = openUrl(address);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await ask(url, { at: await addressOf(url, network), signal });
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return readBytes(response);
    response.destroy();
    if (!REDIRECTS.has(statusCode) || headers.location === undefined) break;
    url = openUrl(headers.location, url);
  }
  throw new AppError('CAPTURE_REFUSED');
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function openUrl(address: string, base?: URL): URL {
  const url = URL.canParse(address, base) ? new URL(address, base) : null;
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol);
  if (!isWeb || url.username !== '' || url.password !== '') throw new AppError('CAPTURE_REFUSED');
  return url;
}

/** The address to ask: every one that the name has must be open, or the name is somebody's trap. */
async function addressOf(url: URL, network: CaptureNetwork): Promise<HostAddress> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = await network.find(host).catch(() => []);
  const [first] = found;
  if (first === undefined || !found.every(({ address }) => network.isOpen(address)))
    throw new AppError('CAPTURE_REFUSED');
  return first;
}

function ask(
  url: URL,
  { at, signal }: { readonly at: HostAddress; readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(
      url,
      {
        signal,
        // No connection of an earlier call: it may have been opened under another answer of the name service.
        agent: false,
        headers: { accept: 'image/*, video/*, audio/*' },
        lookup: (_host, options, done) =>
          options.all === true ? done(null, [at]) : done(null, at.address, at.family),
      },
      resolve,
    );
    request.on('error', (cause) => reject(new AppError('CAPTURE_REFUSED', { cause })));
    request.end();
  });
}

async function readBytes(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > MAX_FILE_BYTES) throw new AppError('FILE_TOO_LARGE');
      chunks.push(bytes);
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('CAPTURE_REFUSED', { cause });
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks);
}
