import { readConfig } from '#server/kernel/config.ts';
import { type RunningServer, startServer } from '#server/main.ts';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import { prepareDatabase } from '#demo/prepare-database.ts';
import { given } from './bank-account.ts';
import { type FrontServer, startFrontServer } from './front-server.ts';
import { load, timed } from './measure.ts';
import { call, signIn } from './session.ts';
import { tidyTables } from './tidy-tables.ts';

type Add = (what: string, result: string, target: string, isMet: boolean) => void;
type Fields = Record<string, unknown>;

const RECEIPTS = 10_000;
const BAD = 5;
const ENTRIES = 1_000_000;
const POOLS = 1_000;
const ACCOUNTS = 1_000;
const SECONDS = 1_000;

/** 10,000 receipts imported, the night over a million entries, and a month end of a thousand accounts. */
export async function measureMoneyScale(env: Readonly<Record<string, string>>, add: Add): Promise<void> {
  await measureImport({ ...env, ERP_DATA_DIR: `${env['ERP_DATA_DIR'] ?? ''}-import` }, add);
  const config = readConfig({ ...env, ERP_DEMO_DATA: '0' });
  const server = await startServer(config, { prepare: prepareDatabase, isRateLimited: false });
  try {
    const finance = await signIn(server.url, 'fn.aa', 'FN');
    await measureMonthEnd(server, finance, add);
    await measureNight(server, finance, add);
  } finally {
    await server.close();
  }
}

/** In a process of its own, so that the memory is the server's alone. */
async function measureImport(env: Readonly<Record<string, string>>, add: Add): Promise<void> {
  const server = await startFrontServer(env);
  try {
    await importReceipts(server, add);
  } finally {
    await server.close();
  }
}

async function importReceipts(server: FrontServer, add: Add): Promise<void> {
  const token = await signIn(server.url, 'fn.aa', 'FN');
  const number = String(await server.ask({ ask: 'bankAccount', currency: 'USD' }));
  const day = new Date().toISOString().slice(0, 10);
  const rows = Array.from({ length: RECEIPTS }, (_, at) =>
    [
      `IMP${at}`,
      number,
      day,
      'USD',
      at % (RECEIPTS / BAD) === 7 ? 'x' : '1000.00',
      `付款人${at}`,
      '美国',
    ].join(','),
  );
  const text = ['银行流水号,收款银行,到账日期,币种,汇款金额(报文),付款人,付款国别', ...rows].join('\n');
  const rest = Number(await server.ask({ ask: 'watchMemory' }));
  const form = new FormData();
  form.append('file', new Blob([text]), '收汇.csv');
  const checked = await timed(() => upload(server.url, token, form));
  const counts = Object(checked.value['counts']);
  const path = `/erp/api/data/receipt/import/${String(checked.value['importId'])}/commit`;
  const done = await timed(() => call(server.url, token, { path, body: {} }));
  const grown = Math.round((Number(await server.ask({ ask: 'mostMemory' })) - rest) / 1_048_576);
  const isExact = counts['create'] === RECEIPTS - BAD && done.value['created'] === RECEIPTS - BAD;
  const told = `检查 ${seconds(checked.ms)}（可导入 ${counts['create']}，错误 ${counts['error']}），写入 ${seconds(done.ms)}，内存 +${grown} MB`;
  add(`导入 ${RECEIPTS} 笔收汇，其中 ${BAD} 行有错`, told, '< 30 s，< 60 s，< 200 MB', isExact && checked.ms < 30_000 && done.ms < 60_000 && grown < 200); // prettier-ignore
}

/** A month whose voucher moved a thousand foreign balances. */
async function measureMonthEnd(server: RunningServer, token: string, add: Add): Promise<void> {
  const { db } = server.services;
  const [last] = await db.query<{ first: string; last: string; period: string }>(
    `select (date_trunc('month', now()) - interval '1 month')::date::text as first,
       (date_trunc('month', now()) - interval '1 day')::date::text as last,
       to_char(date_trunc('month', now()) - interval '1 month', 'YYYYMM') as period`,
  );
  const [code] = await db.query<{ code: string }>(
    `select code from account where co_code = 'AA' and posting_key = 'POOL_FX'`,
  );
  if (last === undefined || code === undefined) throw new TypeError('AA has no chart of accounts');
  await db.query(
    `insert into partner (id, co_code, version, status, name, created_at)
     select gen_random_uuid(), 'AA', 1, 'active', '调汇委托方' || n, now() from generate_series(1, ${ACCOUNTS}) n`,
  );
  const partners = await db.query<{ id: string }>(`select id from partner where name like '调汇委托方%'`);
  const rate = { currency: 'USD', kind: 'mid', date: last.last, rate: '7.062000', source: 'bench' };
  await given(server, 'currency_rate', rate);
  const dates = { start_date: last.first, end_date: last.last };
  const period = await given(server, 'accounting_period', { period: last.period, ...dates, status: 'open' });
  await given(server, 'finance_voucher', {
    ...{ voucher_date: last.first, event_code: 'MANUAL', status: 'generated' },
    entries: partners.map(({ id }) => ({
      ...{ posting_key: 'POOL_FX', subject_code: code.code, credit: '7100.00', currency: 'USD' },
      ...{ fc_amount: '1000.00', partner_id: id },
    })),
  });
  const path = `/erp/api/data/accounting_period/${period}/actions/revalue`;
  const done = await timed(() => call(server.url, token, { path, body: { version: 1 } }));
  const lines = done.value['revaluations'];
  const count = Array.isArray(lines) ? lines.length : 0;
  add(`月末调汇 ${ACCOUNTS} 个账户`, `${seconds(done.ms)}，${count} 行`, '< 10 s', count === ACCOUNTS && done.ms < 10_000); // prettier-ignore
}

/** The night looks through a million entries while somebody reads lists. */
async function measureNight(server: RunningServer, token: string, add: Add): Promise<void> {
  const { services } = server;
  await fillLedger(server);
  const list = {
    url: `${server.url}/erp/api/data/fund_pool/query`,
    method: 'POST' as const,
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ currentPage: 1, pageSize: 20 }),
    connections: 2,
  };
  const before = await load({ ...list, seconds: 5 });
  const night = timed(async () => {
    await runDailyActions(services);
    await checkInvariants(services, INVARIANTS);
  });
  const during = await load({ ...list, seconds: 10 });
  const { ms } = await night;
  const slower = during.p95Ms / Math.max(1, before.p95Ms);
  add(`夜间核对（${ENTRIES / 10_000} 万笔流水）`, seconds(ms), '< 5 分钟', ms < 300_000);
  add(
    '夜间核对时列表的 p95',
    `${slower.toFixed(2)} ×（${before.p95Ms} → ${during.p95Ms} ms）`,
    '≤ 1.5 ×',
    slower <= 1.5,
  );
}

/** Pools with a continuous chain of entries and the balance that they come to. */
async function fillLedger(server: RunningServer): Promise<void> {
  await server.services.db.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0');
    await tx.execute(
      `insert into fund_pool (id, co_code, version, status, pool_type, partner_id, account_kind, currency, balance, available, created_at)
       select gen_random_uuid(), 'AA', 1, 'active', 'partner', p.id, 'general', 'CNY', 0, 0, now()
       from (select id from partner where name like '调汇委托方%' limit ${POOLS}) p`,
    );
    await tx.execute(
      `insert into fund_ledger_entry (id, co_code, version, pool_id, entry_type, net_type, amount, balance_after, currency,
         business_date, source_resource, source_id, source_line, created_at, posted_seq)
       select gen_random_uuid(), 'AA', 1, p.id, 'DOM_RCV', 'DOM_RCV', 10, 10 * n, 'CNY', current_date, 'bench', 'bench-' || n, '', now(),
         row_number() over (order by n, p.id)
       from fund_pool p cross join generate_series(1, ${ENTRIES / POOLS}) n where p.co_code = 'AA' and p.account_kind = 'general'`,
    );
    await tx.execute(
      `update fund_pool set balance = ${(10 * ENTRIES) / POOLS}, available = ${(10 * ENTRIES) / POOLS}
       where co_code = 'AA' and account_kind = 'general'`,
    );
  });
  await tidyTables(server, ['fund_pool', 'fund_ledger_entry']);
}

async function upload(url: string, token: string, form: FormData): Promise<Fields> {
  const response = await fetch(`${url}/erp/api/data/receipt/import`, {
    method: 'POST',
    headers: { authorization: token },
    body: form,
  });
  const answer: Fields = Object(await response.json());
  if (answer['code'] !== 200) throw new TypeError(JSON.stringify(answer).slice(0, 500));
  return Object(answer['data']);
}

function seconds(ms: number): string {
  return `${(ms / SECONDS).toFixed(1)} s`;
}
