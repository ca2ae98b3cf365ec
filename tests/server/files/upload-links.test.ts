import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepFiles } from '#server/workflow/jobs/clean-up.ts';
import { type RulesExample, startRulesExample } from '../rules/rules-example.ts';

const MAX = 20 * 1024 * 1024;
let rules: RulesExample;
let serial = 0;

beforeAll(async () => {
  rules = await startRulesExample({ 'sp.aa': 'SP', 'fn.aa': 'FN', 'dc.aa': 'DC', 'tm.aa': 'TM' });
}, 600_000);
afterAll(() => rules.example.close());

interface Reply {
  readonly status: number;
  readonly msg: string;
  readonly data: readonly { readonly id: string; readonly name: string }[];
}

async function anInvoice(): Promise<string> {
  serial += 1;
  return rules.given('business_invoice', {
    business_type: 'agency',
    invoice_type: '01',
    invoice_code: '3302261130',
    invoice_number: String(30_000_000 + serial),
    billing_date: '2026-01-05',
    issuer_kind: 'forwarder',
    issuer_name: '宁波某货代有限公司',
    partner_id: rules.example.masters.partner,
    net_amount: '100.00',
    tax_amount: '6.00',
    currency: 'USD',
    fc_amount: '15.00',
    sales_id: rules.example.masters.sales,
    dept_code: 'AA',
  });
}

async function aLink(invoice: string, who = 'sp.aa'): Promise<{ applyId: string; id: string }> {
  const { status, data } = await rules.as(who, 'POST', `/data/business_invoice/${invoice}/upload-links`, {});
  expect(status).toBe(200);
  const applyId = new URL(String(data['url'])).searchParams.get('id') ?? '';
  return { applyId, id: String(data['id']) };
}

async function upload(applyId: string, ...files: readonly (readonly [string, Buffer])[]): Promise<Reply> {
  const form = new FormData();
  for (const [name, bytes] of files) form.append('files', new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(
    `${rules.example.url}/erp/api/invoice/uploadInvoiceFile?applyId=${applyId.replaceAll(/[ ']/g, encodeURIComponent)}`,
    { method: 'POST', body: form },
  );
  return { status: response.status, ...((await response.json()) as Omit<Reply, 'status'>) };
}

async function contentOf(id: string | undefined): Promise<Buffer> {
  const response = await fetch(`${rules.example.url}/erp/api/files/${id ?? ''}`, {
    headers: { authorization: await rules.example.signIn('fn.aa', 'FN') },
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

function picture(
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif',
  colour = '#8a1',
): Promise<Buffer> {
  const create = { width: 60, height: 40, channels: 3 as const, background: colour };
  return sharp({ create })
    .withExif({
      IFD0: { Copyright: 'secret place' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '29/1 52/1 30/1', GPSMapDatum: 'secret gps' },
    })
    .toFormat(format)
    .toBuffer();
}

const imagesOf = async (invoice: string): Promise<readonly string[]> =>
  ((await rules.stored('business_invoice', invoice))['images'] as readonly string[] | null) ?? [];

describe('images by a link', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'takes a %s, without what the camera wrote into it',
    async (format) => {
      const invoice = await anInvoice();
      const { applyId } = await aLink(invoice);
      const sent = await picture(format);
      const { status, msg, data } = await upload(applyId, ['发票.x', sent]);
      expect([status, msg]).toEqual([200, '上传成功']);
      expect(await imagesOf(invoice)).toEqual([data[0]?.id]);
      const stored = await contentOf(data[0]?.id);
      // What comes in does say where it was taken.
      const given = (await sharp(sent).metadata()).exif?.toString('latin1') ?? '';
      expect(given).toContain('secret place');
      expect(given).toContain('secret gps');
      const { format: kept, exif } = await sharp(stored).metadata();
      expect(kept).toBe(format === 'avif' ? 'jpeg' : format);
      expect(exif).toBeUndefined();
      for (const told of ['secret place', 'secret gps']) expect(stored.includes(told)).toBe(false);
    },
  );

  it.each<readonly [string, () => Promise<Buffer>]>([
    ['a GIF', () => picture('gif')],
    ['a TIFF', () => picture('tiff')],
    ['an SVG', () => Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'))],
    ['a page', () => Promise.resolve(Buffer.from('<!doctype html><script>1</script>'))],
    ['half a JPEG', async () => (await picture('jpeg')).subarray(0, 200)],
    ['a PNG in name only', () => Promise.resolve(Buffer.from('89504e470d0a1a0a00ff', 'hex'))],
    ['a PDF', () => Promise.resolve(Buffer.from('%PDF-1.7 x'))],
    ['a BMP', () => Promise.resolve(Buffer.concat([Buffer.from('BM'), Buffer.alloc(80)]))],
    [
      'a RIFF that is no picture',
      () => Promise.resolve(Buffer.concat([Buffer.from('RIFF....WAVE'), Buffer.alloc(40)])),
    ],
    ['a ZIP', () => Promise.resolve(Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(80)]))],
    ['plain text', () => Promise.resolve(Buffer.from('发票'))],
    ['zeros', () => Promise.resolve(Buffer.alloc(1_000))],
    [
      'a JPEG head on a program',
      () => Promise.resolve(Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(500, 0x90)])),
    ],
  ])('refuses %s', async (_, make) => {
    const invoice = await anInvoice();
    const { applyId } = await aLink(invoice);
    const refused = await upload(applyId, ['发票.jpg', await make()]);
    expect([refused.status, refused.msg]).toEqual([400, '图片无法识别，请换用 JPEG、PNG 或 WebP 格式的图片']);
    expect(await imagesOf(invoice)).toEqual([]);
  });

  it.each<readonly [string, string, () => Promise<Buffer> | Buffer]>([
    [
      'a PNG of 100 million pixels',
      '图片像素过大：10000万像素，最多6000万像素，请缩小后上传',
      () => bomb('png'),
    ],
    [
      'a HEIC that no decoder here knows',
      '服务器不能读取 HEIC 图片，请转换为 JPEG 后上传，或在手机相机设置中选“兼容性最佳”后重拍',
      () => Buffer.concat([Buffer.from('00000018667479706865696300000000', 'hex'), Buffer.alloc(200)]),
    ],
  ])('says what is wrong with %s', async (_, message, make) => {
    const { applyId } = await aLink(await anInvoice());
    const refused = await upload(applyId, ['发票.jpg', await make()]);
    expect([refused.status, refused.msg]).toEqual([400, message]);
  });

  it('takes the photographs of phones with more than 100 million pixels, smaller', async () => {
    const { applyId } = await aLink(await anInvoice());
    const { status, data } = await upload(applyId, ['手机.jpg', await bomb('jpeg')]);
    expect(status).toBe(200);
    const { width, height } = await sharp(await contentOf(data[0]?.id)).metadata();
    expect([width, height]).toEqual([7_000, 7_000]);
  });

  it('takes exactly 20 MiB and refuses one byte more', async () => {
    const invoice = await anInvoice();
    const { applyId } = await aLink(invoice);
    const small = await picture('jpeg');
    const full = Buffer.concat([small, Buffer.alloc(MAX - small.length)]);
    expect((await upload(applyId, ['满.jpg', full])).status).toBe(200);
    const over = await upload(applyId, ['多.jpg', Buffer.concat([full, Buffer.alloc(1)])]);
    expect([over.status, over.msg]).toEqual([413, '请选择20M以内的图片！']);
    expect(await imagesOf(invoice)).toHaveLength(1);
  });

  it('keeps an image once, however often and at once it is sent; different ones all', async () => {
    const invoice = await anInvoice();
    const { applyId } = await aLink(invoice);
    const same = await picture('png');
    const replies = await Promise.all([1, 2, 3, 4].map(() => upload(applyId, ['a.png', same])));
    expect(new Set(replies.map(({ data }) => data[0]?.id)).size).toBe(1);
    const colours = ['#111', '#222', '#333', '#444', '#555'];
    await Promise.all(
      colours.map(async (colour) => upload(applyId, ['b.png', await picture('png', colour)])),
    );
    expect(new Set(await imagesOf(invoice)).size).toBe(6);
    const logged = await rules.as('fn.aa', 'POST', '/data/invoice_image/query', {
      filters: { record_id: { eq: invoice } },
    });
    expect(logged.data['records']).toHaveLength(6);
  });

  it('shows and removes what came by the same link, and nothing else', async () => {
    const invoice = await anInvoice();
    const [one, other] = [await aLink(invoice), await aLink(invoice, 'dc.aa')];
    const { data } = await upload(one.applyId, ['a.png', await picture('png')]);
    const shown = await rules.as('', 'GET', `/invoice/uploadLink?applyId=${one.applyId}`);
    expect(shown.data).toMatchObject({ images: [{ id: data[0]?.id, name: 'a.png' }] });
    expect(String(shown.data['title'])).toContain('业务发票');
    const foreign = await rules.as('', 'POST', `/invoice/removeInvoiceFile?applyId=${other.applyId}`, {
      id: data[0]?.id,
    });
    expect(foreign.status).toBe(404);
    const removed = await rules.as('', 'POST', `/invoice/removeInvoiceFile?applyId=${one.applyId}`, {
      id: data[0]?.id,
    });
    expect(removed.status).toBe(200);
    expect(await imagesOf(invoice)).toEqual([]);
  });

  it('is one file for two links, and leaves the record when both have let it go', async () => {
    const invoice = await anInvoice();
    const [one, other] = [await aLink(invoice), await aLink(invoice, 'dc.aa')];
    const image = ['a.png', await picture('png', '#456')] as const;
    const [first] = (await upload(one.applyId, image)).data;
    expect((await upload(other.applyId, image)).data).toEqual([first]);
    const shown = await rules.as('', 'GET', `/invoice/uploadLink?applyId=${other.applyId}`);
    expect(shown.data).toMatchObject({ images: [{ id: first?.id }] });
    const counts = async () => {
      const { data } = await rules.as('sp.aa', 'GET', `/data/business_invoice/${invoice}/upload-links`);
      return (data as unknown as readonly { files: number }[]).map(({ files }) => files);
    };
    expect(await counts()).toEqual([1, 1]);
    const remove = (applyId: string) =>
      rules.as('', 'POST', `/invoice/removeInvoiceFile?applyId=${applyId}`, { id: first?.id });
    expect((await remove(other.applyId)).status).toBe(200);
    expect((await remove(other.applyId)).status).toBe(404);
    expect([await imagesOf(invoice), await counts()]).toEqual([[first?.id], [0, 1]]);
    expect((await remove(one.applyId)).status).toBe(200);
    expect([await imagesOf(invoice), await counts()]).toEqual([[], [0, 0]]);
  });

  it('is cancelled by the id of its upload, before it came, while it comes and afterwards', async () => {
    const invoice = await anInvoice();
    const { applyId } = await aLink(invoice);
    const cancel = (id: string) =>
      rules.as('', 'POST', `/invoice/removeInvoiceFile?applyId=${applyId}`, { upload: id });
    const [early, during, late] = [randomUUID(), randomUUID(), randomUUID()];
    expect((await cancel(early)).status).toBe(200);
    const refused = await upload(`${applyId}&upload=${early}`, ['a.png', await picture('png', '#555')]);
    expect([refused.status, refused.msg]).toEqual([409, '该图片已取消上传']);
    await Promise.all([
      upload(`${applyId}&upload=${during}`, ['a.png', await picture('png', '#666')]),
      cancel(during),
    ]);
    const saved = await upload(`${applyId}&upload=${late}`, ['a.png', await picture('png', '#777')]);
    expect(await imagesOf(invoice)).toEqual([saved.data[0]?.id]);
    for (const again of [200, 200]) expect((await cancel(late)).status).toBe(again);
    expect(await imagesOf(invoice)).toEqual([]);
    expect((await cancel('x')).status).toBe(400);
  });

  it('repeated after a broken connection is the same, by its id', async () => {
    const invoice = await anInvoice();
    const { applyId } = await aLink(invoice);
    const chosen = `${applyId}&upload=${randomUUID()}`;
    const first = await upload(chosen, ['a.png', await picture('png', '#888')]);
    const again = await upload(chosen, ['a.png', await picture('png', '#888')]);
    expect(again.data).toEqual(first.data);
    const other = await upload(chosen, ['b.png', await picture('png', '#999')]);
    expect(await imagesOf(invoice)).toEqual([first.data[0]?.id, other.data[0]?.id]);
    const cancelled = await rules.as('', 'POST', `/invoice/removeInvoiceFile?applyId=${applyId}`, {
      upload: chosen.split('=')[1],
    });
    expect([cancelled.status, await imagesOf(invoice)]).toEqual([200, [other.data[0]?.id]]);
  });

  it('sent twice stays when one of the two is cancelled, and goes by its file', async () => {
    const invoice = await anInvoice();
    const { applyId } = await aLink(invoice);
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const image = ['a.png', await picture('png', '#246')] as const;
    const [file] = await Promise.all(
      ids.map(async (id) => (await upload(`${applyId}&upload=${id}`, image)).data[0]),
    );
    const remove = (body: unknown) =>
      rules.as('', 'POST', `/invoice/removeInvoiceFile?applyId=${applyId}`, body);
    expect((await remove({ upload: ids[0] })).status).toBe(200);
    expect(await imagesOf(invoice)).toEqual([file?.id]);
    expect((await remove({ id: file?.id })).status).toBe(200);
    expect(await imagesOf(invoice)).toEqual([]);
  });

  it('is gone for good two nights after it was removed, although the log still names it', async () => {
    const invoice = await anInvoice();
    const { applyId } = await aLink(invoice);
    const [kept, removed] = [
      (await upload(applyId, ['a.png', await picture('png', '#123')])).data[0]?.id ?? '',
      (await upload(applyId, ['b.png', await picture('png', '#321')])).data[0]?.id ?? '',
    ];
    await rules.as('', 'POST', `/invoice/removeInvoiceFile?applyId=${applyId}`, { id: removed });
    const { services } = rules.example;
    for (const days of [0, 2, 4])
      await sweepFiles({ ...services, clock: () => new Date(Date.now() + days * 86_400_000) });
    expect([await services.files.find(kept), await services.files.find(removed)]).toMatchObject([
      { id: kept },
      null,
    ]);
  });
});

describe('the link', () => {
  it('is refused alike when it is forged, revoked, expired or the invoice is void', async () => {
    const invoice = await anInvoice();
    const image = ['a.png', await picture('png')] as const;
    const revoked = await aLink(invoice);
    const expired = await aLink(invoice);
    const closed = await aLink(invoice);
    expect(
      (await rules.as('sp.aa', 'DELETE', `/data/business_invoice/${invoice}/upload-links/${revoked.id}`))
        .status,
    ).toBe(200);
    await rules.example.services.db.execute(
      `update sys_upload_link set expires_at = now() - interval '1 second' where id = $1::uuid`,
      [expired.id],
    );
    const refused = [
      await upload('', image),
      await upload('x', image),
      await upload('A'.repeat(22), image),
      await upload(invoice, image),
      await upload(closed.id, image),
      await upload("' or 1=1 --", image),
      await upload(revoked.applyId, image),
      await upload(expired.applyId, image),
    ];
    expect((await rules.act('sp.aa', 'business_invoice', invoice, 'void', { opinion: '重开' })).status).toBe(
      200,
    );
    refused.push(await upload(closed.applyId, image));
    for (const { status, msg } of refused)
      expect([status, msg]).toEqual([400, '上传链接无效或已过期，请联系给您链接的人员']);
    expect(await imagesOf(invoice)).toEqual([]);
    const late = await rules.as('sp.aa', 'POST', `/data/business_invoice/${invoice}/upload-links`, {});
    expect([late.status, late.msg]).toEqual([409, '当前状态不能上传影像']);
  });

  it('is made by those who may change the record; its secret is stored nowhere', async () => {
    const invoice = await anInvoice();
    const { applyId } = await aLink(invoice);
    const links = (who: string, method = 'GET') =>
      rules.as(
        who,
        method,
        `/data/business_invoice/${invoice}/upload-links`,
        method === 'GET' ? undefined : {},
      );
    expect((await links('tm.aa')).status).toBe(403);
    expect((await links('fn.aa', 'POST')).status).toBe(403);
    expect((await links('')).status).toBe(401);
    expect((await links('sp.aa')).data).toMatchObject([{ isOpen: true, files: 0 }]);
    const [row] = await rules.example.services.db.query(
      'select (select count(*) from sys_upload_link where sys_upload_link::text like $1)::int as n',
      [`%${applyId}%`],
    );
    expect(row?.['n']).toBe(0);
    const none = await rules.as('sp.aa', 'POST', `/data/shipment/${invoice}/upload-links`, {});
    expect(none.status).toBe(403);
  });

  it.each<readonly [string, RequestInit, number, string]>([
    ['no file', { method: 'POST', body: new FormData() }, 400, '请选择文件'],
    [
      'JSON',
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
      415,
      '不支持的内容类型',
    ],
    ['nothing', { method: 'POST' }, 415, '不支持的内容类型'],
    [
      'half a body',
      broken('--b\r\ncontent-disposition: form-data; name="files"; filename="a.jpg"\r\n\r\nxy'),
      400,
      '上传内容不完整，请重试',
    ],
    ['no boundary', broken('what is this'), 400, '上传内容不完整，请重试'],
    [
      'a head without an end',
      broken('--b\r\ncontent-disposition: form-data; name='),
      400,
      '上传内容不完整，请重试',
    ],
  ])('that comes with %s is told so', async (_, init, status, says) => {
    const { applyId } = await aLink(await anInvoice());
    const response = await fetch(
      `${rules.example.url}/erp/api/invoice/uploadInvoiceFile?applyId=${applyId}`,
      init,
    );
    const { msg } = (await response.json()) as { msg: string };
    expect([response.status, msg]).toEqual([status, says]);
  });

  it('brings in no more than its definition says, what was removed included', async () => {
    const invoice = await anInvoice();
    const { applyId, id } = await aLink(invoice);
    const { data } = await upload(applyId, ['a.png', await picture('png')]);
    await rules.as('', 'POST', `/invoice/removeInvoiceFile?applyId=${applyId}`, { id: data[0]?.id });
    await rules.example.services.db.execute(
      'update sys_upload set size = 1000::bigint * 1024 * 1024 - 10 where link = $1::uuid',
      [id],
    );
    const spent = await upload(applyId, ['b.png', await picture('png', '#00f')]);
    expect([spent.status, spent.msg]).toEqual([400, '该链接累计上传已达1000M，请联系给您链接的人员重新生成']);
    const other = await aLink(invoice);
    expect((await upload(other.applyId, ['b.png', await picture('png', '#00f')])).status).toBe(200);
  });

  it('takes 300 images an hour; guesses of one address are counted', async () => {
    const { applyId, id } = await aLink(await anInvoice());
    const { db, clock } = rules.example.services;
    const used = (kind: string, subject: string, calls: number) =>
      db.execute(
        'insert into sys_call (kind, subject, at) select $1, $2, $3::timestamptz from generate_series(1, $4::int)',
        [kind, subject, clock().toISOString(), calls],
      );
    const image = ['a.png', await picture('png')] as const;
    await used('upload image', id, 299);
    expect((await upload(applyId, image)).status).toBe(200);
    expect((await upload(applyId, image)).status).toBe(429);
    await db.execute(`delete from sys_call where kind = 'upload link'`);
    await used('upload link', '127.0.0.1', 29);
    const wrong = () => rules.as('', 'GET', '/invoice/uploadLink?applyId=AAAAAAAAAAAAAAAAAAAAAA');
    expect([(await wrong()).status, (await wrong()).status]).toEqual([400, 429]);
    await db.execute(`delete from sys_call where kind = 'upload link'`);
  });

  it('refuses a far too large request before it is read', async () => {
    const { applyId } = await aLink(await anInvoice());
    const answer = await new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(rules.example.url);
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `POST /erp/api/invoice/uploadInvoiceFile?applyId=${applyId} HTTP/1.1\r\nhost: x\r\n` +
            `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${11 * MAX}\r\n\r\n--b\r\n`,
        ),
      );
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString('utf8'));
      });
      socket.once('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
    expect(answer).toContain('请选择20M以内的图片！');
  });

  it('refuses a too large image at its first byte too many, however much would follow', async () => {
    const { applyId } = await aLink(await anInvoice());
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        if (sent === 0)
          controller.enqueue(
            Buffer.from('--b\r\ncontent-disposition: form-data; name="files"; filename="a.jpg"\r\n\r\n'),
          );
        sent += 1;
        if (sent > 400) controller.close();
        else controller.enqueue(Buffer.alloc(1024 * 1024));
      },
    });
    const response = await fetch(
      `${rules.example.url}/erp/api/invoice/uploadInvoiceFile?applyId=${applyId}`,
      {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        body,
        duplex: 'half',
      } as RequestInit,
    );
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(200);
  });

  it('takes no more than the field holds', async () => {
    const invoice = await anInvoice();
    const { applyId } = await aLink(invoice);
    const first = await upload(applyId, ['a.png', await picture('png')]);
    const filler = Array.from(
      { length: 49 },
      (_, index) => `00000000-0000-4000-8000-0000000000${10 + index}`,
    );
    await rules.example.services.db.execute(
      'update business_invoice set images = $2::uuid[] where id = $1::uuid',
      [invoice, [first.data[0]?.id, ...filler]],
    );
    const full = await upload(applyId, ['b.png', await picture('png', '#00f')]);
    expect([full.status, full.msg]).toEqual([400, '该单据最多上传50张图片']);
  });
});

function broken(body: string): RequestInit {
  return { method: 'POST', body, headers: { 'content-type': 'multipart/form-data; boundary=b' } };
}

/** A small file of a picture with 100 million pixels. */
function bomb(format: 'png' | 'jpeg'): Promise<Buffer> {
  const create = { width: 10_000, height: 10_000, channels: 3 as const, background: '#000' };
  return sharp({ create }).toFormat(format).toBuffer();
}
