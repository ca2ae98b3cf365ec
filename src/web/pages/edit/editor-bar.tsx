import { SaveButton } from '@refinedev/antd';
import { Button, Dropdown, Popover } from 'antd';
import { useRef } from 'react';
import { usePageResource } from '#web/data/page-resource.ts';
import { scalarText } from '#web/fields/field-text.ts';
import type { RecordAction } from '../actions/record-action.ts';
import { useRecordActions } from '../actions/record-makes.ts';
import { ApprovalLevels } from '../form/approval-levels.tsx';
import { tellBarHeight } from '../form/bar-height.ts';
import type { FormStore } from '../form/form-store.ts';
import { StateTag } from '../table/state-tag.tsx';
import { AgainButton } from './again-button.tsx';
import { AnchorBar } from './anchor-bar.tsx';
import { CreationHint } from './creation-hint.tsx';
import { BeginButton } from './begin-button.tsx';
import type { RecordEditorProps } from './record-editor.tsx';
import { Reminders } from './reminders.tsx';
import { type Editor, SUBMIT } from './use-editor.tsx';
import { type FormWatch, useWatched } from './use-form-watch.ts';

interface EditorBarProps extends Pick<
  RecordEditorProps,
  'resource' | 'sections' | 'title' | 'isDrawer' | 'source' | 'onBegin'
> {
  readonly store: FormStore;
  readonly editor: Editor;
  readonly watch: FormWatch;
  readonly formId: string;
}

/** What the form is of, whether it is saved, and what can be done with it. */
export function EditorBar({
  resource,
  sections,
  title,
  isDrawer,
  source,
  onBegin,
  store,
  editor,
  watch,
  formId,
}: EditorBarProps) {
  const { record, recordId, canSubmit, isReadOnly, isSaving } = editor;
  const { begins, postsWhenMade } = usePageResource(resource.resource).shows;
  const typed = useRef<Element | null>(null);
  return (
    <header ref={tellBarHeight} className="form-bar">
      <div className="form-bar-row">
        <div className="form-title">
          {isDrawer !== true && <h1>{title}</h1>}
          {recordId !== undefined && (
            <span className="field-text">{scalarText(record?.[resource.label])}</span>
          )}
          <StateTag resource={resource} value={record?.['status']} />
          <DirtyMark watch={watch} />
          <Reminders preview={watch.preview} />
        </div>
        <span className="form-spacer" />
        <div className="form-actions">
          {canSubmit && <ApprovalHint watch={watch} />}
          {store.isNew && postsWhenMade && <CreationHint store={store} />}
          {store.isNew && onBegin !== undefined && (
            <BeginButton
              begins={begins}
              store={store}
              onBegin={(begun) => {
                editor.draft.end();
                onBegin(begun);
              }}
            />
          )}
          {store.isNew && <AgainButton store={store} isMade={source !== undefined} />}
          <OtherActions
            resource={resource.resource}
            editor={editor}
            watch={watch}
            isNextShown={resource.lifecycle?.actions[SUBMIT] === undefined}
          />
          <SaveButton
            type={canSubmit ? 'default' : 'primary'}
            icon={null}
            loading={isSaving}
            disabled={isReadOnly}
            title={isReadOnly ? '当前状态或您的权限下不可修改' : 'Ctrl+S'}
            onMouseDown={() => (typed.current = document.activeElement)}
            onClick={() => {
              backTo(typed.current);
              editor.save();
            }}
          />
          {canSubmit && (
            <Button type="primary" title="Ctrl+Enter" disabled={isSaving} onClick={editor.submit}>
              提交
            </Button>
          )}
        </div>
      </div>
      {sections.length > 1 && isDrawer !== true && (
        <AnchorBar sections={sections} store={store} formId={formId} />
      )}
    </header>
  );
}

/** The focus returns to the field that one was typing in. It has to leave it first: that is when many fields tell their value. */
function backTo(field: Element | null): void {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.focus();
}

function DirtyMark({ watch }: { readonly watch: FormWatch }) {
  return useWatched(watch.dirty) ? <span className="form-dirty">● 有未保存的修改</span> : null;
}

function ApprovalHint({ watch }: { readonly watch: FormWatch }) {
  const approval = useWatched(watch.preview)?.approval ?? null;
  if (approval === null) return null;
  return (
    <Popover trigger="click" title="提交后由谁审核" content={<ApprovalLevels approval={approval} />}>
      <Button type="link" size="small">
        提交后 {approval.levels.length} 级审核
      </Button>
    </Popover>
  );
}

/** What else can be done with the saved record; unsaved work is saved first. The next step of what is not submitted shows. */
function OtherActions({
  resource,
  editor,
  watch,
  isNextShown,
}: {
  readonly resource: string;
  readonly editor: Editor;
  readonly watch: FormWatch;
  readonly isNextShown: boolean;
}) {
  const isDirty = useWatched(watch.dirty);
  const making = useRecordActions(resource, { run: editor.runAction });
  const others = making.actionsOf(editor.record ?? undefined).filter((action) => action.action !== SUBMIT);
  if (others.length === 0) return null;
  const next = isNextShown ? others.find(isStepOn) : undefined;
  const rest = others.filter((action) => action !== next);
  const run = (action: RecordAction | undefined): void => {
    if (action !== undefined && editor.record !== null) making.run(action, editor.record);
  };
  return (
    <>
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map((action) => ({
              key: action.action,
              label: action.title,
              title: action.reason ?? '',
              disabled: !action.allowed || isDirty,
              danger: action.danger === true,
            })),
            onClick: ({ key }) => run(rest.find((other) => other.action === key)),
          }}
        >
          <Button title={isDirty ? '请先保存' : ''}>更多操作</Button>
        </Dropdown>
      )}
      {next !== undefined && (
        <Button disabled={isDirty} title={isDirty ? '请先保存' : ''} onClick={() => run(next)}>
          {next.title}
        </Button>
      )}
    </>
  );
}

/** What asks for a reason goes aside or back. */
function isStepOn({ allowed, danger, reasonRequired }: RecordAction): boolean {
  return allowed && danger !== true && reasonRequired !== true;
}
