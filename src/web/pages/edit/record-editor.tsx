import '../form/form.css';
import { Alert, App, Button, Dropdown, Popover } from 'antd';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import type { SectionDefinition } from '#engine/schema/definition.ts';
import type { Dictionary, ErpRecord, EvaluationContext, Resource } from '#engine/schema/resource.ts';
import { DictionaryContext } from '#web/fields/dictionary-context.ts';
import { scalarText } from '#web/fields/field-text.ts';
import { StateTag } from '#web/fields/state-tag.tsx';
import { newIdempotencyKey, useApi } from '../form/api-call.ts';
import { recordActions } from '../actions/record-action.ts';
import { useActionRunner } from '../actions/use-action-runner.tsx';
import { tellBarHeight } from '../form/bar-height.ts';
import { ApprovalLevels } from '../form/approval-levels.tsx';
import { draftKey } from '../form/draft-store.ts';
import { FormContext } from '../form/form-context.ts';
import { FormSection } from '../form/form-section.tsx';
import { FormStore } from '../form/form-store.ts';
import { ProblemSummary } from '../form/problem-summary.tsx';
import { type Refusal } from '../form/shown-error.ts';
import { useDraft } from '../form/use-draft.ts';
import { usePreview } from '../form/use-preview.ts';
import { useRecordForm } from '../form/use-record-form.ts';
import { AnchorBar } from './anchor-bar.tsx';
import { DraftOffer } from './draft-offer.tsx';
import { isBeingSubmitted, keepSubmission } from './just-saved.ts';
import { StaleDialog } from './stale-dialog.tsx';
import { SubmitDialog } from './submit-dialog.tsx';
import { useDirty } from './use-dirty.ts';
import { useEditKeys } from './use-edit-keys.ts';

export interface RecordEditorProps {
  readonly resource: Resource;
  readonly dictionaries: Readonly<Record<string, Dictionary>>;
  readonly context: EvaluationContext;
  /** The saved record; null: a new one. */
  readonly record: ErpRecord | null;
  readonly sections: readonly SectionDefinition[];
  readonly title: string;
  /** Values stamped by the page on a new record. */
  readonly stamped?: ErpRecord;
  readonly initial?: ErpRecord;
  /** Where drafts of a new record are kept apart: the page's route. */
  readonly place: string;
  readonly isActive: boolean;
  readonly isDrawer?: boolean;
  readonly onDirty: (isDirty: boolean) => void;
  /** After each save and action, with the record as it is then. */
  readonly onSaved: (record: ErpRecord, how: { readonly isNew: boolean; readonly isDone: boolean }) => void;
  /** Asks for the record anew; null when that fails. */
  readonly onReload: () => Promise<ErpRecord | null>;
  readonly onClose?: () => void;
  readonly extra?: ReactNode;
}

/** The form of one record with everything around it: bar, sections, checks, draft, preview, save, actions. */
export function RecordEditor(props: RecordEditorProps) {
  const { resource, dictionaries, context, stamped, initial } = props;
  const [record, setRecord] = useState(props.record);
  const recordId = typeof record?.['id'] === 'string' ? record['id'] : undefined;
  const store = useMemo(
    () =>
      new FormStore({
        resource,
        dictionaries,
        context,
        record,
        ...(stamped === undefined ? {} : { stamped }),
        ...(initial === undefined ? {} : { initial }),
      }),
    // A saved form keeps its store; only becoming another record makes a new one.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [resource, recordId],
  );
  return (
    <DictionaryContext value={dictionaries}>
      <EditorBody
        {...props}
        key={recordId ?? 'new'}
        store={store}
        record={record}
        recordId={recordId}
        onRecord={setRecord}
      />
    </DictionaryContext>
  );
}

interface EditorBodyProps extends RecordEditorProps {
  readonly store: FormStore;
  readonly recordId: string | undefined;
  readonly onRecord: (record: ErpRecord) => void;
}

const SUBMIT = 'submit';

function EditorBody(props: EditorBodyProps) {
  const { store, record, recordId, resource, sections, isActive } = props;
  const { message } = App.useApp();
  const formId = useId();
  const api = useApi();
  const root = useRef<HTMLDivElement>(null);
  const { save, isSaving } = useRecordForm(store, recordId);
  const preview = usePreview(store, recordId, isActive);
  const version = typeof record?.['version'] === 'number' ? record['version'] : null;
  const draft = useDraft(
    store,
    draftKey(context(props), resource.resource, recordId ?? `new:${props.place}`),
    version,
  );
  const { onDirty } = props;
  const isDirty = useDirty(store, onDirty);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [stale, setStale] = useState<ErpRecord | null>(null);
  const [isSubmitting, setSubmitting] = useState(() => isBeingSubmitted(recordId));

  const take = (saved: ErpRecord, isDone: boolean): void => {
    store.saved(saved);
    draft.clear();
    onDirty(false);
    props.onRecord(saved);
    props.onSaved(saved, { isNew: recordId === undefined, isDone });
  };

  /** Saves and gives the record; null when it was refused, which is then shown. */
  const saveNow = async (isComplete = false): Promise<ErpRecord | null> => {
    const outcome = await save(isComplete);
    setRefusal(outcome.refusal);
    if (outcome.refusal !== null) {
      if (outcome.refusal.current !== null) setStale(outcome.refusal.current);
      else void message.error(outcome.refusal.message, 4);
      requestAnimationFrame(() =>
        root.current?.querySelector<HTMLElement>('[data-problem-summary]')?.focus(),
      );
      return null;
    }
    if (!outcome.isSent) {
      void message.info('没有改动', 4);
      return outcome.record;
    }
    const saved = await completed(outcome.record, props.onReload);
    if (saved !== null) {
      if (isComplete) keepSubmission(String(saved['id']));
      take(saved, false);
      void message.success('已保存', 3);
    }
    return saved;
  };

  /** After an action the record is another: it is read again with what is possible then. */
  const takeAfterAction = async (answer: unknown): Promise<void> => {
    const next = (await props.onReload()) ?? (isRecord(answer) ? answer : null);
    if (next !== null) take(next, true);
  };
  const actions = useActionRunner(resource.resource, (next) => void takeAfterAction(next));
  const endSubmission = (): void => {
    keepSubmission(null);
    setSubmitting(false);
  };
  const runSubmit = async (): Promise<void> => {
    const base = store.base();
    const answer = await api({
      path: `/data/${resource.resource}/${String(base['id'])}/actions/${SUBMIT}`,
      body: { version: base['version'] },
      headers: { 'Idempotency-Key': newIdempotencyKey() },
    });
    endSubmission();
    void message.success('已提交', 3);
    await takeAfterAction(answer);
  };

  const canSubmit = resource.lifecycle?.actions[SUBMIT] !== undefined && isSubmitAllowed(record, resource);
  const submit = async (): Promise<void> => {
    if (!canSubmit || isSaving) return;
    const problems = store.check(true).filter((problem) => problem.level !== 'warning');
    if (problems.length > 0) {
      setRefusal({ message: '提交前请补全以下内容', status: null, problems, current: null });
      requestAnimationFrame(() =>
        root.current?.querySelector<HTMLElement>('[data-problem-summary]')?.focus(),
      );
      return;
    }
    const saved = recordId !== undefined && !store.isDirty() ? store.base() : await saveNow(true);
    if (saved !== null) setSubmitting(true);
  };
  useEditKeys(root, isActive, { save: () => void saveNow(), submit: () => void submit() });

  const others = recordActions(record ?? undefined).filter((action) => action.action !== SUBMIT);
  const isReadOnly =
    recordId !== undefined && Array.isArray(record?.['_editable']) && record['_editable'].length === 0;
  const warnings = preview?.problems.filter((problem) => problem.level === 'warning') ?? [];
  return (
    <FormContext value={{ store, formId, recordId }}>
      <div ref={root} className={props.isDrawer === true ? 'form-page is-drawer' : 'form-page'}>
        <header ref={tellBarHeight} className="form-bar">
          <div className="form-bar-row">
            {props.isDrawer !== true && <h1>{props.title}</h1>}
            {recordId !== undefined && (
              <span className="field-text">{scalarText(record?.[resource.label])}</span>
            )}
            <StateTag lifecycle={resource.lifecycle} state={record?.['status']} />
            {isDirty && <span className="form-dirty">● 有未保存的修改</span>}
            <span className="form-spacer" />
            {preview?.approval !== null && preview?.approval !== undefined && canSubmit && (
              <Popover
                trigger="click"
                title="提交后由谁审核"
                content={<ApprovalLevels approval={preview.approval} />}
              >
                <Button type="link" size="small">
                  提交后 {preview.approval.levels.length} 级审核
                </Button>
              </Popover>
            )}
            {props.extra}
            {others.length > 0 && (
              <Dropdown
                trigger={['click']}
                menu={{
                  items: others.map((action) => ({
                    key: action.action,
                    label: action.title,
                    title: action.reason ?? '',
                    disabled: !action.allowed || isDirty,
                    danger: action.danger === true,
                  })),
                  onClick: ({ key }) => {
                    const action = others.find((other) => other.action === key);
                    if (action !== undefined) actions.run(action, store.base());
                  },
                }}
              >
                <Button title={isDirty ? '请先保存' : ''}>更多操作</Button>
              </Dropdown>
            )}
            <Button
              type={canSubmit ? 'default' : 'primary'}
              loading={isSaving}
              disabled={isReadOnly}
              title={isReadOnly ? '当前状态或您的权限下不可修改' : 'Ctrl+S'}
              onClick={() => void saveNow()}
            >
              保存
            </Button>
            {canSubmit && (
              <Button type="primary" title="Ctrl+Enter" disabled={isSaving} onClick={() => void submit()}>
                提交
              </Button>
            )}
          </div>
          {sections.length > 1 && props.isDrawer !== true && (
            <AnchorBar sections={sections} formId={formId} />
          )}
        </header>
        {isReadOnly && (
          <Alert type="info" showIcon message="该记录在当前状态或您的权限下不可修改，只能查看" />
        )}
        {draft.offered !== null && <DraftOffer draft={draft} version={version} />}
        <ProblemSummary refusal={refusal} onClose={() => setRefusal(null)} />
        {warnings.length > 0 && (
          <Alert
            type="warning"
            showIcon
            message="提醒（不影响保存）"
            description={
              <ul className="problem-list">
                {warnings.map((problem) => (
                  <li key={`${problem.path} ${problem.message}`}>{problem.message}</li>
                ))}
              </ul>
            }
          />
        )}
        {sections.map((section, index) => (
          <FormSection key={section.title} section={section} index={index} />
        ))}
        {isSubmitting && (
          <SubmitDialog store={store} recordId={recordId} onSubmit={runSubmit} onClose={endSubmission} />
        )}
        {actions.dialog}
        {stale !== null && (
          <StaleDialog
            resource={resource}
            dictionaries={props.dictionaries}
            base={store.base()}
            mine={store.record()}
            theirs={stale}
            onClose={() => setStale(null)}
            onMerge={(merged) => {
              store.restore(merged, stale);
              setStale(null);
              setRefusal(null);
              void saveNow();
            }}
          />
        )}
      </div>
    </FormContext>
  );
}

/** A record's own word on its submit action; a new one may be submitted when its initial state allows it. */
function isSubmitAllowed(record: ErpRecord | null, resource: Resource): boolean {
  if (record === null) {
    const initial = resource.lifecycle?.initial;
    return initial !== undefined && resource.lifecycle?.actions[SUBMIT]?.from.includes(initial) === true;
  }
  return recordActions(record ?? undefined).some((action) => action.action === SUBMIT && action.allowed);
}

/** An answer without the actions of the record is completed by reading the record. */
async function completed(
  record: ErpRecord | null,
  reload: () => Promise<ErpRecord | null>,
): Promise<ErpRecord | null> {
  if (record === null || Array.isArray(record['_actions'])) return record;
  return (await reload()) ?? record;
}

function context({ context: { subject } }: RecordEditorProps): string {
  return `${subject.co_code}.${subject.personid}`;
}

function isRecord(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
