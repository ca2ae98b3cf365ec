import { checkBuild } from '#web/faults/build-watch.ts';
import { callApi } from '#web/data/http.ts';
import { noteDefinitions } from '#web/data/definitions-tag.ts';
import { sealForTransport } from '#web/data/transport-cipher.ts';
import { storedAuthorization, storedPerson } from '#web/data/stored-person.ts';
import { rememberSeen } from './seen-notices.ts';

/** What the stream tells. */
export type LiveEvent =
  | {
      readonly event: 'notice';
      readonly data: {
        readonly id: string;
        readonly title: string;
        readonly content: string;
        /** `info`, `warn` or `urgent`. */
        readonly level?: string | null;
        readonly resource: string | null;
        readonly record_id: string | null;
        /** A page, where it speaks of no one record: a list, a report. */
        readonly link?: string | null;
      };
    }
  | { readonly event: 'definitions' | 'session'; readonly data: unknown };

const CHANNEL = 'erp-live';
const LOCK = 'erp-live-leader';
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** As many as usually come within the minutes that the server goes back. */
const NEWEST = 50;
/** Three heartbeats of the server, which sends one every 15 seconds, and a little more. */
const LONGEST_SILENCE_MS = 50_000;

/**
 * One stream a browser: the tab that holds the lock reads it and tells the others, since HTTP/1.1 allows six
 * connections a host. Reconnects with growing, jittered waits. Partners have no stream. Returns how to stop.
 */
export function openLiveStream(onEvent: (event: LiveEvent) => void): () => void {
  const stop = new AbortController();
  const channel = new BroadcastChannel(CHANNEL);
  // Every window remembers the events: the one that leads next goes on from the last, and shows none twice.
  const last = { id: '' };
  const seen = rememberSeen();
  const hear = (event: LiveEvent): boolean => {
    if (event.event === 'notice') {
      if (!seen.isNew(event.data.id)) return false;
      last.id = event.data.id;
    }
    onEvent(event);
    return true;
  };
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => hear(data);
  const tell = (event: LiveEvent) => {
    if (hear(event) && 'locks' in navigator) channel.postMessage(event);
  };
  // What was there before is no news: the server repeats what lies shortly before the event that one goes on from.
  const begin = (ids: readonly string[]) => {
    last.id = ids[0] ?? '';
    seen.begin(ids);
  };
  lead(() => keepReading(tell, { last, begin }, stop.signal), stop.signal).catch(() => undefined);
  return () => {
    stop.abort();
    channel.close();
  };
}

/** Runs the work in one window of the browser; over plain HTTP there are no locks, so every window works for itself. */
async function lead(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  if ('locks' in navigator) await navigator.locks.request(LOCK, { signal }, work);
  else await work();
}

/** Logging out closes the stream (spec section 4). */
export function closeLiveStream(): void {
  const person = storedPerson();
  const authorization = storedAuthorization();
  if (person === null || authorization === null) return;
  fetch('/erp/msg/sse/close', {
    method: 'POST',
    keepalive: true,
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify({ personid: sealForTransport(person.personid) }),
  }).catch(() => undefined);
}

interface StreamStart {
  readonly last: { readonly id: string };
  /** Goes on from the notices that were there before, the newest first. */
  readonly begin: (ids: readonly string[]) => void;
}

async function keepReading(
  tell: (event: LiveEvent) => void,
  { last, begin }: StreamStart,
  signal: AbortSignal,
): Promise<void> {
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted && storedAuthorization() !== null) {
    try {
      // Without a last event the server repeats nothing: what comes while the stream is down would show no pop-up.
      if (last.id === '') begin(await newestNotices());
      await readOnce(
        (event) => {
          wait = FIRST_WAIT_MS;
          tell(event);
        },
        last.id,
        signal,
      );
    } catch {
      // A closed or broken stream is opened again below.
    }
    await pause(wait * (0.5 + Math.random()), signal);
    // The server that answers next may be a new one.
    if (!signal.aborted) void checkBuild();
    wait = Math.min(LONGEST_WAIT_MS, wait * 2);
  }
}

/** The notices that are there now, the newest first; none when nobody answers. */
async function newestNotices(): Promise<readonly string[]> {
  try {
    const { records } = await callApi('POST /notice/query', { body: { tab: 'all', pageSize: NEWEST } });
    return records.map(({ id }) => id);
  } catch {
    return [];
  }
}

/**
 * Reads one stream until it ends. After a sleep, or when something on the way forgot the connection, it does not end but
 * is silent for good: it is given up then.
 */
async function readOnce(tell: (event: LiveEvent) => void, lastId: string, stop: AbortSignal): Promise<void> {
  const silence = new AbortController();
  const watch = () => setTimeout(() => silence.abort(), LONGEST_SILENCE_MS);
  let timer = watch();
  const heard = () => {
    clearTimeout(timer);
    timer = watch();
  };
  try {
    await readStream(tell, heard, { lastId, signal: AbortSignal.any([stop, silence.signal]) });
  } finally {
    clearTimeout(timer);
  }
}

async function readStream(
  tell: (event: LiveEvent) => void,
  heard: () => void,
  { lastId, signal }: { readonly lastId: string; readonly signal: AbortSignal },
): Promise<void> {
  const person = storedPerson();
  const authorization = storedAuthorization();
  if (person === null || authorization === null) return;
  const response = await fetch(
    `/erp/msg/sse/connect?personid=${encodeURIComponent(sealForTransport(person.personid))}`,
    {
      headers: {
        Authorization: authorization,
        Accept: 'text/event-stream',
        ...(lastId === '' ? {} : { 'Last-Event-ID': lastId }),
      },
      signal,
    },
  );
  noteDefinitions(response);
  if (response.status === 401) await callApi('GET /sys/session').catch(() => undefined);
  if (!response.ok || response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== null) tell(event);
    }
  }
}

/** One block of the stream; malformed data is only logged. */
export function parseBlock(block: string): LiveEvent | null {
  const lines = block.split('\n');
  const read = (name: string) =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trim())
      .join('\n');
  const [event, data] = [read('event'), read('data')];
  if (event !== 'notice' && event !== 'definitions' && event !== 'session') return null;
  try {
    const value: unknown = data === '' ? null : JSON.parse(data);
    if (event !== 'notice') return { event, data: value };
    if (isNotice(value)) return { event, data: value };
    console.warn('消息内容无法解析', value);
    return null;
  } catch (error) {
    console.warn('消息内容无法解析', error);
    return null;
  }
}

type NoticeData = Extract<LiveEvent, { readonly event: 'notice' }>['data'];

function isNotice(value: unknown): value is NoticeData {
  if (typeof value !== 'object' || value === null) return false;
  const { id, title, content } = value as Partial<Record<keyof NoticeData, unknown>>;
  return typeof id === 'string' && typeof title === 'string' && typeof content === 'string';
}

function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
