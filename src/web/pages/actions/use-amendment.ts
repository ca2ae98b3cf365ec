import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Dictionary, ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { useUnsaved } from '#web/app/use-unsaved.ts';
import { type Draft, draftKey } from '../form/draft-store.ts';
import { formContextOfPerson } from '../form/form-person.ts';
import { FormStore } from '../form/form-store.ts';
import { DirtyWatch } from '../form/form-watch.ts';
import { type Refusal, refusalOf } from '../form/shown-error.ts';
import { type DraftState, useDraft } from '../form/use-draft.ts';
import { inputsProblems, openForAmendment, proposedRecord } from './amended-fields.ts';
import {
  type ActionAnswer,
  faultsAt,
  inputFields,
  isAnswered,
  missingInputs,
  type RecordAction,
  startingInputs,
} from './record-action.ts';

export interface AmendmentOptions {
  readonly resource: Resource;
  readonly dictionaries: Readonly<Record<string, Dictionary>>;
  /** The record as it was read when the form was opened. */
  readonly record: ErpRecord;
  readonly action: RecordAction;
  /** Runs the action on the record as the form knows it; a rejection keeps the form with what is wrong. */
  readonly onRun: (answer: ActionAnswer, on: ErpRecord) => Promise<void>;
}

/** Two versions of the record that are laid side by side. */
interface Compared {
  readonly base: ErpRecord;
  readonly mine: ErpRecord;
  readonly theirs: ErpRecord;
}

export interface Amendment {
  readonly store: FormStore;
  /** Inputs that the action asks for beside the record's fields. */
  readonly fields: readonly Field[];
  readonly answer: ActionAnswer;
  readonly setAnswer: (answer: ActionAnswer) => void;
  readonly faults: Readonly<Record<string, string>>;
  readonly refusal: Refusal | null;
  readonly isRunning: boolean;
  readonly draft: DraftState;
  readonly compared: Compared | null;
  /** Whether anything differs now, not a moment ago. */
  readonly isDirty: () => boolean;
  readonly run: () => void;
  readonly restoreDraft: (draft: Draft) => void;
  readonly takeMerged: (merged: ErpRecord) => void;
  readonly closeCompared: () => void;
  readonly closeRefusal: () => void;
}

/** What is typed into an amendment: the record's fields, the inputs of the action and the reason, kept as one draft. */
export function useAmendment({ resource, dictionaries, record, action, onRun }: AmendmentOptions): Amendment {
  const [context] = useState(() => formContextOfPerson(new Date()));
  const [{ store, isTyped }] = useState(() => {
    const made = new FormStore({
      resource,
      dictionaries,
      context,
      record: openForAmendment(resource, record, action.amends),
    });
    const proposed = proposedRecord(
      made.record(),
      resource.lifecycle?.actions[action.action]?.proposes ?? {},
    );
    if (proposed !== null) made.restore(proposed);
    made.flush();
    // What is only proposed is nobody's work.
    const start = proposed === null ? null : made.revision();
    return { store: made, isTyped: () => made.isDirty() && made.revision() !== start };
  });
  const fields = useMemo(() => inputFields(action), [action]);
  const [answer, setAnswer] = useState<ActionAnswer>(() => ({
    opinion: '',
    inputs: startingInputs(inputFields(action)),
  }));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isRunning, setRunning] = useState(false);
  const [compared, setCompared] = useState<Compared | null>(null);
  const hasAnswer = isAnswered(fields, answer);
  const draft = useDraft(store, {
    key: draftKey(context.subject, resource.resource, `${String(record['id'])} ${action.action}`),
    answer: hasAnswer ? answer : null,
    isTyped,
  });
  const isChanged = useIsChanged(store, isTyped);
  useUnsaved(isChanged || hasAnswer, true);

  const refuse = (message: string): void =>
    setRefusal({ message, status: null, problems: [], current: null });
  const run = async (): Promise<void> => {
    store.flush();
    const problems = store.check(true).filter((problem) => problem.level !== 'warning');
    if (problems.length > 0) {
      setRefusal({ message: '有内容需要修改，请看标红处', status: null, problems, current: null });
      return;
    }
    const missing = faultsAt(fields, missingInputs(fields, answer.inputs));
    setFaults(missing);
    if (Object.keys(missing).length > 0) return refuse('请填写必填内容');
    const { body, isEmpty } = store.changes();
    // An action with inputs of its own may leave the record's fields as they are.
    if (isEmpty && fields.length === 0) return refuse('没有改动');
    const opinion = answer.opinion.trim();
    if (action.reasonRequired === true && opinion === '') return refuse('请填写原因');
    setRunning(true);
    setRefusal(null);
    void draft.keep();
    try {
      const inputs = { ...answer.inputs, ...(isEmpty ? {} : { changes: body }) };
      await onRun({ opinion, inputs }, store.base());
      draft.end();
    } catch (error) {
      const refused = refusalOf(error);
      setFaults(faultsAt(fields, refused.problems));
      const found = inputsProblems(refused.problems);
      if (found.length > 0) store.showProblems(found);
      setRefusal({ ...refused, problems: found });
      if (refused.current !== null)
        setCompared({
          base: store.base(),
          mine: store.record(),
          theirs: openForAmendment(resource, refused.current, action.amends),
        });
    } finally {
      setRunning(false);
    }
  };
  const restoreDraft = ({ form, base, version, answer: kept }: Draft): void => {
    draft.taken();
    if (kept !== null && kept !== undefined) setAnswer(kept);
    if (base !== null && version !== store.base()['version'])
      setCompared({ base, mine: form.record, theirs: store.base() });
    else store.restore(form.record);
  };
  return {
    store,
    fields,
    answer,
    setAnswer,
    faults,
    refusal,
    isRunning,
    draft,
    compared,
    isDirty: () => hasAnswer || isTyped(),
    run: () => void run(),
    restoreDraft,
    takeMerged: (merged) => {
      if (compared === null) return;
      store.restore(merged, compared.theirs);
      setCompared(null);
      setRefusal(null);
    },
    closeCompared: () => setCompared(null),
    closeRefusal: () => setRefusal(null),
  };
}

function useIsChanged(store: FormStore, isTyped: () => boolean): boolean {
  const watch = useMemo(() => new DirtyWatch(store, isTyped), [store, isTyped]);
  useEffect(() => watch.start(), [watch]);
  return useSyncExternalStore(watch.subscribe, watch.get);
}
