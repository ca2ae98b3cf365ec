import type { ReviewedDocument } from '#contract/review.ts';
import { createHash, randomBytes } from 'node:crypto';
import { recordTitle } from '#engine/schema/record-title.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { findStaffById } from '#server/auth/staff-accounts.ts';
import { buildSubject } from '#server/auth/subject.ts';
import { companyToday } from '#engine/values/dates.ts';
import { publicAddress, regionOfCompany } from '#server/records/definitions/regions.ts';
import { AppError } from '#server/kernel/errors.ts';
import { smsAfterCommit } from '#server/workflow/notices/sms-outbox.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { accessTo, openCall } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { findNamed } from '#server/business/find-named.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { Caller } from '#server/records/services.ts';
import { approvalStatus } from '#server/workflow/approvals/approval-status.ts';
import { decideTask, type Decision } from '#server/workflow/approvals/decide-task.ts';

const PURPOSE = 'review';
const HOURS = 24;

/**
 * Sends every approver of the level that is being decided a link of his own by SMS. Nobody but the approver's telephone
 * gets it: who asks for it does not see it.
 */
export async function sendReviewLinks(call: RuleCall): Promise<void> {
  const { tx, services, record, resource } = call;
  const company = String(record['co_code'] ?? call.caller.subject.co_code);
  const reachable = await reachableApprovers(call);
  if (reachable.length === 0)
    throw new AppError('RULE_REFUSED', { message: '当前级次的审批人没有登记手机号码，不能发送链接' });
  const page = reviewPage(resource);
  const address = publicAddress(services, company);
  const label = regionOfCompany(services, company)?.label ?? '';
  const at = services.clock();
  const expires = new Date(at.getTime() + HOURS * 3_600_000).toISOString();
  for (const { task, person, mobile } of reachable) {
    const token = randomBytes(24).toString('base64url');
    await tx.query(
      'insert into sys_ticket (token_hash, purpose, subject, expires_at) values ($1, $2, $3, $4)',
      [
        hashOf(token),
        PURPOSE,
        JSON.stringify({
          task,
          person,
          resource: resource.resource,
          record: record['id'],
          company,
        }),
        expires,
      ],
    );
    smsAfterCommit(call, {
      to: mobile,
      text: `【${label}】${recordTitle(resource, record)} ${recordLabel(resource, record)} 待您审核：${address}${page}?token=${token} ，${HOURS}小时内有效，请勿转发。`,
    });
  }
}

/** Everybody who decides the pending level and has a telephone, but for who submitted. */
async function reachableApprovers(
  call: RuleCall,
): Promise<readonly { readonly task: string; readonly person: string; readonly mobile: string }[]> {
  const tasks = await findNamed(call, 'approval_task', {
    where: {
      resource: { eq: call.resource.resource },
      record_id: { eq: String(call.record['id']) },
      status: { eq: 'pending' },
    },
    fields: ['id', 'assignee_ids', 'submitter_id'],
  });
  const asked = tasks.flatMap(({ id, assignee_ids: ids, submitter_id: submitter }) =>
    (Array.isArray(ids) ? ids.map(String) : [])
      .filter((person) => person !== submitter)
      .map((person) => ({ task: String(id), person })),
  );
  const people = await findNamed(call, 'person', {
    where: {
      id: { in: asked.map(({ person }) => person) },
      status: { eq: 'active' },
      mobile: { null: false },
    },
    fields: ['id', 'mobile'],
    companies: 'all',
  });
  const mobiles = new Map(people.map((row) => [String(row.id), String(row.mobile)]));
  return asked.flatMap(({ task, person }) => {
    const mobile = mobiles.get(person) ?? '';
    return mobile === '' ? [] : [{ task, person, mobile }];
  });
}

/**
 * The application behind a link. Looking at it uses nothing up: previews of links in messengers look, too.
 * @throws REVIEW_LINK_INVALID, REVIEW_LINK_USED, REVIEW_LINK_FOREIGN
 */
export async function openReview(services: AppServices, request: ReviewRequest): Promise<ReviewedDocument> {
  const { caller, ticket, resource } = await reviewerOf(services, request);
  const status = await approvalStatus(services, caller, { resource: ticket.resource, id: ticket.record });
  if (status.task?.id !== ticket.task) throw new AppError('REVIEW_LINK_USED');
  const call = openCall(services, caller, ticket.resource, 'read');
  const record = await getRecord(call, ticket.record);
  const isShown = (field: Field | undefined): field is Field =>
    field !== undefined && Object.hasOwn(record, field.name) && field.type !== 'lines';
  const editable = new Set(status.task.fields);
  return {
    title: recordTitle(resource, record),
    number: recordLabel(resource, record),
    company: regionOfCompany(services, ticket.company)?.coName ?? '',
    approver: caller.subject.name,
    level: status.next?.title ?? '',
    submittedBy: status.submitted_by?.name ?? '',
    submittedAt: status.submitted_at,
    version: Number(record['version']),
    record,
    sections: resource.edit.flatMap((section) => {
      if ('lines' in section) return [];
      const fields = section.fields
        .filter((name) => !editable.has(name))
        .map((name) => resource.fields[name])
        .filter(isShown);
      return fields.length === 0 ? [] : [{ title: section.title, fields }];
    }),
    editable: [...editable].map((name) => resource.fields[name]).filter(isShown),
  };
}

/**
 * Decides by a link, by the same rules as in the inbox. A task is decided once, whoever was faster. `isEnded`: no further
 * level has to decide.
 * @throws REVIEW_LINK_INVALID, REVIEW_LINK_USED, REVIEW_LINK_FOREIGN, and whatever the decision refuses
 */
export async function decideReview(
  services: AppServices,
  request: ReviewRequest,
  decision: Decision,
): Promise<{ readonly isEnded: boolean }> {
  const { caller, ticket } = await reviewerOf(services, request);
  let isEnded: boolean;
  try {
    ({ isEnded } = await decideTask(services, caller, { taskId: ticket.task, decision }));
  } catch (error) {
    if (error instanceof AppError && (error.code === 'TASK_DONE' || error.code === 'NOT_FOUND'))
      throw new AppError('REVIEW_LINK_USED');
    // The telephone outlives the right: who decides is asked anew.
    if (error instanceof AppError && error.code === 'FORBIDDEN') throw new AppError('REVIEW_LINK_INVALID');
    throw error;
  }
  await services.db.execute('update sys_ticket set used_at = $2 where token_hash = $1 and used_at is null', [
    hashOf(request.token),
    services.clock().toISOString(),
  ]);
  return { isEnded };
}

export interface ReviewRequest {
  readonly token: string;
  readonly requestId: string;
  readonly address: string;
  /** The Authorization header that came along, empty without one. */
  readonly authorization: string;
}

interface Ticket {
  readonly task: string;
  readonly person: string;
  readonly resource: string;
  readonly record: string;
  readonly company: string;
}

/** The approver as caller, in the role that may approve the resource. */
async function reviewerOf(
  services: AppServices,
  request: ReviewRequest,
): Promise<{ readonly caller: Caller; readonly ticket: Ticket; readonly resource: Resource }> {
  const now = services.clock();
  const [row] = await services.db.query<{ subject: Ticket; used_at: unknown }>(
    `select subject, used_at from sys_ticket where token_hash = $1 and purpose = '${PURPOSE}' and expires_at > $2`,
    [hashOf(request.token), now.toISOString()],
  );
  if (row === undefined) throw new AppError('REVIEW_LINK_INVALID');
  if (row.used_at !== null) throw new AppError('REVIEW_LINK_USED');
  const ticket = row.subject;
  const resource = currentCatalog(services).resources[ticket.resource];
  const account = await findStaffById(services.db, ticket.person, companyToday(now));
  if (resource === undefined || account === null) throw new AppError('REVIEW_LINK_INVALID');
  const approvers: Caller[] = [];
  for (const { code } of account.roles) {
    const subject = await buildSubject(services, {
      candidate: { kind: 'staff', id: account.id, coCode: account.coCode },
      roleCode: code,
      roleCodes: [],
      salesId: null,
      now,
    });
    if (subject === null || !accessTo(services, subject, resource).operations.has('approve')) continue;
    const context = services.definitions.contextFor(subject, now);
    const { requestId, address } = request;
    approvers.push({ subject, sessionId: '', requestId, address, context });
  }
  // Who holds several roles decides in the one that may fill in what the approval asks for.
  const caller =
    approvers.find(({ subject }) => accessTo(services, subject, resource).operations.has('update')) ??
    approvers[0];
  if (caller === undefined) throw new AppError('REVIEW_LINK_INVALID');
  await refuseForeign(services, request, caller);
  return { caller, ticket, resource };
}

/** Whoever is signed in decides as nobody else; a session that has ended is none. @throws REVIEW_LINK_FOREIGN */
async function refuseForeign(
  services: AppServices,
  request: ReviewRequest,
  addressee: Caller,
): Promise<void> {
  if (request.authorization === '') return;
  const session = await services.sessions.find(request.authorization, { isPassive: true });
  const { id, name } = addressee.subject;
  if (session === null || session.candidates.some((candidate) => candidate.id === id)) return;
  throw new AppError('REVIEW_LINK_FOREIGN', {
    message: `该审核链接发给${name}，与当前登录的账号不符，不能审核`,
  });
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The page that shows an application to its approver (spec section 2.1): the one that a link may open. */
function reviewPage({ title, pages }: Resource): string {
  const page = pages.find(({ kind, guard }) => kind === 'approval' && guard === 'public');
  if (page === undefined) throw new AppError('RULE_REFUSED', { message: `${title}没有凭链接审核的页面` });
  return page.route;
}
