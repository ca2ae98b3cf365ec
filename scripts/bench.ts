/**
 * `npm run bench`: ratios against the raw driver in the same run (design section 7). `--quick` stops at 100k rows,
 * `--front` measures streams, logins, the login page and the editor only, without demo documents; `--attacks` shoots
 * costly bodies at the server and measures how long others wait; `--papers` lays out a hundred documents; `--postings` posts
 * documents to a ledger; `--definitions` measures an edited file and memory at
 * rest with a hundred resources only; `--month` an import of receipts, a month end and the night; `--limits` a limit under writers and a save of many lines under limits only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '#server/kernel/config.ts';
import { prepareDatabase } from '#demo/prepare-database.ts';
import { type RunningServer, startServer } from '#server/main.ts';
import { measureAttacks } from './bench/attacks.ts';
import { bundleSizes } from './bench/bundle-sizes.ts';
import { measureDefinitions } from './bench/definitions.ts';
import { fillShipments } from './bench/fill-shipments.ts';
import { type Load, load, timed } from './bench/measure.ts';
import { recordStatements, startRawServer } from './bench/raw-server.ts';
import { measureMoneyScale } from './bench/money-scale.ts';
import { measurePapers } from './bench/papers.ts';
import { measurePostings } from './bench/postings.ts';
import { measureFront } from './bench/front.ts';
import { measureLimits } from './bench/limits.ts';
import { fillReceipts, measureReports } from './bench/reports.ts';
import { measureRecords } from './bench/records.ts';
import { call, signIn } from './bench/session.ts';

interface Row {
  readonly what: string;
  readonly result: string;
  readonly target: string;
  readonly isMet: boolean;
}

const rows: Row[] = [];
const folder = mkdtempSync(path.join(tmpdir(), 'erp-bench-'));
const root = path.resolve(import.meta.dirname, '..');
const env = {
  PORT: '0',
  HOST: '127.0.0.1',
  ERP_DATA_DIR: path.join(folder, 'data'),
  ERP_RESOURCES_DIR: path.join(root, 'resources'),
  LOG_LEVEL: 'error',
};
const FRONT = {
  env: { ...env, ERP_DATA_DIR: path.join(folder, 'front') },
  webDir: path.join(root, 'dist/web'),
  add,
};
const LIST = {
  currentPage: 1,
  pageSize: 20,
  filters: { status: { in: ['approved', 'shipped'] } },
  sorters: ['-invoice_date'],
  columns: ['shipment_no', 'buyer_id', 'invoice_date', 'total_amount', 'status'],
};

try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  if (process.argv.includes('--front')) {
    await measureFront(FRONT).finally(print);
    return;
  }
  const definitions = { env: { ...env, ERP_DATA_DIR: path.join(folder, 'definitions') }, folder };
  if (process.argv.includes('--definitions')) {
    await measureDefinitions(definitions, add).finally(print);
    return;
  }
  const limits = { env: { ...env, ERP_DATA_DIR: path.join(folder, 'limits') }, folder };
  if (process.argv.includes('--limits')) {
    await measureLimits(limits, add).finally(print);
    return;
  }
  const postings = { env: { ...env, ERP_DATA_DIR: path.join(folder, 'postings') }, folder };
  if (process.argv.includes('--postings')) {
    await measurePostings(postings, add).finally(print);
    return;
  }
  const month = { ...env, ERP_DATA_DIR: path.join(folder, 'month') };
  if (process.argv.includes('--month')) {
    await measureMoneyScale(month, add).finally(print);
    return;
  }
  const papers = { webDir: path.join(root, 'dist/web') };
  if (process.argv.includes('--papers')) {
    await measurePapers(papers, add).finally(print);
    return;
  }
  if (process.argv.includes('--attacks')) {
    await measureAttacks({ ...env, ERP_DATA_DIR: path.join(folder, 'attacks') }, add).finally(print);
    return;
  }
  const first = await timed(() =>
    startServer(readConfig(env), {
      prepare: prepareDatabase,
      isRateLimited: false,
      onProgress: (step) => process.stderr.write(`· ${step}\n`),
    }),
  );
  add(
    '首次启动（含演示数据导入）',
    `${(first.ms / 1000).toFixed(1)} s`,
    '数据库 < 3 s 加导入 < 60 s',
    first.ms < 63_000,
  );
  await first.value.close();
  const warm = await timed(() =>
    startServer(readConfig(env), { prepare: prepareDatabase, isRateLimited: false }),
  );
  add('再次启动到就绪', `${(warm.ms / 1000).toFixed(2)} s`, '< 1.5 s', warm.ms < 1_500);
  const server = warm.value;
  try {
    const tokens = {
      // Sees the rows of his own, every row comes with its fields filtered.
      ordinary: await signIn(server.url, 'sp.aa', 'SP'),
      // Sees every row of the company (the administrator's role has no business documents at all).
      unlimited: await signIn(server.url, 'gm.aa', 'GM'),
      exporting: await signIn(server.url, 'tm.aa', 'TM'),
    };
    await measureFront(FRONT);
    await measureDefinitions(definitions, add);
    await measureLimits(limits, add);
    await measurePostings(postings, add);
    await measureMoneyScale(month, add);
    await measurePapers(papers, add);
    await fillShipments(server, 100_000);
    await measureList(server, tokens, '10 万');
    await measureRecords(server, tokens.ordinary, { add, addRatio });
    await measureExport(server, tokens.exporting);
    await fillReceipts(server);
    await measureReports(server, tokens.unlimited, { size: '10 万', add });
    if (!process.argv.includes('--quick')) {
      await fillShipments(server, 1_000_000);
      await measureMillion(server, tokens.ordinary);
      await fillReceipts(server);
      await measureReports(server, tokens.unlimited, { size: '100 万', add });
    }
    measureBundles();
  } finally {
    print();
    await server.close();
  }
}

async function measureList(
  server: RunningServer,
  tokens: Readonly<Record<'ordinary' | 'unlimited', string>>,
  size: string,
): Promise<void> {
  const path_ = '/erp/api/data/shipment/query';
  const request = (token: string) => ({
    url: server.url + path_,
    method: 'POST' as const,
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(LIST),
  });
  const ask = () => call(server.url, tokens.ordinary, { path: path_, body: LIST });
  // The first request counts; for half a minute after it a list beyond 10,000 rows is known to be one.
  const counting = await recordStatements(ask);
  const paging = await recordStatements(ask);
  const ours = await load(request(tokens.ordinary));
  for (const [what, statements] of [
    ['每次都计数', counting],
    ['不计数', paging],
  ] as const) {
    const raw = await startRawServer(server.services.db.url, statements, null);
    const bare = await load({ url: raw.url });
    await raw.close();
    addRatio(`列表 20 / ${size}行（筛选、排序、计数、权限）对裸驱动（${what}）`, ours, bare, 0.7);
  }
  const unlimited = await load(request(tokens.unlimited));
  const slower = unlimited.perSecond / ours.perSecond;
  add(
    '普通角色对不限行的角色',
    `${slower.toFixed(2)} ×${failuresOf(unlimited)}`,
    '< 1.2 ×',
    slower < 1.2 && unlimited.failures === 0,
  );
}

async function measureExport(server: RunningServer, token: string): Promise<void> {
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 50);
  const started = performance.now();
  const job = await call(server.url, token, {
    path: '/erp/api/data/shipment/export',
    body: { columns: ['shipment_no', 'invoice_no', 'buyer_id', 'total_amount', 'status'] },
  });
  const id = String(job['jobId']);
  for (let tries = 0; tries < 600; tries += 1) {
    const state = await call(server.url, token, { method: 'GET', path: `/erp/api/jobs/${id}` });
    if (state['status'] !== 'running' && state['status'] !== 'waiting' && state['status'] !== 'queued') break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  clearInterval(watch);
  const grown = (most - before) / 1024 / 1024;
  add(
    `导出 10 万行（${((performance.now() - started) / 1000).toFixed(1)} s），内存增加`,
    `${grown.toFixed(0)} MB`,
    '< 200 MB',
    grown < 200,
  );
}

async function measureMillion(server: RunningServer, token: string): Promise<void> {
  const result = await load({
    url: `${server.url}/erp/api/data/shipment/query`,
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(LIST),
  });
  add('100 万行列表 p97.5', `${result.p95Ms.toFixed(0)} ms`, '< 100 ms', result.p95Ms < 100);
}

function measureBundles(): void {
  const { login, chunks } = bundleSizes(path.join(root, 'dist/web'));
  add('登录页首批 JS（gzip）', `${login.toFixed(0)} kB`, '≤ 110 kB', login <= 110);
  for (const [name, size] of chunks) add(`  ${name}`, `${size.toFixed(0)} kB`, '', true);
}

function failuresOf({ failures }: Load): string {
  return failures > 0 ? `，失败 ${failures}` : '';
}

function addRatio(what: string, ours: Load, bare: Load, least: number): void {
  const ratio = ours.perSecond / bare.perSecond;
  const failures = failuresOf(ours) + (bare.failures > 0 ? `，裸驱动失败 ${bare.failures}` : '');
  add(
    what,
    `${(ratio * 100).toFixed(0)} %（${ours.perSecond.toFixed(0)} / ${bare.perSecond.toFixed(0)} 次每秒${failures}）`,
    `≥ ${least * 100} %`,
    ratio >= least && ours.failures + bare.failures === 0,
  );
}

function add(what: string, result: string, target: string, isMet: boolean): void {
  rows.push({ what, result, target, isMet });
  process.stderr.write(`· ${what}：${result}\n`);
}

function print(): void {
  for (const row of rows)
    process.stdout.write(
      `${row.target === '' ? ' ' : row.isMet ? '✓' : '✗'} ${row.what}：${row.result}${row.target === '' ? '' : `（目标 ${row.target}）`}\n`,
    );
}
