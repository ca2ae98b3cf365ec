import { App } from 'antd';
import { type ReactNode, useState } from 'react';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { http } from '#web/data/http.ts';
import { useRefreshRecords } from '#web/data/refresh-records.ts';
import { showFault } from '#web/data/show-fault.ts';
import { ActionDialog } from './action-dialog.tsx';
import { AmendDrawer } from './amend-drawer.tsx';
import { type ActionAnswer, type RecordAction, needsDialog } from './record-action.ts';

export interface CreatedRecord {
  readonly resource: string;
  readonly id: string;
  readonly label: string;
}

export interface ActionRunner {
  readonly run: (action: RecordAction, record: ErpRecord) => void;
  /** Must stand in the page: the open question, if any. */
  readonly dialog: ReactNode;
  readonly isRunning: boolean;
}

/** Runs lifecycle actions on a record: asks what they need, calls once, refreshes what is shown and offers what was created. */
export function useActionRunner(
  resource: string,
  onDone?: (record: ErpRecord, created: readonly CreatedRecord[]) => void,
): ActionRunner {
  const { message } = App.useApp();
  const refresh = useRefreshRecords();
  const [open, setOpen] = useState<{ readonly action: RecordAction; readonly record: ErpRecord } | null>(
    null,
  );
  const [isRunning, setRunning] = useState(false);

  const call = async (action: RecordAction, record: ErpRecord, answer: ActionAnswer) => {
    setRunning(true);
    try {
      const next = await http.post<ErpRecord>(
        `/data/${resource}/${String(record['id'])}/actions/${action.action}`,
        {
          version: record['version'],
          ...(answer.opinion === '' ? {} : { opinion: answer.opinion }),
          ...(Object.keys(answer.inputs).length === 0 ? {} : { inputs: answer.inputs }),
        },
      );
      void message.success(`${action.title}成功`);
      setOpen(null);
      await refresh(resource);
      onDone?.(next, createdRecords(next));
    } finally {
      setRunning(false);
    }
  };

  const run = (action: RecordAction, record: ErpRecord) => {
    if (needsDialog(action)) return setOpen({ action, record });
    call(action, record, { opinion: '', inputs: {} }).catch((error: unknown) => {
      showFault(message, error, '操作没有完成');
    });
  };

  const dialog =
    open === null ? null : open.action.amends !== undefined ? (
      <AmendDrawer
        key={`${open.action.action}-${String(open.record['id'])}`}
        resource={resource}
        id={String(open.record['id'])}
        action={open.action}
        onRun={(answer) => call(open.action, open.record, answer)}
        onClose={() => setOpen(null)}
      />
    ) : (
      <ActionDialog
        key={`${open.action.action}-${String(open.record['id'])}`}
        resource={resource}
        action={open.action}
        onRun={(answer) => call(open.action, open.record, answer)}
        onClose={() => setOpen(null)}
      />
    );
  return { run, dialog, isRunning };
}

function createdRecords(record: ErpRecord): readonly CreatedRecord[] {
  const created = record['_created'];
  return Array.isArray(created) ? created.filter(isCreated) : [];
}

function isCreated(value: unknown): value is CreatedRecord {
  return typeof value === 'object' && value !== null && 'resource' in value && 'id' in value;
}
