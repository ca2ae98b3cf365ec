import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '#server/kernel/config.ts';
import { type RunningServer, startServer } from '#server/main.ts';
import { prepareDatabase } from '#demo/prepare-database.ts';
import { median, mediansByTurns, replay } from './measure.ts';
import { recordStatements, startRawServer } from './raw-server.ts';
import { call, signIn } from './session.ts';
import { tidyTables } from './tidy-tables.ts';

const WRITERS = 16;
const FITTING = 10;
const ROUNDS = 5;
const LINES = 500;
const RUNS = 25;
const REFUSAL = '领用超过库存';

type Fields = Record<string, unknown>;
type Add = (what: string, result: string, target: string, isMet: boolean) => void;

/**
 * A limit that sixteen writers want at once, and a save of 500 lines that each move a figure under a limit of another
 * record, against the same statements by the raw driver. With definitions of its own beside copies of the shipped ones.
 */
export async function measureLimits(
  given: { readonly env: Readonly<Record<string, string>>; readonly folder: string },
  add: Add,
): Promise<void> {
  const resources = path.join(given.folder, 'limited');
  cpSync(given.env['ERP_RESOURCES_DIR'] ?? 'resources', resources, { recursive: true });
  for (const definition of [STORE, DRAW])
    writeFileSync(path.join(resources, `${definition.resource}.json`), JSON.stringify(definition, null, 2));
  const env = { ...given.env, ERP_RESOURCES_DIR: resources, ERP_DEMO_DATA: '0' };
  const server = await startServer(readConfig(env), { prepare: prepareDatabase, isRateLimited: false });
  try {
    const token = await signIn(server.url, 'ad.aa', 'AD');
    await measureWriters(server.url, token, add);
    await measureManyLines(server, token, add);
  } finally {
    await server.close();
  }
}

/** Of sixteen that each want a tenth exactly ten get it, and the others are told why. */
async function measureWriters(url: string, token: string, add: Add): Promise<void> {
  const outcomes: string[] = [];
  const ms = await median(ROUNDS, async () => {
    const [line = ''] = await aStore(url, token, 1);
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, () =>
        ask(url, token, { lines: [{ store_line: line, quantity: `${100 / FITTING}` }] }),
      ),
    );
    const done = answers.filter(({ status }) => status === 200).length;
    const exact = answers.filter(({ status, msg }) => status === 400 && msg === REFUSAL).length;
    outcomes.push(`${done}/${exact}`);
  });
  const expected = `${FITTING}/${WRITERS - FITTING}`;
  const isExact = outcomes.every((outcome) => outcome === expected);
  add(`一个限额下 ${WRITERS} 人同时写，${ROUNDS} 轮`, `通过/拒绝 ${[...new Set(outcomes)].join('、')}，每轮 ${Math.round(ms)} ms`, `恰为 ${expected}，无服务器错误`, isExact); // prettier-ignore
}

async function measureManyLines(server: RunningServer, token: string, add: Add): Promise<void> {
  const { url } = server;
  const stock = await aStore(url, token, LINES);
  const lines = stock.map((store_line) => ({ store_line, quantity: '0.01' }));
  const save = () => call(url, token, { path: '/erp/api/data/bench_draw', body: { name: '五百行', lines } });
  for (let warm = 0; warm < 5; warm += 1) await save();
  await tidyTables(server, ['bench_store', 'bench_store__lines', 'bench_draw', 'bench_draw__lines']);
  const since = Date.now();
  const statements = await recordStatements(save);
  const raw = await startRawServer(server.services.db.url, statements, { since, numbers: [] });
  // By turns: a machine that gets slower slows both, and both are as warm.
  const { ours, bare } = await mediansByTurns(RUNS, save, () => replay(raw.url));
  await raw.close();
  const what = `${LINES} 行保存，每行带动一个汇总和限额（${statements.length} 条语句）`;
  add(what, `${Math.round(ours)} ms，裸驱动 ${Math.round(bare)} ms（${Math.round((bare / ours) * 100)} %）`, '< 300 ms，≥ 50 %', ours < 300 && bare / ours >= 0.5); // prettier-ignore
}

/** A store of so many goods, a hundred of each; the ids of its lines. */
async function aStore(url: string, token: string, count: number): Promise<readonly string[]> {
  const lines = Array.from({ length: count }, () => ({ stock: '100' }));
  const store = await call(url, token, { path: '/erp/api/data/bench_store', body: { name: '库', lines } });
  const made: readonly Fields[] = Array.isArray(store['lines']) ? store['lines'] : [];
  return made.map(({ id }) => String(id));
}

async function ask(
  url: string,
  token: string,
  body: object,
): Promise<{ readonly status: number; readonly msg: string }> {
  const response = await fetch(`${url}/erp/api/data/bench_draw`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ name: '领用', ...body }),
  });
  const answer: unknown = await response.json();
  const msg = typeof answer === 'object' && answer !== null && 'msg' in answer ? String(answer.msg) : '';
  return { status: response.status, msg };
}

const QUANTITY = { type: 'decimal', title: '数量', precision: 18, scale: 4 };
const NAME = { type: 'text', title: '名称', max: 60 };
const STORE = {
  resource: 'bench_store',
  title: '样库',
  kind: 'config',
  label: 'name',
  fields: {
    name: NAME,
    lines: {
      type: 'lines',
      title: '库存',
      max: LINES,
      fields: {
        stock: QUANTITY,
        drawn: { ...QUANTITY, rollup: { of: 'bench_draw.lines', by: 'store_line', sum: 'quantity' } },
        left: { ...QUANTITY, formula: 'stock - coalesce(drawn, 0)' },
      },
    },
  },
  limits: [{ each: 'lines', assert: { left: { gte: '0' } }, message: REFUSAL }],
  access: [{ role: 'AD', do: ['*'] }],
};
const DRAW = {
  resource: 'bench_draw',
  title: '样领用',
  kind: 'config',
  label: 'name',
  fields: {
    name: NAME,
    lines: {
      type: 'lines',
      title: '领用',
      max: LINES,
      fields: {
        store_line: { type: 'reference', title: '库存', to: 'bench_store.lines' },
        quantity: QUANTITY,
      },
    },
  },
  access: [{ role: 'AD', do: ['*'] }],
};
