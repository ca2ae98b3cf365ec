/** The application in a process of its own, so that the memory that is measured is the server's alone. Needs `--expose-gc`. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { DEMO_PASSWORD, readConfig } from '#server/kernel/config.ts';
import { hashPassword } from '#server/kernel/passwords.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { insertRecord } from '#server/records/write/system-write.ts';
import { prepareDatabase } from '#demo/prepare-database.ts';
import { startServer } from '#server/main.ts';
import { aBankAccount } from './bank-account.ts';
import { fillShipments } from './fill-shipments.ts';
import { fillTasks } from './fill-tasks.ts';
import { type Shares, startProfile } from './profile.ts';
import { recordStatements, type Statement } from './raw-server.ts';
import { fillReceipts } from './reports.ts';
import { call } from './session.ts';

/** What the benchmark asks of the server's process. */
export type ServerOrder =
  | { readonly ask: 'held' }
  | { readonly ask: 'people' }
  | { readonly ask: 'stalled' }
  | { readonly ask: 'partner'; readonly mobile: string }
  | { readonly ask: 'tell'; readonly mark: string }
  /** Does one call to itself and gives its statements. */
  | { readonly ask: 'statements'; readonly token: string; readonly call: RecordedCall }
  /** Fills tables by SQL: shipments up to a number, then receipts beside them, and tasks of somebody. */
  | { readonly ask: 'fill'; readonly shipments: number }
  | { readonly ask: 'fillReceipts' }
  /** Makes a bank account and gives its number. */
  | { readonly ask: 'bankAccount'; readonly currency: string }
  | { readonly ask: 'fillTasks'; readonly personid: string; readonly tasks: number }
  /** Begins to watch the memory of the process, or gives the most since then in bytes. */
  | { readonly ask: 'watchMemory' }
  | { readonly ask: 'mostMemory' }
  /** Begins to look at what the process spends its time on, or gives the shares since then. */
  | { readonly ask: 'startProfile' }
  | { readonly ask: 'endProfile' };

/** A call whose statements are asked for. */
export interface RecordedCall {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

/** The statements of one call, its answer, and when it began, in epoch ms. */
export interface Recorded {
  readonly statements: readonly Statement[];
  readonly made: Record<string, unknown>;
  readonly since: number;
  readonly databaseUrl: string;
}

const CLOSE_MS = 20_000;

const server = await startServer(readConfig(process.env), { prepare: prepareDatabase, isRateLimited: false });
const { db, notices } = server.services;
const stalls = monitorEventLoopDelay({ resolution: 5 });
stalls.enable();

process.on('message', (order: ServerOrder) => {
  obey(order).then(
    (answer) => process.send?.({ answer: answer ?? null }),
    (error: unknown) => process.send?.({ fault: String(error) }),
  );
});
for (const end of ['SIGTERM', 'disconnect'] as const)
  process.once(end, () => {
    setTimeout(() => process.exit(1), CLOSE_MS).unref();
    void server.close().then(() => process.exit(0));
  });
process.send?.({ ready: server.url });

async function obey(order: ServerOrder): Promise<unknown> {
  if (order.ask === 'held') return heldBytes();
  if (order.ask === 'people') return people();
  if (order.ask === 'stalled') return longestStallMs();
  if (order.ask === 'partner') return aPartner(order.mobile);
  if (order.ask === 'statements') return recorded(order.token, order.call);
  if (order.ask === 'fill') return fillShipments(server, order.shipments);
  if (order.ask === 'fillReceipts') return fillReceipts(server);
  if (order.ask === 'bankAccount') return (await aBankAccount(server, '导入收款户', order.currency)).number;
  if (order.ask === 'fillTasks') return fillTasks(server, order);
  if (order.ask === 'watchMemory') return watchMemory();
  if (order.ask === 'mostMemory') return mostMemory();
  if (order.ask === 'startProfile') {
    endProfile = await startProfile();
    return null;
  }
  if (order.ask === 'endProfile') return (await endProfile?.()) ?? [];
  return tell(order.mark);
}

async function recorded(token: string, request: RecordedCall): Promise<Recorded> {
  const since = Date.now();
  let made: Record<string, unknown> = {};
  const statements = await recordStatements(async () => {
    made = await call(server.url, token, request);
  });
  return { statements, made, since, databaseUrl: db.url };
}

let endProfile: (() => Promise<Shares>) | undefined;
let watching: NodeJS.Timeout | undefined;
let most = 0;

function watchMemory(): number {
  globalThis.gc?.();
  most = process.memoryUsage().rss;
  watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 50);
  return most;
}

function mostMemory(): number {
  clearInterval(watching);
  return most;
}

/** Bytes of the heap and of buffers in use, garbage taken out; the least of several looks. */
async function heldBytes(): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < 5; look += 1) {
    await delay(200);
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    looks.push(heapUsed + external);
  }
  return Math.min(...looks);
}

/** The longest time that nobody else was served since the last question. */
function longestStallMs(): number {
  const longest = stalls.max / 1e6;
  stalls.reset();
  return longest;
}

/** A partner in force whose account has the demo's password. */
async function aPartner(mobile: string): Promise<string> {
  const { services } = server;
  const password = await hashPassword(DEMO_PASSWORD);
  return db.transaction(async (tx) => {
    const saved = await insertRecord({ tx, services, caller: systemCaller(services, 'AA') }, 'partner', {
      name: '宁波量时进出口有限公司',
      corp_type: '1',
      enterprise_kind: 'trader',
      taxpayer_type: 'general',
      export_modes: ['buyout'],
      source: 'sales',
      risk_level: 'B',
      dept_code: 'AA',
      sales_id: await salesperson(),
      status: 'active',
      accounts: [{ mobile, name: '客户', status: 'active', password }],
    });
    return String(saved['id']);
  });
}

async function salesperson(): Promise<string> {
  const [row] = await db.query<{ id: string }>(`select id from person where personid = 'sp.aa'`);
  return row?.id ?? '';
}

function people(): Promise<readonly object[]> {
  return db.query(
    `select p.id, p.personid, p.co_code, r.code as role from person p join role r on r.id = p.role_ids[1]
     where p.status = 'active' and not p.is_deleted order by p.personid`,
  );
}

/** Writes one notice to everybody, in one transaction; gives when it began, in epoch ms. */
async function tell(mark: string): Promise<number> {
  const byCompany = new Map<string, string[]>();
  for (const row of (await people()) as readonly { id: string; co_code: string }[])
    byCompany.set(row.co_code, [...(byCompany.get(row.co_code) ?? []), row.id]);
  const began = Date.now();
  await db.transaction(async (tx) => {
    for (const [coCode, to] of byCompany)
      await notices.notify(tx, { event: 'NEWS_PUBLISHED', to, title: mark, content: mark, coCode });
  });
  return began;
}
