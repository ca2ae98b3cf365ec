import type { Signer } from '#engine/print/fill-print.ts';
import { companyTime } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { type ApprovalCase, listCases } from './approval-case.ts';
import { submittingAction } from './approval-definition.ts';
import { stepsOf } from './approval-steps.ts';
import { simulateApproval } from './simulate-approval.ts';
import { readTaskBook } from './task-book.ts';

/**
 * Who signs a paper in the approval that an action begins: who handed it in and who agreed at each level, with the day. A
 * level that has yet to decide has room for a name, and so have all of one that is not handed in (again); what was rejected
 * or withdrawn signs nothing. Customers see none: levels and who decides them are the house's own.
 */
export async function readSigners(
  call: Call,
  record: OpenRecord,
  action: string,
): Promise<readonly Signer[]> {
  if (call.caller.subject.kind === 'partner') return [];
  const key = { resource: call.resource.resource, id: String(record['id']) };
  const cases = await listCases(call.services.db, key);
  const latest = cases.find((known) => known.action === action);
  if (latest !== undefined && (latest.ended_at === null || latest.status === 'approved'))
    return signersOf(call, latest);
  if (submittingAction(call, record['status'])?.key !== action) return [];
  const levels = (await simulateApproval(call, record))?.levels ?? [];
  if (levels.length === 0) return [];
  return [SUBMITTED, ...levels.filter(({ skipped }) => skipped === null).map(({ title }) => title)].map(
    (title) => ({ title, name: '', day: '' }),
  );
}

const SUBMITTED = '提交';

async function signersOf(call: Call, known: ApprovalCase): Promise<readonly Signer[]> {
  const steps = stepsOf(known, await readTaskBook(call, [known]));
  const { submitter_name: name } = known.flow;
  return [
    { title: SUBMITTED, name, day: dayOf(known.submitted_at) },
    ...steps
      .filter(({ status }) => status !== 'skipped')
      .map(({ title, decisions }) => {
        const agreed = decisions.filter(({ result }) => result === 'approved');
        return {
          title,
          name: agreed
            .map(({ name: own, for_name: by }) => (by === '' ? own : `${own}（代${by}）`))
            .join('、'),
          day: dayOf(agreed.at(-1)?.at ?? null),
        };
      }),
  ];
}

function dayOf(at: string | null): string {
  return at === null ? '' : companyTime(at).slice(0, 10);
}
