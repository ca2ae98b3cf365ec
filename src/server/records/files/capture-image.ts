import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import { AppError } from '#server/kernel/errors.ts';
import { MAX_FILE_BYTES } from './file-service.ts';

const TIMEOUT_MS = 15_000;

/**
 * Fetches a picture that somebody pasted by its address. Only public hosts are asked, at the very address that was
 * checked, and redirects are not followed: the server must not become a way into its own network.
 * @throws CAPTURE_REFUSED, IMAGE_TOO_LARGE
 */
export async function captureImage(address: string): Promise<Buffer> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new AppError('CAPTURE_REFUSED');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  const [first] = found;
  if (first === undefined || !found.every(({ address: ip }) => isPublicAddress(ip)))
    throw new AppError('CAPTURE_REFUSED');
  return fetchBytes(url, first);
}

/** False for loopback, private, link-local, shared and reserved networks. */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 0) return false;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return isPublicAddress(mapped);
  return !CLOSED.check(ip, family === 4 ? 'ipv4' : 'ipv6');
}

const CLOSED = closedNetworks();

function closedNetworks(): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const)
    // prettier-ignore
    list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of [
    ['::', 127],
    ['64:ff9b::', 96],
    ['fc00::', 7],
    ['fe80::', 10],
    ['ff00::', 8],
  ] as const)
    // prettier-ignore
    list.addSubnet(network, prefix, 'ipv6');
  return list;
}

function fetchBytes(url: URL, at: { readonly address: string; readonly family: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(
      url,
      {
        timeout: TIMEOUT_MS,
        headers: { accept: 'image/*' },
        lookup: (_host, options, done) =>
          options.all === true ? done(null, [at]) : done(null, at.address, at.family),
      },
      (response) => {
        if (response.statusCode !== 200) {
          response.destroy();
          reject(new AppError('CAPTURE_REFUSED'));
          return;
        }
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size <= MAX_FILE_BYTES) return;
          response.destroy();
          reject(new AppError('IMAGE_TOO_LARGE'));
        });
        response.on('end', () => resolve(Buffer.concat(chunks)));
        response.on('error', (cause) => reject(new AppError('CAPTURE_REFUSED', { cause })));
      },
    );
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', (cause) => reject(new AppError('CAPTURE_REFUSED', { cause })));
    request.end();
  });
}
