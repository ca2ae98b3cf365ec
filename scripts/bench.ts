/**
 * `npm run bench`: ratios against the raw driver in the same run (design section 7). `--speed` measures lists,
 * records, exports and reports only, `--quick` stops them at 100k rows,
 * `--front` measures streams, logins, the login page and the editor only, without demo documents; `--attacks` shoots
 * costly bodies at the server and measures how long others wait; `--papers` lays out a hundred documents; `--postings` posts
 * documents to a ledger; `--definitions` measures an edited file and memory at
 * rest with a hundred resources only; `--month` an import of receipts, a month end and the night; `--limits` a limit under writers and a save of many lines under limits only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measureAttacks } from './bench/attacks.ts';
import { startTimes } from './bench/built-server.ts';
import { bundleSizes } from './bench/bundle-sizes.ts';
import { measureDefinitions } from './bench/definitions.ts';
import { measureMoneyScale } from './bench/money-scale.ts';
import { measurePapers } from './bench/papers.ts';
import { measurePostings } from './bench/postings.ts';
import { endCleanly } from './bench/end-cleanly.ts';
import { measureFront } from './bench/front.ts';
import { measureLimits } from './bench/limits.ts';
import { measureSpeed } from './bench/speed.ts';

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

endCleanly(folder);
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
  const speed = { ...env, ERP_DATA_DIR: path.join(folder, 'speed') };
  const isQuick = process.argv.includes('--quick');
  if (process.argv.includes('--speed')) {
    await measureSpeed(speed, { add, isQuick }).finally(print);
    return;
  }
  try {
    await measureStarts({ ...env, ERP_DATA_DIR: path.join(folder, 'data') });
    await measureFront(FRONT);
    await measureDefinitions(definitions, add);
    await measureLimits(limits, add);
    await measurePostings(postings, add);
    await measureMoneyScale(month, add);
    await measurePapers(papers, add);
    await measureSpeed(speed, { add, isQuick });
    measureBundles();
  } finally {
    print();
  }
}

async function measureStarts(started: Readonly<Record<string, string>>): Promise<void> {
  const times = await startTimes(started);
  if (times === null) return add('启动', '没有构建或没有就绪，未测', '', true);
  const { firstMs, againMs } = times;
  add('首次启动到就绪', `${(firstMs / 1_000).toFixed(1)} s`, '< 15 s', firstMs < 15_000);
  add('再次启动到就绪', `${(againMs / 1_000).toFixed(2)} s`, '< 1.5 s', againMs < 1_500);
}

function measureBundles(): void {
  const { login, chunks } = bundleSizes(path.join(root, 'dist/web'));
  add('登录页首批 JS（gzip）', `${login.toFixed(0)} kB`, '≤ 110 kB', login <= 110);
  for (const [name, size] of chunks) add(`  ${name}`, `${size.toFixed(0)} kB`, '', true);
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
