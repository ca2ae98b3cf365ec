import { fork, execFileSync } from 'node:child_process';
import { readFileSync, rmSync, mkdtempSync } from 'node:fs';
import { measuredProgram } from './build-measured.ts';
import { messageOf } from './front-server.ts';
import { load } from './measure.ts';
import { call, signIn } from './session.ts';
const what = process.argv[2] ?? 'create';
const rounds = Number(process.argv[3] ?? '8');
const flags = process.argv.slice(4);
const dir = '/tmp/wdata';
const program = await measuredProgram('server-process');
const child = fork(program, { execArgv: ['--expose-gc', '--max-semi-space-size=24', ...flags], env: { ...process.env, DATABASE_URL: '', ERP_DATA_DIR: dir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', ERP_DEMO_DATA: 'small' } });
const url = String(await messageOf(child, 'ready', 600_000));
const token = await signIn(url, 'sp.aa', 'SP');
const path = '/erp/api/data/export_contract';
const list = await call(url, token, { path: `${path}/query`, body: { pageSize: 1 } });
const [first] = list['records'] as any[];
const got = await call(url, token, { method: 'GET', path: `${path}/${first.id}` });
const { buyer_id, partner_id, sign_date } = got as any;
const draft = { business_type: 'agency', buyer_id, partner_id, sign_date, currency: 'USD' };
const LIST = { currentPage: 1, pageSize: 20, sorters: ['-invoice_date'], columns: ['shipment_no', 'buyer_id', 'invoice_date', 'total_amount', 'status'] };
const reqs: Record<string, any> = { create: { url: url + path, method: 'POST', body: JSON.stringify(draft), connections: 4 }, get: { url: `${url}${path}/${first.id}`, method: 'GET' }, list: { url: `${url}/erp/api/data/shipment/query`, method: 'POST', body: JSON.stringify(LIST) } };
const req = { ...reqs[what], headers: { authorization: token, 'content-type': 'application/json' } };
const cpu = () => { const f = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(f[11]) + Number(f[12])) * 10; };
const prof = process.env['PROF'];
if (rounds > 0) await load({ ...req, seconds: 1 });
for (let i = 0; i < rounds; i++) {
  if (prof && i === rounds - 1) { child.send({ ask: 'startProfile' }); await messageOf(child, 'answer', 60000); }
  const a = cpu();
  const r = await load({ ...req, seconds: 5 });
  const n = r.perSecond * 5;
  console.log(what, flags.join(' '), i, `${r.perSecond.toFixed(0)}/s`, `${((cpu() - a) / n).toFixed(2)} ms node`, r.failures);
  if (prof && i === rounds - 1) { child.send({ ask: 'endProfile' }); console.log(JSON.stringify(await messageOf(child, 'answer', 60000))); }
}
await new Promise((r) => setTimeout(r, 4000));
if (process.env.ST) { child.send({ ask: "statements", token, call: { method: req.method, path: req.url.slice(url.length), ...(req.body ? { body: JSON.parse(req.body) } : {}) } }); const s: any = await messageOf(child, "answer", 60000); console.log(s.statements.map((x: any, i: number) => i + " " + JSON.stringify(x).slice(0, 700)).join("\n\n")); }
await new Promise((r) => setTimeout(r, 3000));
child.kill('SIGTERM');
await new Promise((r) => child.once('exit', r));
process.exit(0);
