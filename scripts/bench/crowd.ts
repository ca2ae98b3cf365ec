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
    readonly add: (what: string, result: string, target: string, isMet: boolean) => void;
  },
  { looking, writing }: { readonly looking: LoadRequest; readonly writing: LoadRequest },
): Promise<void> {
  const { server, add } = bench;
  const columns = ['shipment_no', 'invoice_no', 'buyer_id', 'total_amount', 'status'];
  const exporting = await signIn(server.url, 'tm.aa', 'TM');
  const { jobId } = await call(server.url, exporting, {
    path: '/erp/api/data/shipment/export',
    body: { columns },
  });
  const [read, written] = await Promise.all([
    load({ ...looking, seconds: SECONDS }),
    load({ ...writing, seconds: SECONDS, connections: WRITERS }),
  ]);
  const failures = read.failures + written.failures;
  const shown = `列表 ${read.perSecond.toFixed(0)} 次每秒，p97.5 ${read.p95Ms.toFixed(0)} ms；新增 ${written.perSecond.toFixed(0)} 次每秒；失败 ${failures}`;
  add(
    `列表，旁有 ${WRITERS} 人写与一个导出`,
    shown,
    'p97.5 < 300 ms，失败 0',
    read.p95Ms < 300 && failures === 0,
  );
  // What is measured next is measured alone.
  const job = { method: 'GET', path: `/erp/api/jobs/${String(jobId)}` };
  while (!['done', 'failed'].includes(String((await call(server.url, exporting, job))['status'])))
    await delay(200);
}
