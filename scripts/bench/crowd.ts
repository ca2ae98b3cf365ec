import { setTimeout as delay } from 'node:timers/promises';
import type { FrontServer } from './front-server.ts';
import { load, type LoadRequest } from './measure.ts';
import { call, signIn } from './session.ts';

const WRITERS = 16;
const SECONDS = 8;

/** Lists for those who look while sixteen write and an export of the whole table runs. */
export async function measureCrowd(
  bench: {
    readonly server: FrontServer;
    readonly ordinary: string;
    readonly add: (what: string, result: string, target: string, isMet: boolean) => void;
  },
  looking: LoadRequest,
): Promise<void> {
  const { server, ordinary, add } = bench;
  const path = '/erp/api/data/export_contract';
  const list = await call(server.url, ordinary, { path: `${path}/query`, body: { pageSize: 1 } });
  const [first] = Array.isArray(list['records']) ? (list['records'] as readonly { id: string }[]) : [];
  const one = await call(server.url, ordinary, { method: 'GET', path: `${path}/${first?.id ?? ''}` });
  const { buyer_id, partner_id, sign_date } = one;
  const body = { business_type: 'agency', buyer_id, partner_id, sign_date, currency: 'USD' };
  const columns = ['shipment_no', 'invoice_no', 'buyer_id', 'total_amount', 'status'];
  const exporting = await signIn(server.url, 'tm.aa', 'TM');
  const { jobId } = await call(server.url, exporting, {
    path: '/erp/api/data/shipment/export',
    body: { columns },
  });
  const [reading, writing] = await Promise.all([
    load({ ...looking, seconds: SECONDS }),
    load({
      ...looking,
      url: server.url + path,
      body: JSON.stringify(body),
      seconds: SECONDS,
      connections: WRITERS,
    }),
  ]);
  const failures = reading.failures + writing.failures;
  const shown = `列表 ${reading.perSecond.toFixed(0)} 次每秒，p97.5 ${reading.p95Ms.toFixed(0)} ms；新增 ${writing.perSecond.toFixed(0)} 次每秒；失败 ${failures}`;
  add(
    `列表，旁有 ${WRITERS} 人写与一个导出`,
    shown,
    'p97.5 < 300 ms，失败 0',
    reading.p95Ms < 300 && failures === 0,
  );
  // What is measured next is measured alone.
  const job = { method: 'GET', path: `/erp/api/jobs/${String(jobId)}` };
  while (!['done', 'failed'].includes(String((await call(server.url, exporting, job))['status'])))
    await delay(200);
}
