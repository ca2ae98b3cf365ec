import { App } from 'antd';
import { type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ErpRecord, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { showError } from '#web/data/show-fault.ts';
import { recallWrite } from '#web/data/keyed-write.ts';
import { type RecordAction, recordActions } from '../actions/record-action.ts';
import { waitingText } from '../actions/created-records.ts';
import { type ActionRunner, useActionRunner } from '../actions/use-action-runner.tsx';
import { type Draft, draftKey } from '../form/draft-store.ts';
import type { FormStore } from '../form/form-store.ts';
import type { SentForm } from '../form/rebase-form.ts';
import { isOfRules, judgedProblems } from '../form/judged-problems.ts';
import { placedProblems } from '../form/problem-text.ts';
import type { Refusal } from '../form/shown-error.ts';
import { type DraftState, useDraft } from '../form/use-draft.ts';
import { useRunPreview } from '../form/use-preview.ts';
import { bySomebody } from '../details/newer-record.tsx';
import { flashSaved, savedFields } from './flash-saved.ts';
import type { RecordEditorProps } from './record-editor.tsx';
import type { FormWatch } from './use-form-watch.ts';
import { useSave } from './use-save.ts';

export const SUBMIT = 'submit';

/** Two versions of the record that are laid side by side. */
interface Compared {
  readonly base: ErpRecord;
  readonly mine: ErpRecord;
  readonly theirs: ErpRecord;
  /** Saved at once when one has chosen; a restored draft is only put back. */
  readonly isSavedAfter: boolean;
}

export interface Editor {
  readonly record: ErpRecord | null;
  readonly recordId: string | undefined;
  readonly version: number | null;
  readonly canSubmit: boolean;
  readonly isReadOnly: boolean;
  readonly isSaving: boolean;
  readonly isSubmitting: boolean;
  /** Saved elsewhere while one works on it: by whom, as `bySomebody` says it. */
  readonly outdatedBy: string | null;
  readonly refusal: Refusal | null;
  readonly compared: Compared | null;
  readonly draft: DraftState;
  readonly actions: ActionRunner;
  readonly save: () => void;
  readonly submit: () => void;
  readonly runSubmit: () => Promise<void>;
  readonly endSubmission: () => void;
  readonly runAction: (action: RecordAction) => void;
  readonly restoreDraft: (draft: Draft) => void;
  readonly takeFresh: (record: ErpRecord) => void;
  readonly takeMerged: (merged: ErpRecord) => void;
  readonly closeCompared: () => void;
  readonly closeRefusal: () => void;
}

interface EditorOptions extends RecordEditorProps {
  readonly store: FormStore;
  readonly watch: FormWatch;
  readonly root: RefObject<HTMLDivElement | null>;
}

/** All that a form does beside being typed in: save, submit, actions, drafts, other people's versions. */
export function useEditor(options: EditorOptions): Editor {
  const { store, watch, resource, context, root, onReload } = options;
  const { message } = App.useApp();
  const runPreview = useRunPreview(store);
  const [record, setRecord] = useState(options.record);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [compared, setCompared] = useState<Compared | null>(null);
  const [outdatedBy, setOutdated] = useState<string | null>(null);
  const [isSubmitting, setSubmitting] = useState(false);
  const recordId = typeof record?.['id'] === 'string' ? record['id'] : undefined;
  const place = recordId ?? `new:${options.place}`;
  const { subject } = context;
  const draft = useDraft(store, {
    key: draftKey(subject, resource.resource, place),
    pending: () => saving.pending.current,
  });

  const take = (saved: ErpRecord, sent?: SentForm): void => {
    const { isNew } = store;
    const changed = isNew || sent === undefined ? [] : savedFields(resource, store.base(), sent.record);
    store.saved(saved, sent);
    flashSaved(root.current, changed);
    draft.clear();
    watch.dirty.look();
    setOutdated(null);
    setRecord(saved);
    options.onSaved(saved, { isNew });
  };
  const saving = useSave(store, {
    onFinish: options.onFinish,
    onAnswer: async (answer, sent) => {
      // Drawn at once: what is sent next needs to know that the record is there now.
      flushSync(() => take(answer, sent));
      const waiting = waitingText(answer);
      if (waiting !== null) void message.info(waiting, 6);
      if (Array.isArray(answer['_actions'])) return;
      const whole = await onReload();
      if (whole !== null) setRecord(whole);
    },
    judge: async (seen, isComplete) => {
      const faults = await judged(seen, isComplete);
      store.showProblems(faults);
      return faults;
    },
    onSend: () => void draft.keep(),
  });
  /** What rules say, the server is asked: it alone knows the records that it finds. Without an answer it stands. */
  const judged = async (
    seen: readonly FieldProblem[],
    isComplete: boolean,
  ): Promise<readonly FieldProblem[]> => {
    const isSaved = !store.isNew && !store.isDirty();
    const said = isSaved || !seen.some(isOfRules) ? null : await runPreview().catch(() => null);
    if (said === null) return seen;
    // What the answer filled in may have ended some of it.
    const now = store.check(isComplete).filter((problem) => problem.level !== 'warning');
    return judgedProblems(now, isComplete ? said : { ...said, submitProblems: [] });
  };

  /** Ends when the record is in the form as one's last action has left it. */
  const taking = useRef<Promise<void>>(Promise.resolve());
  const refuse = (refused: Refusal): void => {
    setRefusal(refused);
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[data-problem-summary]')?.focus());
  };
  /** What an action of the saved form was refused for stands at its fields, as after a refused save. */
  const showRefused = (refused: Refusal): void => {
    const problems = placedProblems(resource, refused.problems);
    if (problems.length === 0) return;
    store.showProblems(problems);
    refuse({ ...refused, problems });
  };
  /** Lays my version beside the saved one, read again with what may be written and done now: it may have moved on. */
  const compare = async (refused: ErpRecord): Promise<void> => {
    const whole = await onReload();
    const theirs = whole !== null && Number(whole['version']) >= Number(refused['version']) ? whole : refused;
    setOutdated(bySomebody(theirs));
    setCompared({ base: store.base(), mine: store.record(), theirs, isSavedAfter: true });
  };
  /** Saves and tells whether the record is saved; a refusal is shown. */
  const saveNow = async (isComplete = false): Promise<boolean> => {
    // A save before that would be in conflict with one's own action.
    await taking.current;
    const outcome = await saving.save(isComplete);
    setRefusal(null);
    if (outcome.refusal !== null) {
      const { current } = outcome.refusal;
      if (current !== null) await compare(current);
      else {
        // Gone: read again, the form says so and what can be done.
        if (outcome.refusal.status === 404 && !store.isNew) await onReload();
        else if (outcome.isSent || !isComplete) showError(message, outcome.refusal.message);
        refuse(outcome.refusal);
      }
      return false;
    }
    if (outcome.isSent) void message.success('已保存', 3);
    else if (!isComplete) void message.info('没有改动', 4);
    return true;
  };
  /** After an action the record is another: it is read again with what is possible then. What is typed meanwhile stays. */
  const takeAfterAction = (answer: ErpRecord): Promise<void> => {
    const sent = store.sent();
    const taken = onReload().then((whole) => take(whole ?? answer, sent));
    taking.current = taken.catch(() => undefined);
    return taken;
  };
  const actions = useActionRunner(resource.resource, (next) => void takeAfterAction(next), {
    onRefused: (refused) => showRefused(refused),
  });

  const canSubmit = resource.lifecycle?.actions[SUBMIT] !== undefined && isSubmitAllowed(record, resource);
  const submit = async (): Promise<void> => {
    if (!canSubmit || saving.isSaving) return;
    if (await saveNow(true)) setSubmitting(true);
  };
  const restoreDraft = (offered: Draft): void => {
    draft.taken();
    const { pending, form, base, version } = offered;
    if (pending !== null) {
      // Sent, and its answer lost: the next save asks for it first, under the key that it had.
      recallWrite({ method: pending.method, path: pending.path, body: pending.values }, pending.key);
      store.restore(form.record);
      saving.pending.current = { ...pending, ...withKeysOf(store, pending, form) };
    } else if (base !== null && version !== store.base()['version'])
      setCompared({ base, mine: form.record, theirs: store.base(), isSavedAfter: false });
    else store.restore(form.record);
    watch.dirty.look();
  };
  return {
    record,
    recordId,
    version: typeof record?.['version'] === 'number' ? record['version'] : null,
    canSubmit,
    isReadOnly:
      recordId !== undefined && Array.isArray(record?.['_editable']) && record['_editable'].length === 0,
    isSaving: saving.isSaving,
    isSubmitting,
    outdatedBy,
    refusal,
    compared,
    draft,
    actions,
    save: () => void saveNow(),
    submit: () => void submit(),
    runSubmit: async () => {
      const answer = await actions.call({ action: SUBMIT, title: '提交' }, store.base());
      setSubmitting(false);
      await takeAfterAction(answer);
      options.onSubmitted(store.base());
    },
    endSubmission: () => setSubmitting(false),
    runAction: (action) => actions.run(action, store.base()),
    restoreDraft,
    takeFresh: (fresh) => {
      if (saving.isSaving || Number(fresh['version']) <= Number(store.base()['version'])) return;
      if (store.isDirty()) return setOutdated(bySomebody(fresh));
      store.saved(fresh);
      setRecord(fresh);
    },
    takeMerged: (merged) => {
      if (compared === null) return;
      store.restore(merged, compared.theirs);
      setRecord(compared.theirs);
      setCompared(null);
      setRefusal(null);
      setOutdated(null);
      watch.dirty.look();
      if (compared.isSavedAfter) void saveNow();
    },
    closeCompared: () => setCompared(null),
    closeRefusal: () => setRefusal(null),
  };
}

/** A record's own word on its submit action; a new one may be submitted when its initial state allows it. */
function isSubmitAllowed(record: ErpRecord | null, resource: Resource): boolean {
  if (record === null) {
    const initial = resource.lifecycle?.initial;
    return initial !== undefined && resource.lifecycle?.actions[SUBMIT]?.from.includes(initial) === true;
  }
  return recordActions(record).some((action) => action.action === SUBMIT && action.allowed);
}

/** The lines of a restored draft have new keys: what was sent is told by those. */
function withKeysOf(
  store: FormStore,
  pending: { readonly sent: SentForm; readonly sentKeys: Draft['form']['keys'] | object },
  form: SentForm,
): { readonly sent: SentForm } {
  const { keys: now } = store.sent();
  const renamed = Object.entries(pending.sent.keys).map(([lines, keys]) => {
    const byOld = new Map((form.keys[lines] ?? []).map((old, index) => [old, now[lines]?.[index] ?? old]));
    return [lines, keys.map((key) => byOld.get(key) ?? key)];
  });
  return { sent: { record: pending.sent.record, keys: Object.fromEntries(renamed) } };
}
