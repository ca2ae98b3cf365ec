import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Tx } from '#server/kernel/db/database.ts';
import type { MessageBus } from '#server/kernel/db/message-bus.ts';
import { NOTICE_WRITTEN } from '#server/kernel/notices/notice-service.ts';
import { startServer } from '#server/main.ts';
import { createStreamHub } from '#server/workflow/notices/stream-hub.ts';
import { connectTo, connectWith, type Stream } from '../support/notice-stream.ts';
import { type Example, sealed, startExample } from '../support/running-example.ts';

let example: Example;

beforeAll(async () => {
  example = await startExample();
});
afterAll(() => example.close());

const connect = (
  token: string,
  personid: string,
  headers = {},
  url: string = example.server.url,
): Promise<Stream> => connectTo(url, token, personid, headers);

async function notify(tx: Tx, personid: string, title: string): Promise<void> {
  const [row] = await tx.query('select id, co_code from person where personid = $1', [personid]);
  await example.server.services.notices.notify(tx, {
    event: 'COMMENT_MENTION',
    to: [String(row?.['id'])],
    title,
    content: '内容',
    coCode: String(row?.['co_code']),
  });
}

/** Settles when a message of a topic has been heard so often, by everybody who listened before. */
function heardBy(bus: MessageBus, topic: string, times: number): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    const stop = bus.listen(topic, () => {
      count += 1;
      if (count < times) return;
      stop();
      resolve();
    });
  });
}

async function tell(personid: string, ...titles: readonly string[]): Promise<void> {
  await example.server.services.db.transaction(async (tx) => {
    for (const title of titles) await notify(tx, personid, title);
  });
}

describe('the notice stream', () => {
  it('tells a person live, and replays what was missed', async () => {
    const token = await example.signIn('fn.aa');
    const stream = await connect(token, 'FN.AA');
    expect(stream.status).toBe(200);
    await tell('fn.aa', '第一条');
    const text = await stream.waitFor('第一条');
    const id = /id: (\S+)\nevent: notice\ndata: (.*)\n/.exec(text);
    const told = { id: id?.[1], title: '第一条', content: '内容', link: null };
    expect(JSON.parse(id?.[2] ?? '{}')).toMatchObject(told);
    stream.close();
    await tell('fn.aa', '第二条');
    const again = await connect(token, 'fn.aa', { 'last-event-id': id?.[1] ?? '' });
    expect(await again.waitFor('第二条')).not.toContain('第一条');
    again.close();
  });

  it('tells in the order in which it was written', async () => {
    const stream = await connect(await example.signIn('fn.aa'), 'fn.aa');
    const titles = Array.from({ length: 40 }, (_, index) => `第${String(index).padStart(2, '0')}条`);
    for (const title of titles) await tell('fn.aa', title);
    const text = await stream.waitFor(titles.at(-1) ?? '');
    expect([...text.matchAll(/第\d\d条/g)].map(([title]) => title)).toEqual(titles);
    stream.close();
  });

  it('tells what came while an earlier one could not be read', async () => {
    const stream = await connect(await example.signIn('fn.aa'), 'fn.aa');
    const { notices, bus } = example.server.services;
    let fail: (error: Error) => void = () => undefined;
    const load = vi.spyOn(notices, 'load').mockImplementationOnce(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    );
    const heard = heardBy(bus, NOTICE_WRITTEN, 2);
    await tell('fn.aa', '读不到的一条');
    await tell('fn.aa', '随后的一条');
    await heard;
    fail(new Error('the database was away'));
    expect(await stream.waitFor('随后的一条')).not.toContain('读不到的一条');
    load.mockRestore();
    stream.close();
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

describe('a stream that nobody reads', () => {
  it('is written to no more once its session has ended, though its connection stays open', async () => {
    const { services } = example.server;
    const hub = createStreamHub(services);
    const [person] = await services.db.query("select id from person where personid = 'rk.aa'");
    // Without a socket nothing is ever flushed, so that 'close' does not come.
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const write = vi.spyOn(response, 'write');
    hub.open({ personId: String(person?.['id']), sessionId: 'a1', response });
    await tell('rk.aa', '结束之前');
    await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1));
    await hub.close('a1');
    await vi.waitFor(() => expect(response.writableEnded).toBe(true));
    expect(hub.size()).toBe(0);
    const after = await connect(await example.signIn('rk.aa'), 'rk.aa');
    await tell('rk.aa', '结束之后');
    await after.waitFor('结束之后');
    await example.definitions.write('sales/unread.json', {
      resource: 'unread', title: '无人读', kind: 'master', label: 'title',
      fields: { title: { type: 'text', title: '标题', max: 20 } },
    }); // prettier-ignore
    await after.waitFor('event: definitions');
    expect(write).toHaveBeenCalledTimes(1);
    after.close();
    hub.stop();
  });
});

/** The id of a first notice, whose stream is closed then. */
async function lastSeen(token: string, personid: string): Promise<string> {
  const stream = await connect(token, personid);
  await tell(personid, '起点');
  const id = /id: (\S+)\n/.exec(await stream.waitFor('起点'))?.[1] ?? '';
  stream.close();
  return id;
}

/** A promise that is kept when `open` is called. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const kept: { open?: () => void } = {};
  const opened = new Promise<void>((resolve) => {
    kept.open = resolve;
  });
  return { opened, open: () => kept.open?.() };
}

describe('a stream that is opened again', () => {
  it('hears of everything it missed, however much', async () => {
    const token = await example.signIn('tm.aa');
    const id = await lastSeen(token, 'tm.aa');
    await tell('tm.aa', ...Array.from({ length: 430 }, (_, index) => `漏掉${index}号`));
    const again = await connect(token, 'tm.aa', { 'last-event-id': id });
    const text = await again.waitFor('漏掉429号');
    for (let index = 0; index < 430; index += 1) expect(text.split(`"漏掉${index}号"`)).toHaveLength(2);
    again.close();
  });

  it('hears of what was begun before its last event and committed after it', async () => {
    const token = await example.signIn('sp.aa');
    const { db } = example.server.services;
    const [written, commit] = [gate(), gate()];
    const late = db.transaction(async (tx) => {
      await notify(tx, 'sp.aa', '迟到的');
      written.open();
      await commit.opened;
    });
    await written.opened;
    const id = await lastSeen(token, 'sp.aa');
    commit.open();
    await late;
    const again = await connect(token, 'sp.aa', { 'last-event-id': id });
    await tell('sp.aa', '终点');
    const text = await again.waitFor('终点');
    expect(text.split('迟到的')).toHaveLength(2);
    expect(text).not.toContain('起点');
    again.close();
  });

  it.each([
    '', ' ', '0', 'x', '../../etc/passwd', '%00', '00000000-0000-0000-0000-000000000000', "' or 1=1 --",
    'ffffffff-ffff-ffff-ffff-ffffffffffff', '01900000-0000-7000-8000-00000000000g', '9'.repeat(4_000), '{"id":1}',
    '01900000-0000-7000-8000-000000000000, 01900000-0000-7000-8000-000000000001',
  ])('with the event id %j is a stream like any other', async (id) => {
    const token = await example.signIn('fn.aa');
    const stream = await connect(token, 'fn.aa', { 'last-event-id': id });
    expect(stream.status).toBe(200);
    await tell('fn.aa', `之后的${id.length}`);
    expect(await stream.waitFor(`之后的${id.length}`)).toContain('event: notice');
    stream.close();
  }); // prettier-ignore
});

describe('a stream is refused', () => {
  it.each<readonly [string, (own: string) => string | null]>([
    ['no envelope', () => null],
    ['an empty envelope', () => ''],
    ['plain text', () => 'fn.aa'],
    ['a blank', () => ' '],
    ['a cut envelope', (own) => own.slice(0, -4)],
    // Behind the vector: a changed bit of that may turn the first letter into its capital, who is the same person.
    ['a changed envelope', (own) => own.slice(0, 30) + (own[30] === 'A' ? 'B' : 'A') + own.slice(31)],
    ['the envelope of another person', () => sealed('dc.aa')],
    ['the envelope of nobody', () => sealed('')],
    ['the envelope of an id with blanks', () => sealed(' fn.aa ')],
    ['JSON', () => '{"personid":"fn.aa"}'],
    ['a long text', () => 'A'.repeat(1_000)],
  ])('with %s', async (_what, forge) => {
    const token = await example.signIn('fn.aa');
    const stream = await connectWith(example.server.url, token, { envelope: forge(sealed('fn.aa')) });
    expect(stream.status).toBe(403);
    const body = { personid: forge(sealed('fn.aa')) ?? '' };
    expect((await example.call('POST', '/erp/msg/sse/close', { token, body })).status).toBe(403);
  });

  it('with the token from before the choice of another role, whose stream ends', async () => {
    const token = await example.signIn('gm.aa');
    const stream = await connect(token, 'gm.aa');
    const { body: session } = await example.call('GET', '/erp/api/sys/session', { token });
    const placed = await example.call('POST', '/erp/api/sys/setPosition', {
      token,
      body: session.data,
    });
    expect([placed.status, placed.body.msg]).toEqual([200, expect.any(String)]);
    expect(await stream.waitFor('[end]')).toContain('event: session\ndata: {"active":false}');
    expect((await connect(token, 'gm.aa')).status).toBe(401);
    expect((await example.call('GET', '/erp/api/notice/unread', { token })).status).toBe(401);
    const fresh = (placed.body.data as { authorization: string }).authorization;
    const own = await connect(fresh, 'gm.aa');
    expect(own.status).toBe(200);
    own.close();
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
