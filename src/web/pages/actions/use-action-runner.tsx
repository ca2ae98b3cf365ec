import { App } from 'antd';
import { type ReactNode, useCallback, useState } from 'react';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { useRefreshRecords } from '#web/data/refresh-records.ts';
import { showFault } from '#web/data/show-fault.ts';
import { useWrite } from '#web/data/use-write.ts';
import { isStale, type Refusal, refusalOf } from '../form/shown-error.ts';
import { ActionDialog } from './action-dialog.tsx';
import { AmendDrawer } from './amend-drawer.tsx';
import { type CreatedRecord, createdRecords, waitingText } from './created-records.ts';
import { doneWords } from './done-words.ts';
import { type ActionAnswer, type RecordAction, needsDialog } from './record-action.ts';
import { RefusalDialog } from './refusal-dialog.tsx';

export interface ActionRunner {
  /** Asks what the action needs, then runs it. */
  readonly run: (action: RecordAction, record: ErpRecord) => void;
  /** Runs an action whose questions were answered elsewhere; the record as it is then. */
  readonly call: (
    action: Pick<RecordAction, 'action' | 'title'>,
    record: ErpRecord,
    answer?: ActionAnswer,
  ) => Promise<ErpRecord>;
  /** Must stand in the page: the open question, if any. */
  readonly dialog: ReactNode;
  readonly isRunning: boolean;
}

/** Where a refusal goes. */
export interface RefusalPlace {
  /** Marks it in the form that the action was called in; without one a dialog lists what stands against the action. */
  readonly onRefused?: (refusal: Refusal) => void;
  /** From that dialog to the form. */
  readonly onEdit?: (() => void) | undefined;
}

const NO_ANSWER: ActionAnswer = { opinion: '', inputs: {} };

/** Runs lifecycle actions on a record: asks what they need, calls once, refreshes what is shown and offers what was created. */
export function useActionRunner(
  resource: string,
  onDone?: (record: ErpRecord, created: readonly CreatedRecord[]) => void,
  { onRefused, onEdit }: RefusalPlace = {},
): ActionRunner {
  const { message } = App.useApp();
  const refresh = useRefreshRecords();
  const definition = usePageResource(resource);
  const { write, isWriting } = useWrite();
  const [open, setOpen] = useState<{ readonly action: RecordAction; readonly record: ErpRecord } | null>(
    null,
  );

  const [refused, setRefused] = useState<{ readonly title: string; readonly refusal: Refusal } | null>(null);

  const call: ActionRunner['call'] = async (action, record, answer = NO_ANSWER) => {
    const next = await write('POST /data/:resource/:id/actions/:action', {
      params: { resource, id: String(record['id']), action: action.action },
      body: {
        version: Number(record['version']),
        ...(answer.opinion === '' ? {} : { opinion: answer.opinion }),
        ...(Object.keys(answer.inputs).length === 0 ? {} : { inputs: answer.inputs }),
      },
    }).catch((error: unknown) => {
      // Gone or changed meanwhile: whatever shows it says so, and the next try is on what is there.
      if (isStale(refusalOf(error))) void refresh(resource);
      throw error;
    });
    const waiting = waitingText(next);
    if (waiting === null)
      void message.success(doneWords(action, { before: record, next }, definition.resource));
    else void message.info(waiting, 6);
    // What is shown elsewhere is read again meanwhile: nobody waits for it.
    void refresh(resource);
    return next;
  };
  const finish = async (action: RecordAction, record: ErpRecord, answer?: ActionAnswer) => {
    const next = await call(action, record, answer).catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal.problems.length > 0) onRefused?.(refusal);
      throw error;
    });
    setOpen(null);
    onDone?.(next, createdRecords(next));
  };
  const run = (action: RecordAction, record: ErpRecord) => {
    if (needsDialog(action)) return setOpen({ action, record });
    finish(action, record).catch((error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal.problems.length > 0 && onRefused === undefined)
        return setRefused({ title: action.title, refusal });
      return showFault(message, error, '操作没有完成');
    });
  };

  const takeCurrent = useCallback(
    (record: ErpRecord) => {
      setOpen((asked) => asked && { ...asked, record });
      void refresh(resource);
    },
    [refresh, resource],
  );

  const Question = open?.action.amends === undefined ? ActionDialog : AmendDrawer;
  const dialog =
    open === null ? (
      refused && (
        <RefusalDialog
          {...refused}
          resource={definition.resource}
          onEdit={onEdit}
          onClose={() => setRefused(null)}
        />
      )
    ) : (
      <Question
        key={`${open.action.action}-${String(open.record['id'])}`}
        resource={resource}
        id={String(open.record['id'])}
        record={open.record}
        action={open.action}
        onRun={(answer: ActionAnswer, on: ErpRecord = open.record) => finish(open.action, on, answer)}
        onCurrent={takeCurrent}
        onClose={() => setOpen(null)}
      />
    );
  return { run, call, dialog, isRunning: isWriting };
}
