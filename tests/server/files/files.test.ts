import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_FILE_BYTES } from '#engine/fields/file-rules.ts';
import { detectFileType } from '#server/records/files/file-type.ts';
import { type Example, startExample } from '../support/running-example.ts';

let example: Example;
let token: string;

beforeAll(async () => {
  example = await startExample();
  token = await example.signIn('sp.aa', 'SP');
});
afterAll(() => example.close());

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
}

function png(): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const upload = (bytes: Buffer, name: string, query = '', as = token) => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  return example.call('POST', `/erp/api/files${query}`, { token: as, body: form });
};

/** Id of a picture that belongs to no record yet. */
const stored = async () => ((await upload(png(), '图.png')).body.data as { id: string }).id;

describe('a type', () => {
  it('is told by the content', () => {
    expect(detectFileType(png())?.mime).toBe('image/png');
    expect(detectFileType(Buffer.from('%PDF-1.7 ...'))?.mime).toBe('application/pdf');
    expect(detectFileType(Buffer.from('编号,名称\n1,铁'))?.extension).toBe('txt');
    expect(detectFileType(Buffer.from('<html><script>alert(1)</script>'))).toBeNull();
    expect(detectFileType(Buffer.from('MZ\0\0'))).toBeNull();
    expect(detectFileType(Buffer.from('RIFF\0\0\0\0WAVEfmt '))?.mime).toBe('audio/wav');
    expect(detectFileType(Buffer.from('ID3\x03\0\0'))?.mime).toBe('audio/mpeg');
    expect(detectFileType(Buffer.from('49492a0008000000', 'hex'))?.extension).toBe('tif');
    expect(detectFileType(Buffer.from('\0\0\0\x18ftypheic'))).toEqual({
      mime: 'image/heic',
      extension: 'heic',
      isImage: false,
    });
    expect(detectFileType(Buffer.from('AC1032\0\0'))?.extension).toBe('dwg');
    expect(detectFileType(Buffer.from('{\\rtf1\\ansi'))?.extension).toBe('rtf');
    expect(detectFileType(Buffer.from('OggS\0\x02'))?.mime).toBe('audio/ogg');
    expect(detectFileType(Buffer.from('\0\0\0\x20ftypisom'))?.mime).toBe('video/mp4');
    expect(detectFileType(Buffer.from('\0\0\0\x20ftypM4A '))?.mime).toBe('audio/mp4');
    expect(
      detectFileType(Buffer.from('1a45dfa3a34286810142f7810142f2810442f381084282847765626d', 'hex'))?.mime,
    ).toBe('video/webm');
    expect(detectFileType(png().subarray(0, 40))).toBeNull();
  });
});

describe('an upload', () => {
  it('is read by its creator until it belongs to a record, then by whoever reads the record', async () => {
    const file = (await upload(png(), '扫描 1.png', '?resource=note&field=scan')).body.data as {
      id: string;
      size: number;
      type: string;
      name: string;
    };
    expect(file).toMatchObject({ name: '扫描 1.png', type: 'image/png' });
    const colleague = await example.signIn('tm.aa');
    const stranger = await example.signIn('tm.ae');
    const get = async (as: string) =>
      (await example.call('GET', `/erp/api/files/${file.id}`, { token: as })).status;
    expect([await get(token), await get(colleague)]).toEqual([200, 404]);
    const note = await example.call('POST', '/erp/api/data/note', {
      token,
      body: { title: '有附件', scan: [file.id] },
    });
    expect(note.body.msg).toBe('保存成功');
    expect([await get(token), await get(colleague), await get(stranger)]).toEqual([200, 200, 404]);
    const info = async (as: string) =>
      (await example.call('GET', `/erp/api/files/${file.id}/info`, { token: as })).body;
    const { name } = (await example.call('GET', '/erp/api/self', { token })).body.data as { name: string };
    expect((await info(colleague)).data).toMatchObject({
      name: '扫描 1.png',
      uploadedBy: name,
      uploadedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect((await info(stranger)).code).toBe(404);
  });

  it('shown in a rich text is read by whoever reads the record; one of another record stays closed', async () => {
    const colleague = await example.signIn('tm.aa');
    const statusOf = async (id: string) =>
      (await example.call('GET', `/erp/api/files/${id}`, { token: colleague })).status;
    const [shown, foreign] = [await stored(), await stored()];
    const body = { title: '有图', body: `<p><img src="/erp/api/files/${shown}" alt="图"></p>` };
    const note = await example.call('POST', '/erp/api/data/note', { token, body });
    expect(note.body.msg).toBe('保存成功');
    expect(await statusOf(shown)).toBe(200);
    const copied = { title: '抄来', body: `<p><img src="/erp/api/files/${foreign}" alt="图"></p>` };
    const copy = await example.call('POST', '/erp/api/data/note', { token: colleague, body: copied });
    expect([copy.body.msg, await statusOf(foreign)]).toEqual(['保存成功', 404]);
  });

  it('is served so that nothing in it runs', async () => {
    const file = (await upload(Buffer.from('name,amount'), '../../etc/x.html')).body.data as {
      id: string;
      name: string;
    };
    expect(file.name).toBe('x.html.txt');
    const { headers } = await example.call('GET', `/erp/api/files/${file.id}`, { token });
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('content-type')).toContain('text/plain');
  });

  it('is kept by a browser for the session that asked, not for whoever signs in after it', async () => {
    const id = await stored();
    for (const query of ['', '?thumb=1']) {
      const { headers } = await example.call('GET', `/erp/api/files/${id}${query}`, { token });
      expect(headers.get('cache-control')).toMatch(/^private, max-age=/);
      expect(headers.get('vary')?.toLowerCase()).toContain('authorization');
    }
  });

  it('of exactly 20 MiB is taken, one byte more is not', async () => {
    const whole = Buffer.alloc(MAX_FILE_BYTES, 'a');
    expect((await upload(whole, 'a.txt')).status).toBe(200);
    const over = await upload(Buffer.alloc(MAX_FILE_BYTES + 1, 'a'), 'b.txt');
    expect([over.status, over.body.msg]).toEqual([413, '请选择20M以内的文件！']);
  });

  it('of several files is answered in their order; each is kept before the next is read', async () => {
    const text = (content: string) => new Blob([content]);
    const send = (...files: readonly (readonly [Blob, string])[]) => {
      const form = new FormData();
      for (const [content, name] of files) form.append('files', content, name);
      return example.call('POST', '/erp/api/files', { token, body: form });
    };
    const named = (name: string) =>
      example.server.services.db.query('select record_id from sys_file where name = $1', [name]);
    const three = await send([text('1'), '甲.txt'], [text('2'), '乙.txt'], [text('1'), '丙.txt']);
    expect(three.body.data).toMatchObject([{ name: '甲.txt' }, { name: '乙.txt' }, { name: '丙.txt' }]);
    // The one before a refused one stays as one that nobody has saved, and the next is not kept.
    const large = new Blob([Buffer.alloc(MAX_FILE_BYTES + 1, 'a')]);
    for (const [place, refused] of [large, text('<svg onload=x>')].entries()) {
      const reply = await send(
        [text('3'), `前${place}.txt`],
        [refused, '错.txt'],
        [text('4'), `后${place}.txt`],
      );
      expect(reply.status).toBe(place === 0 ? 413 : 400);
      expect(await named(`前${place}.txt`)).toEqual([{ record_id: null }]);
      expect(await named(`后${place}.txt`)).toEqual([]);
    }
  });

  it('is refused to who has 500 MB that belong to no record', async () => {
    const own = await example.signIn('dm.aa');
    const id = ((await upload(Buffer.from('小'), '小.txt', '', own)).body.data as { id: string }).id;
    const { db } = example.server.services;
    const grow = (changes: string) => db.execute(`update sys_file set ${changes} where id = $1`, [id]);
    await grow(`size = ${500 * 1024 * 1024}`);
    const full = await upload(Buffer.from('再来'), '再.txt', '', own);
    expect([full.status, full.body.msg]).toEqual([
      413,
      '已上传而未保存到单据的附件超过500M，请先保存单据后再上传',
    ]);
    expect(await db.query(`select id from sys_file where name = '再.txt'`)).toEqual([]);
    expect((await upload(Buffer.from('别人'), '别.txt')).status).toBe(200);
    await grow('record_id = id');
    expect((await upload(Buffer.from('再来'), '再.txt', '', own)).status).toBe(200);
  });

  it('of nothing, of a page or of a broken picture is refused', async () => {
    expect((await upload(Buffer.alloc(0), 'a.txt')).body.msg).toBe('请选择文件');
    expect((await upload(Buffer.from('<svg onload=x>'), 'a.png')).body.msg).toBe('不支持的文件类型');
    expect((await upload(Buffer.from('plain text'), 'a.png', '?image=1')).body.msg).toBe('不支持的文件类型');
  });
});

describe('capturing a picture', () => {
  it('of the own network is refused', async () => {
    for (const url of [`${example.server.url}/x.png`, 'http://[::ffff:7f00:1]/x.png', 'http://2130706433/x.png', 'file:///etc/passwd', 'http://user@1.1.1.1/x.png']) {
      const { body } = await example.call('POST', '/erp/api/files/capture', { token, body: { url } });
      expect([url, body.msg]).toEqual([url, '无法抓取该图片']);
    }
  }); // prettier-ignore
});
