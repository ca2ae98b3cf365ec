import type { DecisionForm } from '#contract/approval.ts';
import { approvalStatus } from '#server/workflow/approvals/approval-status.ts';
import { countInbox, queryInbox } from '#server/workflow/approvals/approval-inbox.ts';
import { decideBatch } from '#server/workflow/approvals/decide-batch.ts';
import { type Decision, decideTask, presentDecided } from '#server/workflow/approvals/decide-task.ts';
import { listDelegations } from '#server/workflow/approvals/delegations.ts';
import { createDelegation, revokeDelegation } from '#server/workflow/approvals/give-delegation.ts';
import { previewDecision } from '#server/workflow/approvals/preview-decision.ts';
import { withdrawApproval } from '#server/workflow/approvals/withdraw-approval.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { type App, callerOf } from './app-types.ts';
import { answer } from './answer.ts';
import { serve } from './serve.ts';

/** Inbox, decisions, delegation and the state of a record's approval. */
export function registerApprovalRoutes(app: App, services: AppServices): void {
  serve(app, 'POST /approval/tasks/query', async (request) =>
    answer(await queryInbox(services, callerOf(request), request.body)),
  );
  serve(app, 'GET /approval/counts', async (request) =>
    answer(await countInbox(services, callerOf(request))),
  );
  serve(app, 'GET /approval/record/:resource/:id', async (request) =>
    answer(await approvalStatus(services, callerOf(request), request.params)),
  );
  serve(app, 'POST /approval/record/:resource/:id/withdraw', async (request) => {
    const asked = { ...request.params, opinion: request.body.opinion ?? null };
    return answer(await withdrawApproval(services, callerOf(request), asked), '已撤回');
  });
  registerDelegationRoutes(app, services);
  registerDecisionRoutes(app, services);
  registerPreviewRoute(app, services);
}

function registerDelegationRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /approval/delegations', async (request) =>
    answer(await listDelegations(services.db, services, callerOf(request))),
  );
  serve(app, 'POST /approval/delegations', async (request) =>
    answer(await createDelegation(services, callerOf(request), request.body), '委托已生效'),
  );
  serve(app, 'DELETE /approval/delegations/:id', async (request) => {
    await revokeDelegation(services, callerOf(request), request.params.id);
    return answer(null, '委托已取消');
  });
}

const KINDS = ['approve', 'reject', 'delegate'] as const;
const MESSAGES = { approve: '审核通过', reject: '已驳回', delegate: '已转审' } as const;

function registerDecisionRoutes(app: App, services: AppServices): void {
  serve(app, 'POST /approval/batch', async (request) =>
    answer(await decideBatch(services, callerOf(request), request.body)),
  );
  for (const kind of KINDS)
    serve(app, `POST /approval/:taskId/${kind}`, async (request) => {
      const decided = await decideTask(services, callerOf(request), {
        taskId: request.params.taskId,
        decision: decisionOf(kind, request.body),
      });
      return answer(presentDecided(decided), MESSAGES[kind]);
    });
}

function registerPreviewRoute(app: App, services: AppServices): void {
  serve(app, 'POST /approval/:taskId/preview', async (request) => {
    const { kind, ...form } = request.body;
    return answer(
      await previewDecision(services, callerOf(request), {
        taskId: request.params.taskId,
        decision: decisionOf(kind, form),
      }),
    );
  });
}

function decisionOf(kind: Decision['kind'], form: DecisionForm): Decision {
  const { version = null, opinion = null, fields, to = null, until = null } = form;
  return { kind, version, opinion, fields, to, until };
}
