import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '#server/kernel/config.ts';
import { type RunningServer, startServer } from '#server/main.ts';
import { prepareDatabase } from '#demo/prepare-database.ts';
import { median, replay } from './measure.ts';
import { recordStatements, startRawServer } from './raw-server.ts';
import { call, signIn } from './session.ts';

type Add = (what: string, result: string, target: string, isMet: boolean) => void;

const ROUNDS = 40;
const KEY = { type: 'text', title: '户主', max: 60, required: true } as const;
const MONEY = { type: 'money', title: '金额', currency: 'CNY' } as const;
const OPEN = [{ role: 'GM', do: ['*'], rows: 'company' }] as const;

/** An account, its ledger, and a document that posts three entries a line when it comes to be. */
const DEFINITIONS = {
  bench_purse: {
    title: '样户',
    kind: 'master',
    mixins: [],
    label: 'owner',
    fields: { owner: KEY, balance: { ...MONEY, title: '余额', system: true, default: '0.00' } },
    account: { ledger: 'bench_entry', balance: 'balance', key: ['owner'], keys: { bench: {} } },
    limits: [{ assert: { balance: { gte: '0' } }, message: '可用余额不足' }],
  },
  bench_entry: {
    title: '样账',
    kind: 'ledger',
    label: 'entry_type',
    fields: {
      purse_id: { type: 'reference', title: '账户', to: 'bench_purse', required: true },
      entry_type: { type: 'text', title: '类型', max: 20, required: true },
      net_type: { type: 'text', title: '归入', max: 20 },
      amount: { ...MONEY, required: true },
      balance_after: { ...MONEY, title: '余额' },
      business_date: { type: 'date', title: '日期', required: true },
      source_resource: { type: 'text', title: '来源', max: 40 },
      source_id: { type: 'text', title: '来源单据', max: 40 },
      source_line: { type: 'text', title: '来源行', max: 40 },
      reverse_of: { type: 'reference', title: '冲销', to: 'bench_entry' },
    },
    ledger: {
      account: 'purse_id',
      amount: 'amount',
      after: 'balance_after',
      type: 'entry_type',
      net: 'net_type',
      date: 'business_date',
      reverses: 'reverse_of',
      same: [],
      source: ['source_resource', 'source_id', 'source_line'],
    },
  },
  bench_slip: {
    title: '样单',
    kind: 'document',
    mixins: [],
    label: 'owner',
    fields: {
      owner: KEY,
      lines: {
        type: 'lines',
        title: '明细',
        max: 500,
        fields: { amount: { ...MONEY, required: true }, fee: { ...MONEY, title: '费用' } },
      },
      total: { ...MONEY, title: '合计', formula: 'sum(lines.amount)' },
    },
    postings: [
      { at: 'create', type: 'IN', each: 'lines', account: '@bench', amount: 'amount' },
      { at: 'create', type: 'FEE', each: 'lines', account: '@bench', amount: '-fee' },
      { at: 'create', type: 'SHARE', each: 'lines', account: '@bench', amount: 'round(amount * 0.1, 2)' },
      { at: 'void', reverse: '*' },
    ],
    lifecycle: {
      initial: 'posted',
      states: { posted: { title: '已过账' }, void: { title: '已作废' } },
      groups: { final: ['void'], dead: ['void'] },
      actions: { void: { title: '作废', from: ['posted'], to: 'void' } },
    },
  },
};

/**
 * Documents posted a second against the same statements through the raw driver, and one of 500 lines with three
 * postings each (design section 7). Definitions are copied, so that the shipped ones stay without these.
 */
export async function measurePostings(
  given: { readonly env: Readonly<Record<string, string>>; readonly folder: string },
  add: Add,
): Promise<void> {
  const resources = path.join(given.folder, 'posting-resources');
  cpSync(given.env['ERP_RESOURCES_DIR'] ?? 'resources', resources, { recursive: true });
  for (const [resource, definition] of Object.entries(DEFINITIONS))
    writeFileSync(
      path.join(resources, `${resource}.json`),
      JSON.stringify({ resource, ...definition, access: OPEN }),
    );
  const env = { ...given.env, ERP_RESOURCES_DIR: resources, ERP_DEMO_DATA: '0' };
  const server = await startServer(readConfig(env), { prepare: prepareDatabase, isRateLimited: false });
  try {
    const token = await signIn(server.url, 'gm.aa', 'GM');
    await againstRaw(server, token, add);
    const many = await median(3, () => post(server, token, 500));
    add('500 行各三笔过账一次保存', `${many.toFixed(0)} ms`, '< 2 s', many < 2_000);
  } finally {
    await server.close();
  }
}

async function againstRaw(server: RunningServer, token: string, add: Add): Promise<void> {
  await median(5, () => post(server, token, 20));
  const since = Date.now();
  let owner = '';
  const statements = await recordStatements(async () => {
    owner = await post(server, token, 20);
  });
  const raw = await startRawServer(server.services.db.url, statements, { since, numbers: [owner] });
  try {
    const ours = 1_000 / (await median(ROUNDS, () => post(server, token, 20)));
    const bare = 1_000 / (await median(ROUNDS, () => replay(raw.url)));
    const part = `${((ours / bare) * 100).toFixed(0)} %（${ours.toFixed(0)} / ${bare.toFixed(0)} 份每秒，${statements.length} 条语句）`;
    add('20 行单据过账（每行三笔）对裸驱动，逐次', part, '≥ 50 %', ours / bare >= 0.5);
  } finally {
    await raw.close();
  }
}

let serial = 0;

/** Creates and posts a document on an account of its own; gives whose account. */
async function post({ url }: RunningServer, token: string, lines: number): Promise<string> {
  serial += 1;
  const owner = `BENCH-${Date.now()}-${serial}`;
  await call(url, token, {
    path: '/erp/api/data/bench_slip',
    body: {
      owner,
      lines: Array.from({ length: lines }, (_, at) => ({ amount: `${at + 100}.10`, fee: '0.05' })),
    },
  });
  return owner;
}
