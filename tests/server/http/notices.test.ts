import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '#server/main.ts';
import { type Example, sealed, startExample } from '../support/running-example.ts';

let example: Example;

beforeAll(async () => {
  example = await startExample();
});
afterAll(() => example.close());

interface Stream {
  readonly status: number;
  /** The text once it holds `part`. */
  readonly waitFor: (part: string) => Promise<string>;
  readonly close: () => void;
}

async function connect(
  token: string,
  personid: string,
  headers: Record<string, string> = {},
  url: string = example.server.url,
): Promise<Stream> {
  const abort = new AbortController();
  const query = new URLSearchParams({ personid: sealed(personid) });
  const response = await fetch(`${url}/erp/msg/sse/connect?${query.toString()}`, {
    headers: { authorization: token, ...headers },
    signal: abort.signal,
  });
  let text = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    status: response.status,
    waitFor: async (part) => {
      while (!text.includes(part)) {
        const read = await reader?.read();
        if (read === undefined || read.done) return `${text}[end]`;
        text += read.value;
      }
      return text;
    },
    close: () => abort.abort(),
  };
}

async function tell(personid: string, title: string): Promise<void> {
  const { db, notices } = example.server.services;
  const [row] = await db.query('select id, co_code from person where personid = $1', [personid]);
  await db.transaction((tx) =>
    notices.notify(tx, {
      event: 'COMMENT_MENTION',
      to: [String(row?.['id'])],
      title,
      content: '内容',
      coCode: String(row?.['co_code']),
    }),
  );
}

describe('the notice stream', () => {
  it('tells a person live, and replays what was missed', async () => {
    const token = await example.signIn('fn.aa');
    const stream = await connect(token, 'FN.AA');
    expect(stream.status).toBe(200);
    await tell('fn.aa', '第一条');
    const text = await stream.waitFor('第一条');
    const id = /id: (\S+)\nevent: notice\ndata: (.*)\n/.exec(text);
    expect(JSON.parse(id?.[2] ?? '{}')).toMatchObject({ id: id?.[1], title: '第一条', content: '内容' });
    stream.close();
    await tell('fn.aa', '第二条');
    const again = await connect(token, 'fn.aa', { 'last-event-id': id?.[1] ?? '' });
    expect(await again.waitFor('第二条')).not.toContain('第一条');
    again.close();
  });

  it('is refused for another person, for the sixth at once, and without a session', async () => {
    const token = await example.signIn('dc.aa');
    expect((await connect(token, 'fn.aa')).status).toBe(403);
    expect((await connect('', 'dc.aa')).status).toBe(401);
    const streams = [];
    for (let count = 0; count < 5; count += 1) streams.push(await connect(token, 'dc.aa'));
    expect((await connect(token, 'dc.aa')).status).toBe(429);
    await example.call('POST', '/erp/msg/sse/close', { token, body: { personid: sealed('dc.aa') } });
    expect(await streams[0]?.waitFor('never')).toContain('[end]');
  });

  it('ends with its session, and tells of new definitions', async () => {
    const token = await example.signIn('tr.aa');
    const stream = await connect(token, 'tr.aa');
    await example.definitions.write('sales/extra.json', {
      resource: 'extra', title: '附加', kind: 'master', label: 'title',
      fields: { title: { type: 'text', title: '标题', max: 20 } },
    }); // prettier-ignore
    expect(await stream.waitFor('event: definitions')).toContain('"extra"');
    await example.call('POST', '/erp/api/sys/logout', { token });
    expect(await stream.waitFor('[end]')).toContain('event: session\ndata: {"active":false}');
  });
});

describe('a second app on the same database', () => {
  it('tells its streams once of what was written in the first, and closes them from there', async () => {
    const second = await startServer({ ...example.config, port: 0 });
    try {
      const token = await example.signIn('gm.aa');
      const stream = await connect(token, 'gm.aa', {}, second.url);
      expect(stream.status).toBe(200);
      await tell('gm.aa', '来自另一进程');
      await tell('fn.aa', '给别人的');
      await tell('gm.aa', '最后一条');
      const text = await stream.waitFor('最后一条');
      expect(text.split('来自另一进程')).toHaveLength(2);
      expect(text).not.toContain('给别人的');
      const close = (personid: string) =>
        example.call('POST', '/erp/msg/sse/close', { token, body: { personid: sealed(personid) } });
      expect((await close('fn.aa')).status).toBe(403);
      expect((await close('gm.aa')).status).toBe(200);
      expect(await stream.waitFor('never')).toContain('[end]');
    } finally {
      await second.close();
    }
  });

  it('replays and goes on without loss or repetition while notices are being written', async () => {
    const token = await example.signIn('rk.aa');
    const stream = await connect(token, 'rk.aa');
    await tell('rk.aa', '起点');
    const start = /id: (\S+)\n/.exec(await stream.waitFor('起点'))?.[1] ?? '';
    stream.close();
    const titles = Array.from({ length: 12 }, (_, index) => `编号${index}号`);
    const writing = Promise.all(titles.map((title) => tell('rk.aa', title)));
    const again = await connect(token, 'rk.aa', { 'last-event-id': start });
    await writing;
    await tell('rk.aa', '终点');
    let text = await again.waitFor('终点');
    for (const title of titles) text = await again.waitFor(title);
    for (const title of titles) expect(text.split(`"${title}"`)).toHaveLength(2);
    again.close();
  });
});

describe('the message centre', () => {
  it('shows, reads and archives the own notices only', async () => {
    await tell('cs.aa', '给客服');
    const token = await example.signIn('cs.aa');
    const query = async (tab: string) =>
      (await example.call('POST', '/erp/api/notice/query', { token, body: { tab } })).body.data as {
        records: { id: string; title: string }[];
        total: number;
      };
    const { records, total } = await query('unread');
    expect([total, records[0]?.title]).toEqual([1, '给客服']);
    const id = records[0]?.id ?? '';
    const other = await example.signIn('fn.aa');
    expect((await example.call('POST', `/erp/api/notice/${id}/read`, { token: other })).status).toBe(404);
    expect((await example.call('POST', `/erp/api/notice/${id}/read`, { token })).status).toBe(200);
    expect((await query('unread')).total).toBe(0);
    expect((await example.call('POST', `/erp/api/notice/${id}/archive`, { token })).status).toBe(200);
    expect([(await query('all')).total, (await query('archived')).total]).toEqual([0, 1]);
  });

  it('hears of comments that mention somebody', async () => {
    const token = await example.signIn('tm.aa');
    const note = (await example.call('POST', '/erp/api/data/note', { token, body: { title: '讨论' } })).body
      .data as { id: string };
    const [fn] = await example.server.services.db.query(`select id from person where personid = 'fn.aa'`);
    const said = await example.call('POST', `/erp/api/comments/note/${note.id}`, {
      token,
      body: { content: '请看一下', mentions: [fn?.['id']] },
    });
    expect(said.status).toBe(200);
    const other = await example.signIn('fn.aa');
    const list = (
      await example.call('POST', '/erp/api/notice/query', { token: other, body: { keyword: '请看一下' } })
    ).body.data as { total: number };
    expect(list.total).toBe(1);
    expect(
      (await example.call('GET', `/erp/api/comments/note/${note.id}`, { token: other })).body.data,
    ).toHaveLength(1);
  });
});
