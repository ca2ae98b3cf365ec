import type { Plan } from '#contract/plan.ts';
import { openAnyCall } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { rehearse, rehearsing } from '#server/records/rehearse/rehearse.ts';
import { TASKS } from './approval-tasks.ts';
import { tellPlan } from '#server/records/rehearse/tell-plan.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { findOpenCase } from './approval-case.ts';
import { callOfTask, decideIn, type Outcome, type TaskDecision } from './decide-task.ts';

/** What a decision would do: the last approval with all that follows, or who decides next. Undone again. */
export async function previewDecision(
  services: Services,
  caller: Caller,
  { taskId, decision }: TaskDecision,
): Promise<Plan> {
  const call = rehearsing(await callOfTask(services, caller, taskId));
  const created: CreatedRecord[] = [];
  const opinion = decision.opinion ?? (decision.kind === 'reject' ? '（意见）' : null);
  let about = '';
  return rehearse(call, {
    act: async (tx) => {
      created.length = 0;
      const outcome = await decideIn(tx, call, { taskId, decision: { ...decision, opinion }, created });
      about = outcome.record.id;
      return outcome;
    },
    tell: async (tx, { done, refusal }) =>
      tellPlan(tx, openAnyCall(services, call.caller, call.resource.resource), {
        own: { resource: call.resource.resource, id: about },
        created,
        refusal,
        untold: TASKS,
        next: done === null ? null : await nextLevel(tx, done),
      }),
  });
}

/** Who decides next; null when the approval has ended, or others of the same level still decide. */
async function nextLevel(tx: Tx, { record, isEnded }: Outcome): Promise<Plan['next']> {
  const running = isEnded ? null : await findOpenCase(tx, record);
  const level = running?.flow.levels.find(({ level_no }) => level_no === running.level_no);
  return level === undefined ? null : { title: level.title, persons: level.persons.map(({ name }) => name) };
}
