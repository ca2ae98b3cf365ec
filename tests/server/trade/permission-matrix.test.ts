import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTradeExample, type TradeExample } from './trade-example.ts';

let example: TradeExample;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  example = await startTradeExample();
  tokens['admin'] = await example.signIn('ad.aa', 'AD');
  tokens['finance'] = await example.signIn('fn.aa', 'FN');
}, 120_000);
afterAll(() => example.close());

const as = (who: string, method: string, path: string, body?: unknown) =>
  example.call(tokens[who] ?? '', method, path, body);

interface Matrix {
  readonly roles: readonly { readonly id: string; readonly code: string }[];
  readonly resources: readonly {
    readonly resource: string;
    readonly operations: readonly { readonly name: string; readonly title: string }[];
    readonly shipped: Readonly<
      Record<
        string,
        {
          readonly actions: readonly string[];
          readonly hidden_fields: readonly string[];
          readonly isConditional: boolean;
        }
      >
    >;
  }[];
}

async function matrix(): Promise<Matrix> {
  const { data } = await as('admin', 'GET', '/meta/permission-matrix');
  return data as unknown as Matrix;
}

it('shows what every file grants to every role', async () => {
  const { roles, resources } = await matrix();
  expect(roles.map(({ code }) => code)).toEqual(expect.arrayContaining(['SP', 'TM', 'FN', 'AD', 'PT']));
  const shipment = resources.find(({ resource }) => resource === 'shipment');
  expect(shipment?.shipped['TM']?.actions).toEqual(
    expect.arrayContaining(['list', 'read', 'approve', 'cancel']),
  );
  expect(shipment?.shipped['PT']?.hidden_fields).toContain('purchase_total');
  expect(shipment?.shipped['PT']?.actions).not.toContain('create');
  expect(shipment?.shipped['SP']?.isConditional).toBe(true);
  const names = shipment?.operations.map(({ name }) => name) ?? [];
  expect(names).toEqual(expect.arrayContaining(['list', 'create', 'submit', 'withdraw', 'approve', 'ship']));
  // What only the system does cannot be granted.
  expect(names).not.toContain('settle');
  expect(shipment?.operations.every(({ title }) => /\p{Script=Han}/u.test(title))).toBe(true);
});

it('is for administrators alone', async () => {
  expect((await as('finance', 'GET', '/meta/permission-matrix')).status).toBe(403);
});

it('takes a change at once, and gives it back at once', async () => {
  const { roles } = await matrix();
  const role = roles.find(({ code }) => code === 'FN');
  expect((await as('finance', 'POST', '/data/shipment/query', {})).status).toBe(200);
  const made = await as('admin', 'POST', '/data/permission_rule', {
    role_id: role?.id,
    resource: 'shipment',
    actions: ['print'],
  });
  expect([made.status, made.msg]).toEqual([200, expect.any(String)]);
  expect((await as('finance', 'POST', '/data/shipment/query', {})).status).toBe(403);
  const { id, version } = made.data;
  const gone = await as('admin', 'DELETE', `/data/permission_rule/${String(id)}?version=${String(version)}`);
  expect(gone.status).toBe(200);
  expect((await as('finance', 'POST', '/data/shipment/query', {})).status).toBe(200);
});
