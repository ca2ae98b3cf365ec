import { setTimeout as delay } from 'node:timers/promises';
import { type FrontServer, startFrontServer } from './front-server.ts';
import {
  load,
  type Load,
  type LoadRequest,
  median,
  mediansByTurns,
  middle,
  replay,
  timed,
} from './measure.ts';
import type { Shares } from './profile.ts';
import { measureChangedLine } from './changed-line.ts';
import { measureCrowd } from './crowd.ts';
import { startRawProcess } from './raw-child.ts';
import { measureReports } from './reports.ts';
import type { Recorded, RecordedCall } from './server-process.ts';
import { call, signIn } from './session.ts';

/** Where figures go. */
export type Add = (what: string, result: string, target: string, isMet: boolean) => void;

interface Bench {
  readonly server: FrontServer;
  readonly add: Add;
  /** Sees the rows of his own, every row comes with its fields filtered. */
  readonly ordinary: string;
  /** Sees every row of the company (the administrator's role has no business documents at all). */
  readonly unlimited: string;
}

const ROUNDS = 4;
const ROUND_S = 2;
/** What is not compiled yet is no speed that anybody has for longer than a morning's first seconds. */
const WARM_S = 8;
const LIST = {
  currentPage: 1,
  pageSize: 20,
  filters: { status: { in: ['approved', 'shipped'] } },
  sorters: ['-invoice_date'],
  columns: ['shipment_no', 'buyer_id', 'invoice_date', 'total_amount', 'status'],
};
const QUERY = '/erp/api/data/shipment/query';

/**
 * Lists, records, exports and reports: the server, the raw driver and the client each in a process of its own, ours and
 * the raw driver's rounds by turns, so that a busy machine slows both.
 */
export async function measureSpeed(
  env: Readonly<Record<string, string>>,
  { add, isQuick }: { readonly add: Add; readonly isQuick: boolean },
): Promise<void> {
  const server = await startFrontServer(env, 'small');
  try {
    const bench: Bench = {
      server,
      add,
      ordinary: await signIn(server.url, 'sp.aa', 'SP'),
      unlimited: await signIn(server.url, 'gm.aa', 'GM'),
    };
    await server.ask({ ask: 'fill', shipments: 100_000 });
    await measureList(bench);
    await measureRoles(bench);
    const contract = await measureContracts(bench);
    await measureCrowd(bench, {
      looking: toLoad(bench, bench.ordinary, { path: QUERY, body: LIST }),
      writing: toLoad(bench, bench.ordinary, contract),
    });
    await measureSingle(bench, '按金额排序的一页 / 10 万行', 30, { ...LIST, sorters: ['-total_amount'] });
    await measureSingle(bench, '搜索常见词 / 10 万行', 50, { ...LIST, keyword: 'aabx0000' });
    await measureInbox(bench);
    await server.ask({ ask: 'fillReceipts' });
    await measureReports(server, bench.unlimited, { size: '10 万', add });
    if (isQuick) return;
    await server.ask({ ask: 'fill', shipments: 1_000_000 });
    await measureMillion(bench);
    await measureExport(bench);
    await server.ask({ ask: 'fillReceipts' });
    await measureReports(server, bench.unlimited, { size: '100 万', add });
  } finally {
    await server.close();
  }
}

async function measureList(bench: Bench): Promise<void> {
  const request: RecordedCall = { path: QUERY, body: LIST };
  // The first request counts; for half a minute after it a list beyond 10,000 rows is known to be one.
  await recorded(bench, bench.ordinary, request);
  const paging = await recorded(bench, bench.ordinary, request);
  const load = toLoad(bench, bench.ordinary, request);
  await compare(bench, { what: '列表 20 / 10 万行（筛选、排序、权限）对裸驱动', goal: 0.75 }, load, paging);
}

async function measureRoles(bench: Bench): Promise<void> {
  const request: RecordedCall = { path: QUERY, body: LIST };
  const { ours, bare } = await byTurns(
    toLoad(bench, bench.ordinary, request),
    toLoad(bench, bench.unlimited, request),
  );
  const slower = bare.perSecond / ours.perSecond;
  const isMet = slower < 1.2 && ours.failures + bare.failures === 0;
  bench.add('普通角色对不限行的角色', `${slower.toFixed(2)} ×`, '< 1.2 ×', isMet);
}

/** One contract read, created and changed; gives how one is created. */
async function measureContracts(bench: Bench): Promise<RecordedCall> {
  const { server, ordinary } = bench;
  const path = '/erp/api/data/export_contract';
  const list = await call(server.url, ordinary, { path: `${path}/query`, body: { pageSize: 1 } });
  const [first] = Array.isArray(list['records']) ? (list['records'] as readonly { id: string }[]) : [];
  const one = `${path}/${first?.id ?? ''}`;
  const reading: RecordedCall = { method: 'GET', path: one };
  const get = await recorded(bench, ordinary, reading);
  await compare(bench, { what: '读取一份合同对裸驱动', goal: 0.75 }, toLoad(bench, ordinary, reading), get);

  const { buyer_id, partner_id, sign_date } = get.made;
  const draft = { business_type: 'agency', buyer_id, partner_id, sign_date, currency: 'USD' };
  const creating: RecordedCall = { method: 'POST', path, body: draft };
  const made = await recorded(bench, ordinary, creating);
  const fresh = { since: made.since, numbers: [String(made.made['contract_no'])] };
  await compare(
    bench,
    { what: '新增（编号、审计）对裸驱动', goal: 0.7 },
    { ...toLoad(bench, ordinary, creating), connections: 4 },
    made,
    fresh,
  );
  // The raw driver repeats a change of one contract while another is changed by us.
  const other = await recorded(bench, ordinary, creating);
  await measureUpdate(bench, { path, ours: made.made, raw: other.made });
  await measureChangedLine(bench, path, draft);
  return creating;
}

/** Changes of one record follow each other, since each needs the version that the last one made. */
async function measureUpdate(
  bench: Bench,
  records: Readonly<Record<'ours' | 'raw', Record<string, unknown>>> & { readonly path: string },
): Promise<void> {
  const { server, ordinary } = bench;
  const changer = ({ id, version: first }: Record<string, unknown>): (() => RecordedCall) => {
    let version = Number(first);
    return () => {
      const body = { version, buyer_po: `PO-${version}` };
      version += 1;
      return { method: 'PATCH', path: `${records.path}/${String(id)}`, body };
    };
  };
  const next = changer(records.ours);
  const save = (): Promise<unknown> => call(server.url, ordinary, next());
  await save();
  const change = await recorded(bench, ordinary, changer(records.raw)());
  const raw = await startRawProcess({ ...change, fresh: { since: change.since, numbers: [] } });
  try {
    const { ours, bare } = await mediansByTurns(60, save, () => replay(raw.url));
    const ratio = bare / ours;
    const shown = `${(ratio * 100).toFixed(0)} %（${ours.toFixed(1)} / ${bare.toFixed(1)} ms，${change.statements.length} 条语句）`;
    bench.add('修改（版本、审计）对裸驱动，逐次', shown, '≥ 60 %', ratio >= 0.6);
  } finally {
    await raw.close();
  }
}

/** One page that somebody waits for, asked for by hand. */
async function measureSingle(
  { server, unlimited, add }: Bench,
  what: string,
  goalMs: number,
  body: object,
): Promise<void> {
  const ms = await median(15, () => call(server.url, unlimited, { path: QUERY, body }));
  add(what, `${ms.toFixed(0)} ms`, `< ${goalMs} ms`, ms < goalMs);
}

async function measureInbox({ server, unlimited, add }: Bench): Promise<void> {
  await server.ask({ ask: 'fillTasks', personid: 'gm.aa', tasks: 3_000 });
  const body = { currentPage: 1, pageSize: 20 };
  const ask = (): Promise<Record<string, unknown>> =>
    call(server.url, unlimited, { path: '/erp/api/approval/tasks/query', body });
  const { total } = await ask();
  const ms = await median(15, ask);
  add(`审核收件箱（${String(total)} 个任务）的一页`, `${ms.toFixed(0)} ms`, '< 20 ms', ms < 20);
}

async function measureMillion(bench: Bench): Promise<void> {
  const { server, unlimited, ordinary, add } = bench;
  // A count is known for half a minute to whoever asked with these filters; other days make another question.
  const counted: number[] = [];
  for (let day = 1; day <= 9; day += 1) {
    const filters = { ...LIST.filters, invoice_date: { gte: `2024-02-0${day}` } };
    const asked = timed(() => call(server.url, unlimited, { path: QUERY, body: { ...LIST, filters } }));
    counted.push((await asked).ms);
  }
  const first = middle(counted);
  add('首次计数的一页 / 100 万行', `${first.toFixed(0)} ms`, '< 60 ms', first < 60);
  await measureSingle(bench, '第 500 页 / 100 万行', 20, { ...LIST, currentPage: 500 });
  const result = await load(toLoad(bench, ordinary, { path: QUERY, body: LIST }));
  add('100 万行列表 p97.5（8 人同时）', `${result.p95Ms.toFixed(0)} ms`, '< 100 ms', result.p95Ms < 100);
}

async function measureExport({ server, add }: Bench): Promise<void> {
  const token = await signIn(server.url, 'tm.aa', 'TM');
  const before = Number(await server.ask({ ask: 'watchMemory' }));
  const columns = ['shipment_no', 'invoice_no', 'buyer_id', 'total_amount', 'status'];
  const filters = { invoice_date: { gte: '2024-01-01', lte: '2024-07-18' } };
  const { ms } = await timed(async () => {
    const body = { columns, filters };
    const job = await call(server.url, token, { path: '/erp/api/data/shipment/export', body });
    for (let tries = 0; tries < 900; tries += 1) {
      const path = `/erp/api/jobs/${String(job['jobId'])}`;
      const { status, message } = await call(server.url, token, { method: 'GET', path });
      if (status === 'failed') throw new TypeError(String(message));
      if (status === 'done') return;
      await delay(200);
    }
    throw new TypeError('the export did not end');
  });
  const grown = (Number(await server.ask({ ask: 'mostMemory' })) - before) / 1024 / 1024;
  const shown = `${grown.toFixed(0)} MB`;
  add(`导出约 20 万行（${(ms / 1_000).toFixed(1)} s），内存增加`, shown, '< 200 MB', grown < 200);
}

async function recorded({ server }: Bench, token: string, request: RecordedCall): Promise<Recorded> {
  // Answered by server-process.ts.
  return (await server.ask({ ask: 'statements', token, call: request })) as Recorded;
}

function toLoad({ server }: Bench, token: string, { method, path, body }: RecordedCall): LoadRequest {
  return {
    url: server.url + path,
    method: method === 'GET' ? 'GET' : 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

/** What the server spends a missed budget on, from its own profile under the same load. */
async function tellWhy({ server, add }: Bench, request: LoadRequest): Promise<void> {
  await server.ask({ ask: 'startProfile' });
  await load({ ...request, seconds: 2 });
  // Answered by profile.ts.
  const shares = (await server.ask({ ask: 'endProfile' })) as Shares;
  add('  其中', shares.map(([what, percent]) => `${what} ${percent.toFixed(0)} %`).join('，'), '', true);
}

async function compare(
  bench: Bench,
  { what, goal }: { readonly what: string; readonly goal: number },
  request: LoadRequest,
  { databaseUrl, statements }: Recorded,
  fresh: { readonly since: number; readonly numbers: readonly string[] } | null = null,
): Promise<void> {
  const { add } = bench;
  const raw = await startRawProcess({ databaseUrl, statements, fresh });
  const { connections = 8 } = request;
  const { ours, bare } = await byTurns(request, { url: raw.url, connections });
  await raw.close();
  const ratio = ours.perSecond / bare.perSecond;
  const failures = ours.failures + bare.failures;
  const counts = `${ours.perSecond.toFixed(0)} / ${bare.perSecond.toFixed(0)} 次每秒，${statements.length} 条语句`;
  const shown = `${(ratio * 100).toFixed(0)} %（${counts}${failures > 0 ? `，失败 ${failures}` : ''}）`;
  add(what, shown, `≥ ${goal * 100} %`, ratio >= goal && failures === 0);
  if (ratio < goal) await tellWhy(bench, request);
}

/** Two loads by turns, after a longer round of each that does not count. */
async function byTurns(
  first: LoadRequest,
  second: LoadRequest,
): Promise<{ readonly ours: Load; readonly bare: Load }> {
  const [ours, bare] = [[], []] as [Load[], Load[]];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seconds = round === 0 ? WARM_S : ROUND_S;
    const a = await load({ ...first, seconds });
    const b = await load({ ...second, seconds });
    if (round === 0) continue;
    ours.push(a);
    bare.push(b);
  }
  return { ours: together(ours), bare: together(bare) };
}

function together(loads: readonly Load[]): Load {
  return {
    perSecond: middle(loads.map(({ perSecond }) => perSecond)),
    p95Ms: middle(loads.map(({ p95Ms }) => p95Ms)),
    failures: loads.reduce((all, { failures }) => all + failures, 0),
  };
}
