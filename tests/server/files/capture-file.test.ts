import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captureFile, type CaptureNetwork } from '#server/records/files/capture-file.ts';
import { isPublicAddress } from '#server/records/files/public-address.ts';

describe('an address', () => {
  it.each([
    '0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255',
    '192.0.0.8', '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.168.1.1', '192.175.48.1', '198.18.0.1',
    '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255',
    '::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '0:0:0:0:0:ffff:a9fe:a9fe', '::ffff:0:127.0.0.1',
    '64:ff9b::a00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::1', '100::1', '2001::1', '2001:2::1', '2001:20::1', '2001:db8::1',
    '2002:7f00:1::', '2002:c0a8:101::1', '2620:4f:8000::1', '3fff::1', '5f00::1', 'fc00::1', 'fd00::1', 'fe80::1', 'fe80::1%eth0',
    'fec0::1', 'ff02::1', '', 'localhost', '127.1', '0177.0.0.1',
  ])('like %s is not of the public internet', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  }); // prettier-ignore

  it.each(['1.1.1.1', '8.8.8.8', '114.114.114.114', '172.32.0.1', '100.128.0.1', '2400:3200::1', '2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::101:101', '2002:101:101::1'])(
    'like %s is', (ip) => {
      expect(isPublicAddress(ip)).toBe(true);
    },
  ); // prettier-ignore
});

describe('capturing', () => {
  const PICTURE = Buffer.from('a picture');
  /** What the name service says; only 127.0.0.1 counts as public here. */
  const hosts: Readonly<Record<string, readonly string[]>> = {
    'open.example': ['127.0.0.1'],
    'closed.example': ['127.0.0.2'],
    'both.example': ['127.0.0.1', '127.0.0.2'],
  };
  let server: Server;
  let port: number;
  let asked: string[] = [];
  const network: CaptureNetwork = {
    find: async (host) => (hosts[host] ?? []).map((address) => ({ address, family: 4 })),
    isOpen: (address) => address === '127.0.0.1',
  };
  const capture = (host: string, path: string): Promise<Buffer> =>
    captureFile(`http://${host}:${port}${path}`, network);

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { url = '', headers } = request;
      asked.push(`${headers.host ?? ''}${url}`);
      const target = /^\/to\/(.*)$/.exec(url)?.[1];
      if (target !== undefined) response.writeHead(302, { location: decodeURIComponent(target) }).end();
      else if (url === '/endless') response.writeHead(200).write(Buffer.alloc(21 * 1024 * 1024));
      else response.end(PICTURE);
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => server.close());

  it('asks the address that was checked, under the name that was given', async () => {
    asked = [];
    expect(await capture('open.example', '/a.png')).toEqual(PICTURE);
    expect(asked).toEqual([`open.example:${port}/a.png`]);
  });

  it('follows a redirect to another open host, and to a path of the same one', async () => {
    const there = encodeURIComponent(`http://open.example:${port}/b.png`);
    expect(await capture('open.example', `/to/${there}`)).toEqual(PICTURE);
    expect(await capture('open.example', '/to/%2Fc.png')).toEqual(PICTURE);
  });

  it.each([
    ['a closed host', () => `http://closed.example:${port}/x`],
    ['a closed address', () => `http://127.0.0.2:${port}/x`],
    ['a host that is open and closed', () => `http://both.example:${port}/x`],
    ['an unknown host', () => 'http://nobody.example/x'],
    ['a file', () => 'file:///etc/passwd'],
    ['a name with a password', () => `http://a:b@open.example:${port}/x`],
  ])('neither asks %s nor follows a redirect there', async (_what, address) => {
    asked = [];
    const refusal = { code: 'CAPTURE_REFUSED', message: '无法抓取该图片' };
    await expect(captureFile(address(), network)).rejects.toMatchObject(refusal);
    expect(asked).toEqual([]);
    await expect(capture('open.example', `/to/${encodeURIComponent(address())}`)).rejects.toMatchObject(
      refusal,
    );
    expect(asked).toHaveLength(1);
  });

  it('gives up on a chain of redirects, and on more than a file may have', async () => {
    const around = (depth: number): string =>
      depth === 0 ? '/a.png' : `/to/${encodeURIComponent(around(depth - 1))}`;
    expect(await capture('open.example', around(3))).toEqual(PICTURE);
    await expect(capture('open.example', around(4))).rejects.toMatchObject({ code: 'CAPTURE_REFUSED' });
    await expect(capture('open.example', '/endless')).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  });
});
