import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTradeExample, type TradeExample } from './trade-example.ts';

let example: TradeExample;
let admin: string;

beforeAll(async () => {
  example = await startTradeExample();
  admin = await example.signIn('ad.aa', 'AD');
}, 600_000);
afterAll(() => example.close());

type Row = { readonly values: Record<string, unknown>; readonly id: string | null };

async function defaultsOf(resource: string): Promise<readonly Row[]> {
  const answer = await example.call(admin, 'GET', `/data/${resource}/defaults`);
  expect([answer.status, answer.msg]).toEqual([200, expect.any(String)]);
  return answer.data as unknown as readonly Row[];
}

it('gives the shipped dictionaries, each as the record that would override it', async () => {
  const shipped = await defaultsOf('dictionary');
  const units = shipped.find(({ values }) => values['name'] === 'export_mode');
  expect(units).toMatchObject({ id: null, values: { builtin: true } });
  const items = units?.values['items'] as readonly Record<string, unknown>[];
  const renamed = items.map((item, place) => (place === 0 ? { ...item, label: '代理' } : item));
  const { builtin: _readOnly, ...values } = units?.values ?? {};
  const made = await example.call(admin, 'POST', '/data/dictionary', { ...values, items: renamed });
  expect([made.status, made.problems]).toEqual([200, []]);
  const after = (await defaultsOf('dictionary')).find((row) => row.values['name'] === 'export_mode');
  // The shipped value is still told, beside the row that now wins.
  expect(after?.id).toBe(made.data['id']);
  expect(after?.values['items']).toEqual(items);
});

it('gives the shipped number patterns, each as a record that may be saved', async () => {
  const shipped = await defaultsOf('number_rule');
  expect(shipped.length).toBeGreaterThan(5);
  for (const { values } of shipped) {
    const made = await example.call(admin, 'POST', '/data/number_rule', values);
    expect([values['resource'], made.status, made.problems]).toEqual([values['resource'], 200, []]);
  }
  const after = await defaultsOf('number_rule');
  expect(after.every(({ id }) => id !== null)).toBe(true);
  const asked = { partner_id: example.masters.partner, category: '其他', title: '问', content: '<p>问</p>' };
  const service = await example.signIn('cs.aa', 'CS');
  const message = await example.call(service, 'POST', '/data/service_message', asked);
  const [own] = await example.services.db.query<{ current: string }>(
    `select current::text from number_rule where resource = 'service_message'`,
  );
  expect([message.status, own?.current]).toEqual([
    200,
    String(Number(String(message.data['msg_no']).slice(-6))),
  ]);
});

it('is nothing for a resource that overrides nothing', async () => {
  expect((await example.call(admin, 'GET', '/data/country/defaults')).status).toBe(404);
});
