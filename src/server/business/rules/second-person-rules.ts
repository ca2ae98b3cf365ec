import { diffRecords } from '#engine/record/diff-records.ts';
import { AppError } from '#server/kernel/errors.ts';
import { performAction, requireAction } from '#server/records/action/run-action.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { removeRecord } from '#server/records/write/delete-record.ts';
import { changeRecord, readForWrite } from '#server/records/write/save-record.ts';
import { findNamed } from '#server/business/find-named.ts';
import { textOf } from './rule-values.ts';

/** What a document of a waiting change keeps: what was asked with, and what stood there then. */
interface KeptChange {
  readonly body: OpenRecord;
  readonly before: OpenRecord;
}

/**
 * Carries out what a second person has agreed to, as the person who asked: with the rights that person has now, and only
 * while the record is as it was asked about.
 */
async function applySettingChange(rule: RuleCall): Promise<void> {
  const { tx, services, caller, record, created } = rule;
  const call = await asAsker(rule);
  const id = textOf(record, 'target_id') ?? '';
  const action = textOf(record, 'target_action') ?? '';
  const { body, before } = keptIn(textOf(record, 'body'));
  const current = await readForWrite(tx, call, { id, version: null, operation: action });
  if (diffRecords(call.resource, { ...current, ...before }, current).length > 0)
    refuse('记录在提交复核之后已变更，请驳回后重新提交');
  await requireHolder(rule, { call, current, body });
  const opinion = `${caller.subject.name}复核`;
  if (action === 'update')
    await changeRecord(tx, call, { id, version: null, fields: body, created, opinion });
  else if (action === 'delete') await removeRecord(tx, call, current);
  else
    await performAction(tx, call, {
      action: requireAction(call, action),
      before: current,
      request: { version: null, opinion, inputs: body['inputs'] },
      created,
      isSystem: false,
    });
  tx.afterCommit(() => services.definitions.refreshOverrides());
}

/** The call as the person who asked would make it now. */
async function asAsker({ tx, services, caller, record }: RuleCall): Promise<Call> {
  const subjects = await services.following.subjectsOf(tx, String(record['created_by']));
  const subject = subjects.find(({ role_code: role }) => role === record['asked_role']);
  if (subject === undefined) refuse('申请人已停用，或不再担任提交时的角色，请驳回');
  const asking = { ...caller, subject, context: { ...caller.context, subject } };
  return { ...openAnyCall(services, asking, textOf(record, 'target_resource') ?? ''), isConfirmed: true };
}

/** Who gets super permission, or has it, is decided by another who has it; the first holder's first one by whoever may decide. */
async function requireHolder(
  rule: RuleCall,
  { call, current, body }: { readonly call: Call; readonly current: OpenRecord; readonly body: OpenRecord },
): Promise<void> {
  const isSuper = current['super_permission'] === true || body['super_permission'] === true;
  if (!isSuper || rule.caller.subject.super_permission) return;
  // Holders are those of the group, whatever their company.
  const holders = await findNamed(rule, 'person', {
    where: { super_permission: { eq: true }, status: { eq: 'active' }, id: { ne: call.caller.subject.id } },
    fields: ['id'],
    companies: 'all',
    limit: 1,
  });
  if (holders.length > 0) refuse('超级权限的变更须由另一位持有超级权限的人员复核');
}

function keptIn(text: string | null): KeptChange {
  const kept: unknown = JSON.parse(text ?? '{}');
  return { body: objectIn(kept, 'body'), before: objectIn(kept, 'before') };
}

function objectIn(holder: unknown, name: string): OpenRecord {
  const value: unknown =
    typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function refuse(message: string): never {
  throw new AppError('RULE_REFUSED', { message, problems: [{ path: '', code: 'second_person', message }] });
}

export const SECOND_PERSON_RULES: RuleSet = {
  effects: {
    apply_setting_change: {
      run: applySettingChange,
      reads: ['person.super_permission', 'person.status'],
      why: 'a document names any record of any resource, whose own write is made as the person who asked for it',
    },
  },
};
