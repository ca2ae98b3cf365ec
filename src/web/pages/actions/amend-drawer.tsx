import '../form/form.css';
import { useOne } from '@refinedev/core';
import { Alert, Button, Drawer, Input, Skeleton } from 'antd';
import { type RefObject, useId, useMemo, useRef } from 'react';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { useLeaveQuestion } from '#web/app/use-unsaved.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { DictionaryContext } from '#web/fields/dictionary-context.ts';
import { DraftOffer } from '../edit/draft-offer.tsx';
import { StaleDialog } from '../edit/stale-dialog.tsx';
import { FormContext } from '../form/form-context.ts';
import { FormSection } from '../form/form-section.tsx';
import { ProblemSummary } from '../form/problem-summary.tsx';
import { refusalOf } from '../form/shown-error.ts';
import { amendedSections } from './amended-fields.ts';
import { ActionInputs } from './action-inputs.tsx';
import type { ActionAnswer, RecordAction } from './record-action.ts';
import { type AmendmentOptions, useAmendment } from './use-amendment.ts';

export interface AmendDrawerProps {
  readonly resource: string;
  readonly id: string;
  readonly action: RecordAction;
  /** Runs the action on the record as it is given; a rejection keeps the drawer open with what is wrong. */
  readonly onRun: (answer: ActionAnswer, on: ErpRecord) => Promise<void>;
  readonly onClose: () => void;
}

const WIDTH_PX = 960;

/**
 * 变更: the record's form with the fields that the action amends open, and the reason. Everything is sent with the action;
 * until then it is unsaved work as any other: closing asks, and a draft is kept.
 */
export function AmendDrawer({ resource, id, action, onRun, onClose }: AmendDrawerProps) {
  const definition = usePageResource(resource);
  const { query } = useOne<ErpRecord & { id: string }>({
    resource,
    id,
    queryOptions: { staleTime: 0, retry: false },
    errorNotification: false,
  });
  const isDirty = useRef(() => false);
  const leave = useLeaveQuestion(() => isDirty.current(), true);
  const close = (): void => leave(onClose);
  const record = query.isFetchedAfterMount ? (query.data?.data ?? null) : null;
  const fault = definition.fault ?? (query.isError ? refusalOf(query.error).message : null);
  return (
    <Drawer
      open
      width={Math.min(WIDTH_PX, window.innerWidth)}
      title={action.title}
      onClose={close}
      maskClosable={false}
    >
      {fault !== null && (
        <Alert
          type="error"
          showIcon
          message={fault}
          action={
            <Button onClick={() => void (definition.fault === null ? query.refetch() : definition.reload())}>
              重试
            </Button>
          }
        />
      )}
      {fault === null && (record === null || definition.resource === null) && <Skeleton active />}
      {fault === null && record !== null && definition.resource !== null && (
        <AmendForm
          resource={definition.resource}
          dictionaries={definition.dictionaries}
          record={record}
          action={action}
          onRun={onRun}
          isDirty={isDirty}
          onClose={close}
        />
      )}
    </Drawer>
  );
}

interface AmendFormProps extends AmendmentOptions {
  /** Told to the drawer, which asks before it closes. */
  readonly isDirty: RefObject<() => boolean>;
  readonly onClose: () => void;
}

function AmendForm(props: AmendFormProps) {
  const { resource, dictionaries, record, action, onClose } = props;
  const formId = useId();
  const amendment = useAmendment(props);
  props.isDirty.current = amendment.isDirty;
  const { store, answer, draft } = amendment;
  const sections = useMemo(() => amendedSections(resource, action.amends ?? []), [resource, action]);
  const recordId = String(record['id']);
  const place = useMemo(
    () => ({ store, formId, recordId, reveal: () => undefined }),
    [store, formId, recordId],
  );
  const { version } = store.base();
  return (
    <DictionaryContext value={dictionaries}>
      <FormContext value={place}>
        <div className="form-page is-drawer">
          {action.confirm !== undefined && <Alert type="info" showIcon message={action.confirm} />}
          {draft.offered !== null && (
            <DraftOffer
              draft={draft.offered}
              version={typeof version === 'number' ? version : null}
              onRestore={amendment.restoreDraft}
              onDiscard={draft.discard}
            />
          )}
          <ProblemSummary refusal={amendment.refusal} sections={sections} onClose={amendment.closeRefusal} />
          <ActionInputs
            resource={resource.resource}
            action={action.action}
            fields={amendment.fields}
            values={answer.inputs}
            record={record}
            faults={amendment.faults}
            onChange={(inputs) => amendment.setAnswer({ ...answer, inputs })}
          />
          {sections.map((section, index) => (
            <FormSection key={section.title} section={section} index={index} />
          ))}
          {action.reasonRequired === true && (
            <div className="action-input">
              <label htmlFor={`${formId}-reason`} className="required">
                原因
              </label>
              <Input.TextArea
                id={`${formId}-reason`}
                rows={3}
                maxLength={500}
                showCount
                value={answer.opinion}
                onChange={(event) => amendment.setAnswer({ ...answer, opinion: event.target.value })}
              />
            </div>
          )}
          <footer className="form-bar-row">
            <span className="form-spacer" />
            <Button onClick={onClose}>取消</Button>
            <Button type="primary" loading={amendment.isRunning} onClick={amendment.run}>
              {action.title}
            </Button>
          </footer>
          {amendment.compared !== null && (
            <StaleDialog
              resource={resource}
              dictionaries={dictionaries}
              {...amendment.compared}
              isSavedAfter={false}
              onClose={amendment.closeCompared}
              onMerge={amendment.takeMerged}
            />
          )}
        </div>
      </FormContext>
    </DictionaryContext>
  );
}
