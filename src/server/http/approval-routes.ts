import { approvalStatus } from '#server/workflow/approvals/approval-status.ts';
import { countInbox, queryInbox } from '#server/workflow/approvals/approval-inbox.ts';
import { type Decision, decideTask, presentDecided } from '#server/workflow/approvals/decide-task.ts';
import {
  createDelegation,
  listDelegations,
  revokeDelegation,
} from '#server/workflow/approvals/delegations.ts';
import { withdrawApproval } from '#server/workflow/approvals/withdraw-approval.ts';
import { eachPart, refusalText } from '#server/records/action/batch-action.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { Caller, PartAnswer } from '#server/records/services.ts';
import { type App, callerOf } from './app-types.ts';
import { answer } from './answer.ts';
import { QUERY_BODY, RECORD_BODY } from '#contract/limits.ts';

const OPINION = { type: ['string', 'null'], maxLength: 500 } as const;
const DECISION = {
  type: 'object',
  additionalProperties: false,
  properties: {
    version: { type: ['integer', 'null'] },
    opinion: OPINION,
    fields: { type: ['object', 'null'] },
    to: { type: 'string', maxLength: 36 },
    until: { type: ['string', 'null'], pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  },
} as const;
const BATCH = {
  type: 'object',
  additionalProperties: false,
  required: ['tasks', 'action'],
  properties: {
    action: { enum: ['approve', 'reject'] },
    opinion: OPINION,
    tasks: {
      type: 'array',
      minItems: 1,
      maxItems: 200,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id'],
        properties: { id: { type: 'string' }, version: { type: ['integer', 'null'] } },
      },
    },
  },
} as const;
const DELEGATION = {
  type: 'object',
  additionalProperties: false,
  required: ['to', 'valid_to'],
  properties: {
    to: { type: 'string', maxLength: 36 },
    valid_from: { type: 'string', maxLength: 10 },
    valid_to: { type: 'string', maxLength: 10 },
  },
} as const;
const WITHDRAW = {
  type: 'object',
  additionalProperties: false,
  properties: { version: { type: ['integer', 'null'] }, opinion: OPINION },
} as const;
const KINDS = ['approve', 'reject', 'delegate'] as const;

/** Inbox, decisions, delegation and the state of a record's approval. */
export function registerApprovalRoutes(app: App, services: AppServices): void {
  const config = { permission: 'session' } as const;

  app.post('/approval/tasks/query', { config: { ...config, limits: QUERY_BODY } }, async (request) =>
    answer(await queryInbox(services, callerOf(request), request.body)),
  );
  app.get('/approval/counts', { config }, async (request) =>
    answer(await countInbox(services, callerOf(request))),
  );
  app.post(
    '/approval/batch',
    { config: { ...config, limits: QUERY_BODY }, schema: { body: BATCH } },
    async (request) => answer(await decideBatch(services, callerOf(request), request.body)),
  );
  app.get('/approval/delegations', { config }, async (request) =>
    answer(await listDelegations(services, callerOf(request))),
  );
  app.post(
    '/approval/delegations',
    { config: { permission: 'staff' }, schema: { body: DELEGATION } },
    async (request) =>
      answer(await createDelegation(services, callerOf(request), request.body), '委托已生效'),
  );
  app.delete<{ Params: { id: string } }>('/approval/delegations/:id', { config }, async (request) => {
    await revokeDelegation(services, callerOf(request), request.params.id);
    return answer(null, '委托已取消');
  });
  app.get<{ Params: { resource: string; id: string } }>(
    '/approval/record/:resource/:id',
    { config },
    async (request) => answer(await approvalStatus(services, callerOf(request), request.params)),
  );
  app.post<{ Params: { resource: string; id: string }; Body: { opinion?: string | null } }>(
    '/approval/record/:resource/:id/withdraw',
    { config, schema: { body: WITHDRAW } },
    async (request) =>
      answer(
        await withdrawApproval(services, callerOf(request), {
          ...request.params,
          opinion: request.body.opinion ?? null,
        }),
        '已撤回',
      ),
  );
  for (const kind of KINDS)
    app.post<{ Params: { taskId: string }; Body: Omit<Partial<Decision>, 'kind'> }>(
      `/approval/:taskId/${kind}`,
      { config: { permission: 'staff', limits: RECORD_BODY }, schema: { body: DECISION } },
      async (request) => {
        const { version, opinion, fields, to, until } = request.body;
        const decision: Decision = {
          kind,
          version: version ?? null,
          opinion: opinion ?? null,
          fields,
          to: to ?? null,
          until: until ?? null,
        };
        const decided = await decideTask(services, callerOf(request), {
          taskId: request.params.taskId,
          decision,
        });
        return answer(presentDecided(decided), MESSAGES[kind]);
      },
    );
}

const MESSAGES = { approve: '审核通过', reject: '已驳回', delegate: '已转审' } as const;

async function decideBatch(
  services: AppServices,
  caller: Caller,
  batch: {
    readonly action: unknown;
    readonly opinion?: string | null;
    readonly tasks: readonly { readonly id: string; readonly version?: number | null }[];
  },
): Promise<readonly PartAnswer[]> {
  if (caller.subject.kind !== 'staff') throw new AppError('FORBIDDEN');
  const kind = batch.action === 'reject' ? 'reject' : 'approve';
  return eachPart(caller, batch.tasks, {
    msg: MESSAGES[kind],
    write: async ({ id, version }, own) => {
      const decision: Decision = { kind, version: version ?? null, opinion: batch.opinion ?? null };
      await decideTask(services, own, { taskId: id, decision });
    },
    refused: (error) => refusalText({ services }, error),
  });
}
