import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY } from '#server/kernel/config.ts';
import { type AppProcess, startProcess } from '../../support/run-process.ts';
import { type RulesExample, startRulesExample } from '../rules/rules-example.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
let rules: RulesExample;
let one: AppProcess;
let other: AppProcess;

beforeAll(async () => {
  rules = await startRulesExample({ 'rk.aa': 'RK' });
  [one, other] = await Promise.all([start(), start()]);
}, 600_000);
afterAll(async () => {
  for (const { child } of [one, other]) child.kill('SIGTERM');
  await rules.example.close();
});

function start(): Promise<AppProcess> {
  const { db, config } = rules.example.services;
  return startProcess({
    databaseUrl: db.url,
    dataDir: config.dataDir,
    resourcesDir: path.join(ROOT, 'resources'),
  });
}

interface Stream {
  readonly waitFor: (part: string) => Promise<string>;
}

async function connect(url: string, token: string, lastId?: string): Promise<Stream> {
  const query = new URLSearchParams({ personid: sealEnvelope('sp.aa', DEMO_AES_KEY) });
  const response = await fetch(`${url}/erp/msg/sse/connect?${query.toString()}`, {
    headers: { authorization: token, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
  });
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    waitFor: async (part) => {
      while (!text.includes(part)) {
        const read = await reader?.read().catch(() => undefined);
        if (read === undefined || read.done) return `${text}[end]`;
        text += read.value;
      }
      return text;
    },
  };
}

/** Freezes a partner of the salesperson at a process; gives the partner's name. */
async function freezeAt(url: string, token: string): Promise<string> {
  const id = await rules.aPartner();
  const { version, name } = await rules.stored('partner', id);
  const response = await fetch(`${url}/erp/api/data/partner/${id}/actions/freeze`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ version: Number(version), opinion: '回款异常' }),
  });
  expect(response.status).toBe(200);
  return String(name);
}

describe('two app processes on one database', () => {
  it('tag their definitions alike, so that a page between them does not read them again at each answer', async () => {
    const tags = await Promise.all(
      [one, other].map(async ({ url }) => {
        const { headers } = await fetch(`${url}/erp/api/meta/site`);
        return headers.get('x-definitions');
      }),
    );
    expect(tags).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), tags[0]]);
  });

  it('tell the right people of what the other did, close for the other, and go on when the other is killed', async () => {
    const reader = await rules.example.signIn('sp.aa', 'SP');
    const risk = await rules.example.signIn('rk.aa', 'RK');
    const stream = await connect(one.url, reader);
    const first = await freezeAt(other.url, risk);
    const text = await stream.waitFor(first);
    expect(text.split(`委托方${first}已冻结`)).toHaveLength(2);
    const lastId = /id: (\S+)\nevent: notice\ndata: [^\n]*$/m.exec(text)?.[1] ?? '';

    const closed = await fetch(`${other.url}/erp/msg/sse/close`, {
      method: 'POST',
      headers: { authorization: reader, 'content-type': 'application/json' },
      body: JSON.stringify({ personid: sealEnvelope('sp.aa', DEMO_AES_KEY) }),
    });
    expect(closed.status).toBe(200);
    expect(await stream.waitFor('never')).toContain('[end]');

    const missed = await freezeAt(one.url, risk);
    const again = await connect(one.url, reader, lastId);
    expect(await again.waitFor(missed)).not.toContain(`委托方${first}已冻结`);

    one.child.kill('SIGKILL');
    expect(await again.waitFor('never')).toContain('[end]');
    const moved = await connect(other.url, reader, lastId);
    expect(await moved.waitFor(missed)).toContain(missed);
    const last = await freezeAt(other.url, risk);
    expect(await moved.waitFor(last)).toContain(last);
  }, 60_000);
});
