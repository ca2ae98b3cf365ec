import type { RunningServer } from '#server/main.ts';
import { type Load, load, median, timed } from './measure.ts';
import { recordStatements, startRawServer } from './raw-server.ts';
import { call } from './session.ts';

/** Where figures go. */
export interface Findings {
  readonly add: (what: string, result: string, target: string, isMet: boolean) => void;
  readonly addRatio: (what: string, ours: Load, bare: Load, least: number) => void;
}

/** One record read, created, changed and saved with 500 lines, against the same statements by the raw driver. */
export async function measureRecords(
  server: RunningServer,
  token: string,
  { add, addRatio }: Findings,
): Promise<void> {
  const { url, services } = server;
  const list = await call(url, token, {
    path: '/erp/api/data/export_contract/query',
    body: { pageSize: 1, filters: { status: { eq: 'draft' } } },
  });
  const [record] = Array.isArray(list['records']) ? list['records'] : [];
  const id = String(record?.id ?? '');
  const path_ = `/erp/api/data/export_contract/${id}`;
  const headers = { authorization: token, 'content-type': 'application/json' };

  const full = await call(url, token, { method: 'GET', path: path_ });
  const getStatements = await recordStatements(() => call(url, token, { method: 'GET', path: path_ }));
  const rawGet = await startRawServer(services.db.url, getStatements, null);
  const get = await load({ url: url + path_, headers: { authorization: token } });
  addRatio('读取一份合同对裸驱动', get, await load({ url: rawGet.url }), 0.5);
  await rawGet.close();

  const draft = {
    business_type: 'agency',
    buyer_id: full['buyer_id'],
    partner_id: full['partner_id'],
    sign_date: full['sign_date'],
    currency: 'USD',
  };
  const creation = await recordWrite(() =>
    call(url, token, { path: '/erp/api/data/export_contract', body: draft }),
  );
  const rawCreate = await startRawServer(services.db.url, creation.statements, {
    since: creation.since,
    numbers: [String(creation.made['contract_no'])],
  });
  const create = await load({
    url: `${url}/erp/api/data/export_contract`,
    method: 'POST',
    headers,
    body: JSON.stringify(draft),
    connections: 4,
  });
  addRatio('新增（编号、审计）对裸驱动', create, await load({ url: rawCreate.url, connections: 4 }), 0.5);
  await rawCreate.close();

  let version = Number(full['version']);
  const patch = async () => {
    const saved = await call(url, token, {
      method: 'PATCH',
      path: path_,
      body: { version, buyer_po: `PO-${version}` },
    });
    version = Number(saved['version']);
    return saved;
  };
  await patch();
  const update = await recordWrite(patch);
  const rawUpdate = await startRawServer(services.db.url, update.statements, {
    since: update.since,
    numbers: [],
  });
  const ours = 1_000 / (await median(60, patch));
  const bare =
    1_000 /
    (await median(60, async () => {
      const answer = await fetch(rawUpdate.url);
      if (!answer.ok) throw new Error(await answer.text());
      await answer.text();
    }));
  await rawUpdate.close();
  add(
    '修改（版本、审计）对裸驱动，逐次',
    `${((ours / bare) * 100).toFixed(0)} %`,
    '≥ 50 %',
    ours / bare >= 0.5,
  );

  const [line] = Array.isArray(full['items']) ? full['items'] : [];
  const columns = ['goods_id', 'name_en', 'supplier_id', 'unit'] as const;
  const lines = Array.from({ length: 500 }, (_, place) => ({
    ...Object.fromEntries(columns.map((name) => [name, line?.[name] ?? null])),
    line_no: 1_000 + place,
    quantity: '10.0000',
    unit_price: '1.250000',
  }));
  const before = await call(url, token, { path: '/erp/api/data/export_contract', body: draft });
  const save = await timed(() =>
    call(url, token, {
      method: 'PATCH',
      path: `/erp/api/data/export_contract/${String(before['id'])}`,
      body: { version: before['version'], items: lines },
    }),
  );
  add('500 行合同一次保存', `${save.ms.toFixed(0)} ms`, '< 300 ms', save.ms < 300);
}

/** A write of the application with its statements and what it made. */
async function recordWrite(work: () => Promise<Record<string, unknown>>) {
  const since = Date.now();
  let made: Record<string, unknown> = {};
  const statements = await recordStatements(async () => {
    made = await work();
  });
  return { statements, made, since };
}
