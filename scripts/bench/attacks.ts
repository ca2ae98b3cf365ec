/**
 * `npm run bench -- --attacks`: what anybody may send to stop the server, and how long others wait meanwhile (design
 * section 5, "Input has a price"). The server runs in a process of its own with accounts and without documents.
 */
import { ATTACK_BODIES } from './attack-bodies.ts';
import { type FrontServer, startFrontServer } from './front-server.ts';
import { whileOthersWait } from './others-wait.ts';
import { measureHeavyWork } from './heavy-work.ts';
import { signIn } from './session.ts';

/** Calls that take a body, by who may make them. */
const PUBLIC_CALLS = [
  '/erp/api/sys/login',
  '/erp/api/sys/loginByAgcustMobileNo',
  '/erp/api/sys/logout',
  '/erp/api/sys/erpRegisterAgcust',
  '/erp/api/cyfp/search',
  '/erp/api/review/decide',
];
const PRIVATE_CALLS = [
  '/erp/api/data/export_contract',
  '/erp/api/data/export_contract/preview',
  '/erp/api/data/export_contract/query',
  '/erp/api/data/export_contract/export',
  '/erp/api/data/export_contract/actions/submit',
  '/erp/api/data/export_contract/00000000-0000-7000-8000-000000000000/actions/submit',
  '/erp/api/lookup/export_contract/buyer_id',
  '/erp/api/approval/batch',
  '/erp/api/approval/tasks/query',
  '/erp/api/notice/query',
  '/erp/api/self/password',
  // Ends the session, so it comes last.
  '/erp/api/sys/setPosition',
];

interface Shot {
  readonly status: string;
  readonly answerBytes: number;
  readonly answerMs: number;
}

/** The worst of a set of attacks. */
interface Toll {
  readonly what: string;
  readonly stalledMs: number;
  readonly waitedMs: number;
  readonly answerBytes: number;
  readonly statuses: string;
}

/** Shoots every body at every call; `add` gets a line for each body with the worst it did. */
export async function measureAttacks(
  env: Readonly<Record<string, string>>,
  add: (what: string, result: string, target: string, isMet: boolean) => void,
): Promise<void> {
  const server = await startFrontServer(env);
  try {
    for (const [who, calls, person] of [
      ['访客', PUBLIC_CALLS, null],
      ['用户', PRIVATE_CALLS, 'sp.aa'],
    ] as const)
      for (const [what, body] of ATTACK_BODIES) {
        const token = person === null ? '' : await signIn(server.url, person, 'SP');
        const toll = await worstOf(server, { what: `${who}：${what}`, calls, body, token });
        const isMet = toll.stalledMs < 200 && toll.waitedMs < 200 && toll.answerBytes < 8_000;
        add(toll.what, tollText(toll), '停顿与等待 < 200 ms，答复 < 8 kB', isMet);
      }
    await measureHeavyWork(server, add);
  } finally {
    await server.close();
  }
}

function tollText({ stalledMs, waitedMs, answerBytes, statuses }: Toll): string {
  const kB = answerBytes / 1000;
  return `停顿 ${stalledMs.toFixed(0)} ms，他人等待 ${waitedMs.toFixed(0)} ms，答复 ${kB.toFixed(1)} kB，${statuses}`;
}

async function worstOf(
  server: FrontServer,
  attack: { readonly what: string; readonly calls: readonly string[]; readonly body: string; readonly token: string },
): Promise<Toll> {
  const { what, calls, body, token } = attack;
  let stalledMs = 0;
  let waitedMs = 0;
  let answerBytes = 0;
  const statuses = new Map<string, number>();
  for (const path of calls) {
    const { toll, result } = await whileOthersWait(server, () =>
      shoot(server.url + path, { body, token }),
    );
    stalledMs = Math.max(stalledMs, toll.stalledMs);
    waitedMs = Math.max(waitedMs, toll.waitedMs);
    if (process.env['VERBOSE'] === '1')
      process.stderr.write(`${what} ${path} ${result.status} ${toll.stalledMs.toFixed(0)} ms\n`);
    answerBytes = Math.max(answerBytes, result.answerBytes);
    statuses.set(result.status, (statuses.get(result.status) ?? 0) + 1);
  }
  return { what, stalledMs, waitedMs, answerBytes, statuses: [...statuses].map(([status, n]) => `${n}×${status}`).join(' ') };
} // prettier-ignore

async function shoot(url: string, shot: { readonly body: string; readonly token: string }): Promise<Shot> {
  const began = performance.now();
  const headers = { 'content-type': 'application/json', ...(shot.token === '' ? {} : { authorization: shot.token }) };
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: shot.body });
    const text = await answer.text();
    return { status: String(answer.status), answerBytes: text.length, answerMs: performance.now() - began };
  } catch {
    // The server answered and closed while the body was still being sent.
    return { status: 'closed', answerBytes: 0, answerMs: performance.now() - began };
  }
} // prettier-ignore
