import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as delay } from 'node:timers/promises';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY } from '#server/config.ts';
import type { RunningServer } from '#server/main.ts';
import { signIn } from './session.ts';

/** What many open streams showed. */
export interface StreamFigures {
  readonly streams: number;
  /** Heap and buffers of the server's process for each stream, in kB. */
  readonly memoryKb: number;
  /** From the commit of one notice to everybody until the 99th of a hundred streams has it, in ms. */
  readonly fanOutMs: number;
  /** Logins, role choice included, in a second. */
  readonly loginsPerSecond: number;
}

const STREAMS = 2_000;
const PER_SESSION = 5;
const AT_ONCE = 8;
const WAIT_MS = 60_000;

/** Signs people in, opens five streams in each session from another process, and tells all of them something. */
export async function measureStreams(server: RunningServer): Promise<StreamFigures> {
  const { db, notices } = server.services;
  const people = await db.query<{ id: string; personid: string; co_code: string; role: string }>(
    `select p.id, p.personid, p.co_code, r.code as role from person p join role r on r.id = p.role_ids[1]
     where p.status = 'active' and not p.is_deleted order by p.personid`,
  );
  const sessions: { readonly token: string; readonly personid: string }[] = [];
  const wanted = STREAMS / PER_SESSION;
  const start = performance.now();
  for (let done = 0; done < wanted; done += AT_ONCE)
    sessions.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, wanted - done) }, async (_, place) => {
          const person = people[(done + place) % people.length];
          const personid = person?.personid ?? '';
          const token = await signIn(server.url, personid, person?.role ?? '');
          return { token, personid: sealEnvelope(personid, DEMO_AES_KEY) };
        }),
      )),
    );
  const loginsPerSecond = wanted / ((performance.now() - start) / 1000);
  const client = fork(path.join(import.meta.dirname, 'stream-client.ts'), {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  try {
    await delay(1_000);
    const before = held();
    const mark = `bench ${Date.now()}`;
    const opened = answerOf(client, 'open');
    client.send({
      url: server.url,
      mark,
      streams: sessions.flatMap((session) => Array.from({ length: PER_SESSION }, () => session)),
    });
    await opened;
    await delay(2_000);
    const memoryKb = (held() - before) / 1024 / STREAMS;
    const arrived = answerOf(client, 'arrivals');
    const byCompany = new Map<string, string[]>();
    for (const { id, co_code: company } of people)
      byCompany.set(company, [...(byCompany.get(company) ?? []), id]);
    await db.transaction(async (tx) => {
      for (const [coCode, to] of byCompany)
        await notices.notify(tx, { event: 'NEWS_PUBLISHED', to, title: mark, content: mark, coCode });
    });
    const sent = Date.now();
    const arrivals = (await arrived) as readonly number[];
    const late = arrivals.map((at) => at - sent).toSorted((a, b) => a - b);
    const fanOutMs = late[Math.floor(late.length * 0.99) - 1] ?? Number.NaN;
    return { streams: STREAMS, memoryKb, fanOutMs, loginsPerSecond };
  } finally {
    client.kill('SIGKILL');
  }
}

/** Bytes of the heap and of buffers that are in use, garbage taken out. */
function held(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function answerOf(client: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TypeError(`streams: no ${name} in time`)), WAIT_MS);
    client.on('message', (message: Readonly<Record<string, unknown>>) => {
      if (!(name in message)) return;
      clearTimeout(timer);
      resolve(message[name]);
    });
    client.once('exit', () => reject(new TypeError('the stream client ended')));
  });
}
