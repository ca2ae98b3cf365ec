import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepFiles } from '#server/jobs/clean-up.ts';
import { type RulesExample, startRulesExample } from '../rules/rules-example.ts';

const MAX = 20 * 1024 * 1024;
let rules: RulesExample;
let serial = 0;

beforeAll(async () => {
  rules = await startRulesExample({ 'sp.aa': 'SP', 'fn.aa': 'FN', 'dc.aa': 'DC', 'tm.aa': 'TM' });
}, 120_000);
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
    `${rules.example.url}/erp/api/invoice/uploadInvoiceFile?applyId=${encodeURIComponent(applyId)}`,
    { method: 'POST', body: form },
  );
  return { status: response.status, ...((await response.json()) as Omit<Reply, 'status'>) };
}

function picture(
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif',
  colour = '#8a1',
): Promise<Buffer> {
  const create = { width: 60, height: 40, channels: 3 as const, background: colour };
  return sharp({ create })
    .withExif({ IFD0: { Copyright: 'secret place' } })
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
      const { status, msg, data } = await upload(applyId, ['发票.x', await picture(format)]);
      expect([status, msg]).toEqual([200, '上传成功']);
      expect(await imagesOf(invoice)).toEqual([data[0]?.id]);
      const response = await fetch(`${rules.example.url}/erp/api/files/${data[0]?.id ?? ''}`, {
        headers: { authorization: await rules.example.signIn('fn.aa', 'FN') },
      });
      expect(response.status).toBe(200);
      const stored = Buffer.from(await response.arrayBuffer());
      const { format: kept, exif } = await sharp(stored).metadata();
      expect(kept).toBe(format === 'avif' ? 'jpeg' : format);
      expect(exif).toBeUndefined();
      expect(stored.includes('secret place')).toBe(false);
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
    ['a bomb', () => bomb()],
    ['a BMP', () => Promise.resolve(Buffer.concat([Buffer.from('BM'), Buffer.alloc(80)]))],
    [
      'a HEIC that no decoder here knows',
      () =>
        Promise.resolve(
          Buffer.concat([Buffer.from('00000018667479706865696300000000', 'hex'), Buffer.alloc(200)]),
        ),
    ],
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

  it.each<readonly [string, RequestInit]>([
    ['no file', { method: 'POST', body: new FormData() }],
    ['JSON', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }],
    ['nothing', { method: 'POST' }],
  ])('that comes with %s is answered in Chinese and not with 5xx', async (_, init) => {
    const { applyId } = await aLink(await anInvoice());
    const response = await fetch(
      `${rules.example.url}/erp/api/invoice/uploadInvoiceFile?applyId=${applyId}`,
      init,
    );
    const { msg } = (await response.json()) as { msg: string };
    expect(response.status).toBeLessThan(500);
    expect(msg).toMatch(/[一-鿿]/);
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

/** A small file of a picture with 100 million pixels. */
function bomb(): Promise<Buffer> {
  const create = { width: 10_000, height: 10_000, channels: 3 as const, background: '#000' };
  return sharp({ create }).png().toBuffer();
}
