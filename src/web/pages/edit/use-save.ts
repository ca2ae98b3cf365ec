import { useRef, useState } from 'react';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { isUnanswered, keyOfWrite } from '#web/data/keyed-write.ts';
import type { PendingSave } from '../form/draft-store.ts';
import type { FormStore } from '../form/form-store.ts';
import type { SentForm } from '../form/rebase-form.ts';
import { type Refusal, refusalOf } from '../form/shown-error.ts';

export interface SaveOutcome {
  /** The record as saved; null when it was not. */
  readonly record: ErpRecord | null;
  /** Set when it was not saved, or nobody knows. */
  readonly refusal: Refusal | null;
  /** False when nothing had changed and nothing was sent. */
  readonly isSent: boolean;
}

export interface SaveOptions {
  /** refine's `onFinish`: creates or changes. */
  readonly onFinish: (values: ErpRecord) => Promise<ErpRecord | null>;
  /** Takes an answer over into the form, before anything else is sent. */
  readonly onAnswer: (record: ErpRecord, sent: SentForm) => Promise<void>;
  /** What of the faults that the form sees stands after the server was asked. */
  readonly judge: (seen: readonly FieldProblem[], isComplete: boolean) => Promise<readonly FieldProblem[]>;
  /** Called when a save is on its way, to keep it with the draft. */
  readonly onSend: () => void;
}

const CHECK_MESSAGE = '有内容需要修改，请看标红处';
const INCOMPLETE_MESSAGE = '提交前请补全以下内容';

/**
 * Saving a form: checks first, sends only what differs, brings the server's problems back to their fields and cells. A
 * second call while one runs waits for it. A save whose answer was lost is settled first, under its own key, before what
 * was typed since is sent: so nothing is saved twice, and nobody is in conflict with oneself.
 */
export function useSave(store: FormStore, options: SaveOptions) {
  const latest = useRef(options);
  latest.current = options;
  const running = useRef<Promise<SaveOutcome> | null>(null);
  const pending = useRef<PendingSave | null>(null);
  const [isSaving, setSaving] = useState(false);

  const finish = async (save: PendingSave): Promise<SaveOutcome> => {
    pending.current = save;
    latest.current.onSend();
    try {
      const record = await latest.current.onFinish(save.values);
      pending.current = null;
      if (record !== null) await latest.current.onAnswer(record, save.sent);
      return { record: record === null ? null : store.base(), refusal: null, isSent: true };
    } catch (error) {
      if (!isUnanswered(error)) pending.current = null;
      const refusal = refusalOf(error);
      const problems = refusal.problems.map((problem) => asRecordPath(store, problem, save));
      if (problems.length > 0) store.showProblems(problems);
      return { record: null, refusal: { ...refusal, problems }, isSent: true };
    }
  };

  const send = async (): Promise<SaveOutcome> => {
    const before = pending.current;
    if (before !== null && !isSame(before, saveOf(store))) {
      const settled = await finish(before);
      // Still unknown, or saved with nothing typed since. A refusal then means that nothing had been written.
      if (pending.current !== null || (settled.record !== null && !store.isDirty())) return settled;
    }
    const save = saveOf(store);
    if (save === null) return { record: store.base(), refusal: null, isSent: false };
    return finish(keyed(save));
  };

  const checkAndSend = async (isComplete: boolean): Promise<SaveOutcome> => {
    const seen = store.check(isComplete).filter((problem) => problem.level !== 'warning');
    const problems = seen.length === 0 ? seen : await latest.current.judge(seen, isComplete);
    if (problems.length === 0) return send();
    const message = isComplete ? INCOMPLETE_MESSAGE : CHECK_MESSAGE;
    return { record: null, refusal: { message, status: null, problems, current: null }, isSent: false };
  };

  /** Saves; `isComplete` checks what a submission needs. */
  const save = (isComplete: boolean): Promise<SaveOutcome> => {
    if (running.current !== null) return running.current;
    setSaving(true);
    const run = checkAndSend(isComplete).finally(() => {
      running.current = null;
      setSaving(false);
    });
    running.current = run;
    return run;
  };

  return { save, isSaving, pending };
}

/** What would be saved now; null when nothing differs. */
function saveOf(store: FormStore): Omit<PendingSave, 'key'> | null {
  const { body, isEmpty, sentKeys } = store.changes();
  if (isEmpty && !store.isNew) return null;
  const { id, version } = store.base();
  const path = `/data/${store.resource.resource}`;
  const rest = { sent: store.sent(), sentKeys };
  return store.isNew
    ? { method: 'post', path, values: body, ...rest }
    : { method: 'patch', path: `${path}/${String(id)}`, values: { ...body, version }, ...rest };
}

function keyed(save: Omit<PendingSave, 'key'>): PendingSave {
  return { ...save, key: keyOfWrite({ ...save, body: save.values }) };
}

function isSame(save: PendingSave, now: Omit<PendingSave, 'key'> | null): boolean {
  return JSON.stringify(save.values) === JSON.stringify(now?.values);
}

/** A problem by the index of the submitted list becomes one by the index of the line in the form. */
function asRecordPath(store: FormStore, problem: FieldProblem, { sentKeys }: PendingSave): FieldProblem {
  const [name = '', index, ...rest] = problem.path.split('.');
  const key = index === undefined ? null : (sentKeys[name]?.[Number(index)] ?? null);
  if (key === null) return problem;
  const row = store.lines(name)?.order().indexOf(key) ?? -1;
  return row < 0 ? { ...problem, path: name } : { ...problem, path: [name, row, ...rest].join('.') };
}
