import { type BaseRecord, type HttpError, useForm } from '@refinedev/core';
import { useRef, useState } from 'react';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { newIdempotencyKey } from './api-call.ts';
import type { FormStore } from './form-store.ts';
import { type Refusal, refusalOf } from './shown-error.ts';

export interface SaveOutcome {
  readonly record: ErpRecord | null;
  /** Set when it was not saved. */
  readonly refusal: Refusal | null;
  /** False when nothing had changed and nothing was sent. */
  readonly isSent: boolean;
}

const CHECK_MESSAGE = '有内容需要修改，请看标红处';

/**
 * Saving a form through refine's useForm: checks first, sends only what differs, brings the server's problems back to
 * their fields and cells. A second call while one runs waits for it; a repeated intention carries the same key.
 */
export function useRecordForm(store: FormStore, recordId: string | undefined) {
  const [headers] = useState<Record<string, string>>({});
  const { onFinish } = useForm<BaseRecord, HttpError, ErpRecord>({
    resource: store.resource.resource,
    action: recordId === undefined ? 'create' : 'edit',
    ...(recordId === undefined ? {} : { id: recordId }),
    redirect: false,
    mutationMode: 'pessimistic',
    queryOptions: { enabled: false },
    successNotification: false,
    errorNotification: false,
    mutationMeta: { headers },
  });
  const running = useRef<Promise<SaveOutcome> | null>(null);
  const lastSent = useRef<{ readonly text: string; readonly key: string } | null>(null);
  const [isSaving, setSaving] = useState(false);

  const send = async (version: unknown): Promise<SaveOutcome> => {
    const { body, sentKeys, isEmpty } = store.changes();
    if (isEmpty && recordId !== undefined) return { record: store.base(), refusal: null, isSent: false };
    const values = recordId === undefined ? body : { ...body, version };
    const text = JSON.stringify(values);
    if (lastSent.current?.text !== text) lastSent.current = { text, key: newIdempotencyKey() };
    headers['Idempotency-Key'] = lastSent.current.key;
    try {
      const answer = await onFinish(values);
      lastSent.current = null;
      return { record: answer?.data ?? null, refusal: null, isSent: true };
    } catch (error) {
      const refusal = refusalOf(error);
      const problems = refusal.problems.map((problem) => asRecordPath(store, problem, sentKeys));
      if (problems.length > 0) store.showProblems(problems);
      return { record: null, refusal: { ...refusal, problems }, isSent: true };
    }
  };

  /** Saves; `isComplete` checks what a submission needs. */
  const save = (isComplete: boolean): Promise<SaveOutcome> => {
    if (running.current !== null) return running.current;
    const problems = store.check(isComplete).filter((problem) => problem.level !== 'warning');
    if (problems.length > 0) {
      const refusal: Refusal = { message: CHECK_MESSAGE, status: null, problems, current: null };
      return Promise.resolve({ record: null, refusal, isSent: false });
    }
    setSaving(true);
    const run = send(store.base()['version']).finally(() => {
      running.current = null;
      setSaving(false);
    });
    running.current = run;
    return run;
  };

  return { save, isSaving };
}

/** A problem by the index of the submitted list becomes one by the index of the line in the form. */
function asRecordPath(
  store: FormStore,
  problem: FieldProblem,
  sentKeys: Readonly<Record<string, readonly (string | null)[]>>,
): FieldProblem {
  const [name = '', index, ...rest] = problem.path.split('.');
  const key = index === undefined ? null : (sentKeys[name]?.[Number(index)] ?? null);
  if (key === null) return problem;
  const row = store.lines(name)?.order().indexOf(key) ?? -1;
  return row < 0 ? { ...problem, path: name } : { ...problem, path: [name, row, ...rest].join('.') };
}
