import { useEffect, useState } from 'react';
import type { Plan } from '#contract/plan.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { type Read, useRead } from '#web/data/use-read.ts';
import { refusalOf } from '../form/shown-error.ts';
import { approvalIn, type Preview } from '../form/use-preview.ts';

/** An action of a record, with what was typed so far. */
export interface ActionQuestion {
  readonly resource: string;
  /** What the question calls like a field of the record is asked with a stroke before it. */
  readonly hasField: (name: string) => boolean;
  readonly id: string;
  readonly version: unknown;
  readonly action: string;
  readonly inputs: ErpRecord;
}

/** A decision of a task, with what was filled in at its level. */
export interface DecisionQuestion {
  readonly taskId: string;
  readonly version: unknown;
  readonly fields: ErpRecord;
}

export interface AskedPlan {
  readonly plan: Plan | null;
  /** Who decides after a submission; null for any other action. */
  readonly approval: Preview['approval'];
  /** Why it cannot be said now. */
  readonly fault: string | null;
  /** The record as it is now, where it was asked about as it no longer is. */
  readonly current: ErpRecord | null;
  /** An older answer is shown while a newer one is on its way. */
  readonly isAsking: boolean;
  readonly reload: () => void;
}

const PAUSE_MS = 500;

/** What the server says that an action would do; asked again after a pause in typing. */
export function useActionPlan(question: ActionQuestion, isEnabled = true): AskedPlan {
  const { resource, hasField, id, version, action, inputs } = question;
  const nameOf = (name: string): string => (hasField(name) ? `_${name}` : name);
  const given = Object.keys(inputs).length === 0 ? {} : { [nameOf('inputs')]: inputs };
  const { body, isSettled } = useSettled({ id, version, [nameOf('action')]: action, ...given });
  const read = useRead(
    'POST /data/:resource/preview',
    { params: { resource }, body },
    { key: ['plan', resource, JSON.stringify(body)], isEnabled, staleTimeMs: 0, keepsLast: true },
  );
  return {
    ...asked(read, isEnabled && !isSettled),
    plan: read.data?.plan ?? null,
    approval: approvalIn(read.data?.approval),
  };
}

/** What the server says that saving a new record would do. */
export function useCreationPlan(
  { resource, hasField }: Pick<ActionQuestion, 'resource' | 'hasField'>,
  fields: ErpRecord,
): AskedPlan {
  const body = { ...fields, [hasField('action') ? '_action' : 'action']: 'create' };
  const read = useRead(
    'POST /data/:resource/preview',
    { params: { resource }, body },
    { key: ['plan', resource, JSON.stringify(body)], staleTimeMs: 0, keepsLast: true },
  );
  return { ...asked(read, false), plan: read.data?.plan ?? null, approval: null };
}

/** What the server says that 同意 would do. */
export function useDecisionPlan(
  { taskId, version, fields }: DecisionQuestion,
  isEnabled: boolean,
): AskedPlan {
  const { body, isSettled } = useSettled({
    version,
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  });
  const seen = typeof body.version === 'number' ? { version: body.version } : {};
  const filled = body.fields === undefined ? {} : { fields: body.fields };
  const read = useRead(
    'POST /approval/:taskId/preview',
    { params: { taskId }, body: { kind: 'approve', ...seen, ...filled } },
    { key: ['plan', taskId, JSON.stringify(body)], isEnabled, staleTimeMs: 0, keepsLast: true },
  );
  return { ...asked(read, isEnabled && !isSettled), plan: read.data ?? null, approval: null };
}

function asked(
  { error, isFetching, reload }: Pick<Read<unknown>, 'error' | 'isFetching' | 'reload'>,
  isWaiting: boolean,
): Pick<AskedPlan, 'fault' | 'current' | 'isAsking' | 'reload'> {
  const current = error === null ? null : refusalOf(error).current;
  return { fault: error?.message ?? null, current, isAsking: isFetching || isWaiting, reload };
}

/** What is asked, once nobody has changed it for a moment. */
function useSettled<Body extends object>(wanted: Body): { readonly body: Body; readonly isSettled: boolean } {
  const [body, setBody] = useState(wanted);
  const text = JSON.stringify(wanted);
  const isSettled = JSON.stringify(body) === text;
  useEffect(() => {
    if (isSettled) return undefined;
    const timer = setTimeout(() => setBody(JSON.parse(text) as Body), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isSettled, text]);
  return { body, isSettled };
}
