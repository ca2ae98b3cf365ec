import '../form/form.css';
import { useOne } from '@refinedev/core';
import { Alert, Button, Drawer, Input, Skeleton } from 'antd';
import { useId, useMemo, useState } from 'react';
import type { Dictionary, ErpRecord, Resource } from '#engine/schema/resource.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { DictionaryContext } from '#web/fields/dictionary-context.ts';
import { FormContext } from '../form/form-context.ts';
import { formContextOfPerson } from '../form/form-person.ts';
import { FormSection } from '../form/form-section.tsx';
import { FormStore } from '../form/form-store.ts';
import { ProblemSummary } from '../form/problem-summary.tsx';
import { type Refusal, refusalOf } from '../form/shown-error.ts';
import { amendedPaths, amendedSections, inputsProblems } from './amended-fields.ts';
import { ActionInputs } from './action-inputs.tsx';
import {
  type ActionAnswer,
  faultsAt,
  inputFields,
  missingInputs,
  type RecordAction,
  startingInputs,
} from './record-action.ts';

export interface AmendDrawerProps {
  readonly resource: string;
  readonly id: string;
  readonly action: RecordAction;
  /** Runs the action; a rejection keeps the drawer open with what is wrong. */
  readonly onRun: (answer: ActionAnswer) => Promise<void>;
  readonly onClose: () => void;
}

const WIDTH_PX = 960;

/** 变更: the record's form with the fields that the action amends open, and the reason. Everything is sent with the action. */
export function AmendDrawer({ resource, id, action, onRun, onClose }: AmendDrawerProps) {
  const definition = usePageResource(resource);
  const { query } = useOne<ErpRecord & { id: string }>({
    resource,
    id,
    queryOptions: { staleTime: 0, retry: false },
    errorNotification: false,
  });
  const record = query.isFetchedAfterMount ? (query.data?.data ?? null) : null;
  const fault = definition.fault ?? (query.isError ? refusalOf(query.error).message : null);
  return (
    <Drawer
      open
      width={Math.min(WIDTH_PX, window.innerWidth)}
      title={action.title}
      onClose={onClose}
      maskClosable={false}
    >
      {fault !== null && <Alert type="error" showIcon message={fault} />}
      {fault === null && (record === null || definition.resource === null) && <Skeleton active />}
      {fault === null && record !== null && definition.resource !== null && (
        <AmendForm
          resource={definition.resource}
          dictionaries={definition.dictionaries}
          record={record}
          action={action}
          onRun={onRun}
          onClose={onClose}
        />
      )}
    </Drawer>
  );
}

interface AmendFormProps extends Pick<AmendDrawerProps, 'action' | 'onRun' | 'onClose'> {
  readonly resource: Resource;
  readonly dictionaries: Readonly<Record<string, Dictionary>>;
  readonly record: ErpRecord;
}

function AmendForm({ resource, dictionaries, record, action, onRun, onClose }: AmendFormProps) {
  const formId = useId();
  const names = useMemo(() => action.amends ?? [], [action]);
  const [store] = useState(
    () =>
      new FormStore({
        resource,
        dictionaries,
        context: formContextOfPerson(new Date()),
        record: { ...record, _editable: amendedPaths(resource, names) },
      }),
  );
  const fields = useMemo(() => inputFields(action), [action]);
  const [inputs, setInputs] = useState<ErpRecord>(() => startingInputs(inputFields(action)));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [reason, setReason] = useState('');
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isRunning, setRunning] = useState(false);
  const sections = useMemo(() => amendedSections(resource, names), [resource, names]);
  const recordId = String(record['id']);
  const place = useMemo(
    () => ({ store, formId, recordId, reveal: () => undefined }),
    [store, formId, recordId],
  );

  const refuse = (message: string): void =>
    setRefusal({ message, status: null, problems: [], current: null });
  const run = async (): Promise<void> => {
    store.flush();
    const problems = store.check(true).filter((problem) => problem.level !== 'warning');
    if (problems.length > 0) {
      setRefusal({ message: '有内容需要修改，请看标红处', status: null, problems, current: null });
      return;
    }
    const missing = faultsAt(fields, missingInputs(fields, inputs));
    setFaults(missing);
    if (Object.keys(missing).length > 0) return refuse('请填写必填内容');
    const { body, isEmpty } = store.changes();
    // An action with inputs of its own may leave the record's fields as they are.
    if (isEmpty && fields.length === 0) return refuse('没有改动');
    if (action.reasonRequired === true && reason.trim() === '') return refuse('请填写原因');
    setRunning(true);
    setRefusal(null);
    try {
      await onRun({ opinion: reason.trim(), inputs: { ...inputs, ...(isEmpty ? {} : { changes: body }) } });
    } catch (error) {
      const refused = refusalOf(error);
      setFaults(faultsAt(fields, refused.problems));
      const found = inputsProblems(refused.problems);
      if (found.length > 0) store.showProblems(found);
      setRefusal({ ...refused, problems: found });
    } finally {
      setRunning(false);
    }
  };

  return (
    <DictionaryContext value={dictionaries}>
      <FormContext value={place}>
        <div className="form-page is-drawer">
          {action.confirm !== undefined && <Alert type="info" showIcon message={action.confirm} />}
          <ProblemSummary refusal={refusal} sections={sections} onClose={() => setRefusal(null)} />
          <ActionInputs
            resource={resource.resource}
            action={action.action}
            fields={fields}
            values={inputs}
            record={record}
            faults={faults}
            onChange={setInputs}
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
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            </div>
          )}
          <footer className="form-bar-row">
            <span className="form-spacer" />
            <Button onClick={onClose}>取消</Button>
            <Button type="primary" loading={isRunning} onClick={() => void run()}>
              {action.title}
            </Button>
          </footer>
        </div>
      </FormContext>
    </DictionaryContext>
  );
}
