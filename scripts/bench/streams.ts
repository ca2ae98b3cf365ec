import { fork } from 'node:child_process';
import path from 'node:path';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY } from '#server/kernel/config.ts';
import { type FrontServer, messageOf } from './front-server.ts';
import { signIn } from './session.ts';

/** What many open streams showed. */
export interface StreamFigures {
  readonly streams: number;
  /** Heap and buffers of the server's process for each stream, garbage taken out before and after, in kB. */
  readonly memoryKb: number;
  /** From the start of the write of one notice to everybody until 99 of a hundred streams have it, in ms. */
  readonly fanOutMs: number;
  /** Logins, role choice included, in a second. */
  readonly loginsPerSecond: number;
}

interface Session {
  readonly token: string;
  readonly personid: string;
}

const STREAMS = 2_000;
const PER_SESSION = 5;
const AT_ONCE = 8;
const WAIT_MS = 60_000;

/** Signs people in, opens five streams in each session from another process, and tells all of them something. */
export async function measureStreams(server: FrontServer): Promise<StreamFigures> {
  const start = performance.now();
  const sessions = await signInAll(server, STREAMS / PER_SESSION);
  const loginsPerSecond = sessions.length / ((performance.now() - start) / 1000);
  const client = fork(path.join(import.meta.dirname, 'stream-client.ts'), {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  try {
    const before = Number(await server.ask({ ask: 'held' }));
    const mark = `bench ${Date.now()}`;
    const opened = messageOf(client, 'open', WAIT_MS);
    client.send({
      url: server.url,
      mark,
      streams: sessions.flatMap((session) => Array.from({ length: PER_SESSION }, () => session)),
    });
    await opened;
    const after = Number(await server.ask({ ask: 'held' }));
    const arrived = messageOf(client, 'arrivals', WAIT_MS);
    const began = Number(await server.ask({ ask: 'tell', mark }));
    const late = ((await arrived) as readonly number[]).map((at) => at - began).toSorted((a, b) => a - b);
    return {
      streams: STREAMS,
      memoryKb: (after - before) / 1024 / STREAMS,
      fanOutMs: late[Math.ceil(late.length * 0.99) - 1] ?? Number.NaN,
      loginsPerSecond,
    };
  } finally {
    client.kill('SIGKILL');
  }
}

async function signInAll(server: FrontServer, wanted: number): Promise<readonly Session[]> {
  const people = (await server.ask({ ask: 'people' })) as readonly { personid: string; role: string }[];
  const sessions: Session[] = [];
  for (let done = 0; done < wanted; done += AT_ONCE)
    sessions.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, wanted - done) }, async (_, place) => {
          const { personid = '', role = '' } = people[(done + place) % people.length] ?? {};
          const token = await signIn(server.url, personid, role);
          return { token, personid: sealEnvelope(personid, DEMO_AES_KEY) };
        }),
      )),
    );
  return sessions;
}
