// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLiveStream, parseBlock } from '#web/app/live-stream.ts';

describe('a block of the live stream', () => {
  const warn = vi.fn<(...given: unknown[]) => void>();
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(warn);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    warn.mockClear();
  });

  it('is a notice with its document', () => {
    const data = { id: 'a', title: '标题', content: '内容', resource: 'partner', record_id: 'b' };
    expect(parseBlock(`id: a\nevent: notice\ndata: ${JSON.stringify(data)}`)).toEqual({
      event: 'notice',
      data,
    });
  });

  it.each([
    '{"id":',
    'null',
    '[]',
    '"text"',
    '{"id":"a","title":1,"content":"内容"}',
    '{"title":"无编号"}',
    '',
  ])('is only logged when its data is malformed: %s', (data) => {
    expect(parseBlock(`event: notice\ndata: ${data}`)).toBeNull();
    expect(warn).toHaveBeenCalledOnce();
  });

  it('says nothing when it is a heartbeat or an event of another kind', () => {
    expect([parseBlock(': heartbeat'), parseBlock('retry: 3000'), parseBlock('event: other\ndata: {}')]).toEqual([
      null, null, null,
    ]); // prettier-ignore
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('the live stream', () => {
  const HEARTBEAT_MS = 15_000;
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  /** A server whose streams say nothing of themselves; an aborted request breaks its stream. */
  const answer = (address: string, { signal }: RequestInit): Promise<Response> => {
    if (!address.startsWith('/erp/msg/sse/connect'))
      return Promise.resolve(Response.json({ code: 200, msg: '', data: { records: [], total: 0 } }));
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        streams.push(stream);
        signal?.addEventListener('abort', () => stream.error(signal.reason));
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  };
  const say = (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(text));
  beforeEach(() => {
    streams.length = 0;
    vi.useFakeTimers();
    vi.stubGlobal('fetch', answer);
    const lists = { roleList: [], salesManList: [], userList: [], menuList: [] };
    const person = { id: 'a', personid: 'sp.aa', name: '周明', kind: 'staff', roleId: 'b', ...lists };
    localStorage.setItem('authorization', 'token');
    localStorage.setItem('person', JSON.stringify(person));
  });
  afterEach(() => {
    localStorage.clear();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('is kept as long as heartbeats come, and opened again when they stay away', async () => {
    const told: string[] = [];
    const stop = openLiveStream((event) => told.push(event.event));
    await vi.advanceTimersByTimeAsync(0);
    for (let beat = 0; beat < 8; beat += 1) {
      await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
      say(': heartbeat\n\n');
    }
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    expect(streams).toHaveLength(1);
    // Nothing ends a connection that was forgotten on the way.
    await vi.advanceTimersByTimeAsync(3 * HEARTBEAT_MS);
    expect(streams).toHaveLength(2);
    say('event: definitions\ndata: {}\n\n');
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual(['definitions']);
    stop();
    await vi.advanceTimersByTimeAsync(10 * HEARTBEAT_MS);
    expect(streams).toHaveLength(2);
  });
});
