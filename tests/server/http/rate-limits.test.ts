import fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import type { CallContract } from '#contract/call.ts';
import type { App } from '#server/http/app-types.ts';
import { handleErrors } from '#server/http/error-handling.ts';
import { type CommonRates, limitAddresses, limitPeople } from '#server/http/rate-limits.ts';
import type { Session } from '#server/auth/session-store.ts';

let app: App;
afterEach(() => app.close());

it('refuses one person beyond the rate, in Chinese and with how long to wait, and nobody else', async () => {
  await serve({ person: { calls: 3, seconds: 60 } });
  expect(await asks('/erp/api/x', 'anna', 5)).toEqual([200, 200, 200, 429, 429]);
  expect(await asks('/erp/api/x', 'bert', 1)).toEqual([200]);
  const refused = await ask('/erp/api/x', 'anna');
  expect(refused.json()).toMatchObject({ code: 429, msg: '操作过于频繁，请稍后再试', error: 'RATE_LIMITED' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
});

it('counts visitors by their address, and people behind one address apart from them', async () => {
  await serve({ visitor: { calls: 2, seconds: 60 } });
  expect(await asks('/erp/api/x', '', 3)).toEqual([200, 200, 429]);
  expect(await asks('/erp/api/x', 'anna', 3)).toEqual([200, 200, 200]);
});

it('counts a call with a rate of its own by itself', async () => {
  await serve({});
  expect(await asks('/erp/api/costly', 'anna', 3)).toEqual([200, 200, 429]);
  expect(await asks('/erp/api/x', 'anna', 3)).toEqual([200, 200, 200]);
  expect(await asks('/erp/api/costly', 'bert', 1)).toEqual([200]);
});

it('counts an address before it is known who asks, and pages not at all', async () => {
  await serve({ address: { calls: 2, seconds: 60 } });
  expect(await asks('/page', '', 4)).toEqual([200, 200, 200, 200]);
  expect(await asks('/erp/api/x', 'anna', 2)).toEqual([200, 200]);
  expect(await asks('/erp/api/x', 'bert', 1)).toEqual([429]);
});

const WIDE = { calls: 100, seconds: 60 };

function aSession(id: string): Session {
  return { id, stage: 'full', candidates: [], subject: null, isPasswordDue: false, createdAt: '' };
}

/** Two calls and a page; who asks stands in a header. */
async function serve(rates: Partial<CommonRates>): Promise<void> {
  const all = { person: WIDE, visitor: WIDE, address: WIDE, ...rates };
  app = fastify();
  handleErrors(app, () => undefined);
  await limitAddresses(app, all);
  app.decorateRequest('session', null);
  app.addHook('onRequest', async (request) => {
    const who = request.headers.authorization ?? '';
    if (who !== '') request.session = aSession(who);
  });
  limitPeople(app, all);
  app.get('/erp/api/x', async () => ({}));
  const contract: CallContract = {
    title: '昂贵',
    permission: 'visitor',
    limits: { rate: { calls: 2, seconds: 60 } },
  };
  app.get('/erp/api/costly', { config: { contract } }, async () => ({}));
  app.get('/page', async () => ({}));
}

async function asks(url: string, authorization: string, times: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) statuses.push((await ask(url, authorization)).statusCode);
  return statuses;
}

function ask(url: string, authorization: string) {
  return app.inject({ url, headers: { authorization } });
}
