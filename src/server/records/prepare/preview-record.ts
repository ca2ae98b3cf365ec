import type { Preview } from '#contract/records.ts';
import { CREATION } from '#engine/ledger/posting-moment.ts';
import { fieldStates } from '#engine/record/field-states.ts';
import { firstProblems } from '#engine/record/problem-list.ts';
import { checkRecord } from '#engine/record/check-record.ts';
import { canSee } from '#engine/access/resource-access.ts';
import { letOthers } from '#server/kernel/let-others.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import { shownRecord } from '#server/records/read/present-record.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { openAnyCall, type Call } from '#server/records/call/open-call.ts';
import { cleanOpinion, requireAction } from '#server/records/action/run-action.ts';
import { type ActionPreview, previewAction } from '#server/records/rehearse/preview-action.ts';
import { keepBehindForeign, putBack } from './foreign-references.ts';
import { prepareChange, prepareNew } from './prepare-record.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import { hasSources, splitSources } from '#server/records/pick/read-sources.ts';
import { takeSources } from '#server/records/pick/take-sources.ts';
import { tellForm } from '#server/records/pick/tell-form.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { requireWritable } from '#server/records/write/save-record.ts';

/**
 * What a save would give: computed fields, field states, problems, and the approval that a submission would start; with
 * `action` also what that would do, `create` being the creation itself. Saves nothing. The body is a create or PATCH body;
 * with `id` it is taken for a change of that record.
 */
export async function previewRecord(
  services: Services,
  caller: Caller,
  asked: { readonly key: string; readonly body: unknown },
): Promise<Preview> {
  const call = openAnyCall(services, caller, asked.key);
  requireWritable(call);
  const { id, version, fields, act } = splitBody(call, asked.body);
  const mayWrite = call.access.operations.has(id === null ? 'create' : 'update');
  // Approvers look at what they decide; to a customer who only reads, what is worked out anew would show its sources.
  const mayLook = caller.subject.kind === 'staff' && call.access.operations.has('read');
  if (!mayWrite && !mayLook) throw new AppError('FORBIDDEN');
  const sourced = splitSources(call, fields);
  const made = hasSources(sourced) ? await takeSources(services.db, call, sourced, false) : undefined;
  const current = id === null ? null : await readCurrent(call, id);
  const prepared =
    current === null
      ? await prepareNew(services.db, call, sourced.body, made)
      : await prepareChange(services.db, call, {
          ...{ current, body: sourced.body },
          ...(made === undefined ? {} : { made }),
        });
  const { record, foreign } = prepared;
  const problems = [...(made?.problems ?? []), ...prepared.problems];
  const scope = recordScope(call, record);
  await letOthers();
  const states = fieldStates(call.resource, record, scope);
  const complete = checkRecord(call.resource, record, scope, { complete: true });
  await letOthers();
  const known = new Set(problems.map((problem) => `${problem.path}|${problem.code}`));
  const isStaff = caller.subject.kind === 'staff';
  const hasLevels =
    act === null || (act.action !== CREATION && requireAction(call, act.action).approval !== undefined);
  const approval = isStaff && hasLevels ? await services.following.simulateApproval(call, record) : null;
  putBack(record, foreign);
  const attached = await attachReferences(services.db, {
    catalog: call.catalog,
    resource: call.resource,
    records: [record],
    access: call.access,
    withPaths: true,
    withLabels: true,
    withForeign: true,
    company: caller.subject.co_code,
    reader: call,
  });
  if (current !== null) keepBehindForeign(call, attached, { record, current });
  return {
    record: shownRecord(call, record, attached.closed),
    states: Object.fromEntries(Object.entries(states).filter(([path]) => isOpenPath(call, path))),
    problems: firstProblems(problems),
    submitProblems: firstProblems(
      complete.filter((problem) => !known.has(`${problem.path}|${problem.code}`)),
    ),
    approval,
    from: made?.form ? tellForm(made.form) : null,
    plan: act === null ? null : await previewAction(call, { id, version, fields, ...act }),
  };
}

async function readCurrent(call: Call, id: string): Promise<OpenRecord> {
  const current = isRecordId(id) ? await readStored(callersReader(call), call, id) : null;
  if (current === null) throw new AppError('NOT_FOUND');
  return current;
}

interface PreviewBody {
  readonly id: string | null;
  readonly version: number | null;
  readonly fields: OpenRecord;
  /** The action to rehearse. */
  readonly act: Pick<ActionPreview, 'action' | 'inputs' | 'opinion'> | null;
}

function splitBody(call: Call, body: unknown): PreviewBody {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('BAD_REQUEST', { message: '请求内容应为对象' });
  const { id, version, ...fields }: OpenRecord = { ...body };
  const [action, inputs, opinion] = ['action', 'inputs', 'opinion'].map((name) => {
    // A field of that name is the record's; then the action is named with a stroke before it.
    const key = Object.hasOwn(call.resource.fields, name) ? `_${name}` : name;
    const value = fields[key];
    delete fields[key];
    return value;
  });
  return {
    id: typeof id === 'string' ? id : null,
    version: typeof version === 'number' ? version : null,
    fields,
    act:
      typeof action === 'string'
        ? { action, inputs, opinion: typeof opinion === 'string' ? cleanOpinion(opinion) : null }
        : null,
  };
}

function isOpenPath(call: Call, path: string): boolean {
  const parts = path.split('.').filter((part) => !/^\d+$/.test(part));
  return canSee(call.access, parts.join('.'));
}
