import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addJob } from '#server/kernel/worker.ts';
import { connectTo } from '../support/notice-stream.ts';
import { type Example, startExample } from '../support/running-example.ts';

const TOKEN = 'scrape-token-0123456789';
let example: Example;
let guarded: Example;

beforeAll(async () => {
  example = await startExample({ ERP_TRUST_PROXY: '127.0.0.1', HOST: '0.0.0.0' });
  guarded = await startExample({ ERP_METRICS_TOKEN: TOKEN });
});
afterAll(async () => {
  await guarded.close();
  await example.close();
});

async function metrics(): Promise<string> {
  const response = await fetch(`${local(example)}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return response.text();
}

/** The value of a series; null when there is none. */
function valueOf(text: string, series: string): number | null {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

function local({ server }: Example): string {
  return `http://127.0.0.1:${new URL(server.url).port}`;
}

describe('the metrics', () => {
  it('count requests by route pattern, method and status, never by address', async () => {
    const token = await example.signIn('ad.aa');
    const id = '00000000-0000-7000-8000-000000000000';
    for (let times = 0; times < 3; times += 1)
      await example.call('GET', `/erp/api/data/note/${id}`, { token });
    await example.call('GET', '/no/such/page');
    await example.call('PUT', '/no/such/page');
    const text = await metrics();
    const count = (labels: string): number | null =>
      valueOf(text, `erp_http_request_duration_seconds_count{${labels}}`);
    expect(count('method="GET",route="/erp/api/data/:resource/:id",status="404"')).toBe(3);
    expect(count('method="POST",route="/erp/api/sys/login",status="200"')).toBe(1);
    // The pages answer every address once they are built, and none before.
    const pages = ['200', '404'].map((status) => count(`method="GET",route="/*",status="${status}"`));
    expect(pages.filter((times) => times !== null)).toEqual([1]);
    expect(count('method="*",route="*",status="404"')).toBe(1);
    expect(text).not.toContain(id);
    expect(text).not.toContain('/no/such');
    expect(text).toContain('erp_http_request_duration_seconds_bucket{le="0.1",method="POST"');
  });

  it('tell of the process, the pools, the streams and the notices', async () => {
    const token = await example.signIn('sp.aa');
    const stream = await connectTo(example.server.url, token, 'sp.aa');
    const [before, { services }] = [await metrics(), example.server];
    await services.db.transaction(async (tx) => {
      const [person] = await tx.query(`select id from person where lower(personid) = 'sp.aa'`);
      await services.notices.notify(tx, {
        event: 'COMMENT_MENTION', to: [String(person?.['id'])], title: '评论', content: '你好', coCode: 'AA',
      }); // prettier-ignore
    });
    await stream.waitFor('你好');
    const after = await metrics();
    expect(valueOf(after, 'erp_streams_connected')).toBe(1);
    for (const name of ['erp_notices_total', 'erp_notices_sent_total'])
      expect([name, (valueOf(after, name) ?? 0) - (valueOf(before, name) ?? 0)]).toEqual([name, 1]);
    expect(valueOf(after, 'erp_database_connections{pool="application",state="total"}')).toBeGreaterThan(0);
    expect(valueOf(after, 'erp_database_connections{pool="walled",state="waiting"}')).toBe(0);
    for (const name of ['erp_ready', 'erp_database_up'])
      expect([name, valueOf(after, name)]).toEqual([name, 1]);
    expect(valueOf(after, 'erp_definition_faults')).toBe(0);
    expect(valueOf(after, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(after).toContain('nodejs_eventloop_lag_p99_seconds');
    // A stream that has ended was no slow request.
    stream.close();
    expect(await metrics()).not.toContain('route="/erp/msg/sse/connect"');
  });

  it('count jobs by task and state', async () => {
    const { db } = example.server.services;
    await addJob(db, 'no_such_task', {}, { runAt: new Date(Date.now() + 3_600_000) });
    await addJob(db, 'no_such_task', {});
    const text = await metrics();
    expect(valueOf(text, 'erp_jobs{task="no_such_task",state="scheduled"}')).toBe(1);
    expect(valueOf(text, 'erp_jobs{task="no_such_task",state="ready"}')).toBe(1);
    expect(valueOf(text, 'erp_jobs_oldest_ready_seconds')).toBeGreaterThanOrEqual(0);
  });
});

describe('without a token', () => {
  it('only this machine reads them, and no header says where a request is from', async () => {
    const claims = { 'x-forwarded-for': '127.0.0.1' };
    const forwarded = await fetch(`${local(example)}/metrics`, { headers: claims });
    expect(forwarded.status).toBe(403);
    const [outside] = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    if (outside === undefined) return;
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(example.server.url);
      request({ host: outside.address, port, path: '/metrics', localAddress: outside.address }, (response) =>
        resolve(response.statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

describe('with a token', () => {
  it.each([
    ['none', {}, 401],
    ['another', { authorization: `Bearer ${TOKEN}x` }, 401],
    ['its beginning', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }, 401],
    ['the token', { authorization: `Bearer ${TOKEN}` }, 200],
    ['the token, from anywhere', { authorization: `bearer ${TOKEN}`, 'x-forwarded-for': '8.8.8.8' }, 200],
  ])('%s is answered as it should be', async (_what, headers, status) => {
    expect((await fetch(`${guarded.server.url}/metrics`, { headers })).status).toBe(status);
  });
});
