import '../form/form.css';
import { Alert } from 'antd';
import { type ReactNode, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import { objectOf } from '#engine/values/object-of.ts';
import type { Dictionary, ErpRecord, EvaluationContext, Resource } from '#engine/schema/resource.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { DictionaryContext } from '#web/fields/dictionary-context.ts';
import { documentLayout, sectionFields } from '../form/document-layout.ts';
import { FormContext, type FormPlace } from '../form/form-context.ts';
import { FormSection } from '../form/form-section.tsx';
import { FormStore } from '../form/form-store.ts';
import { SectionTabs } from '../form/section-tabs.tsx';
import type { MadeSource } from '../form/record-changes.ts';
import { useFittingPicks } from '../form/use-fitting-picks.ts';
import { ProblemSummary } from '../form/problem-summary.tsx';
import type { Begun } from './begin-button.tsx';
import { DraftOffer } from './draft-offer.tsx';
import { EditorBar } from './editor-bar.tsx';
import { StaleDialog } from './stale-dialog.tsx';
import { SubmitDialog } from './submit-dialog.tsx';
import { useEditKeys } from './use-edit-keys.ts';
import { useNextProblem } from './use-next-problem.ts';
import { useEditor } from './use-editor.tsx';
import { useFirstFocus } from './use-first-focus.ts';
import { useFormWatch } from './use-form-watch.ts';

export interface RecordEditorProps {
  readonly resource: Resource;
  readonly dictionaries: Readonly<Record<string, Dictionary>>;
  readonly context: EvaluationContext;
  /** The record as it was read last; null: a new one. */
  readonly record: ErpRecord | null;
  readonly sections: readonly SectionDefinition[];
  readonly title: string;
  /** Values stamped by the page on a new record. */
  readonly stamped?: ErpRecord;
  readonly initial?: ErpRecord;
  /** What was typed into a new record already, elsewhere. */
  readonly typed?: ErpRecord;
  /** What stands on top once the record is gone. */
  readonly gone: ((typed: ErpRecord) => ReactNode) | null;
  /** What a new record is made from, and what the server filled of it. */
  readonly source?: MadeSource;
  /** A new record may be begun again from what is picked in its form. */
  readonly onBegin?: ((begun: Begun) => void) | undefined;
  /** Where drafts of a new record are kept apart: the page's route. */
  readonly place: string;
  readonly isActive: boolean;
  readonly isDrawer?: boolean;
  readonly onDirty: (isDirty: boolean) => void;
  /** Creates or changes the record. */
  readonly onFinish: (values: ErpRecord) => Promise<ErpRecord | null>;
  /** After each save and action, with the record as it is then. */
  readonly onSaved: (record: ErpRecord, how: { readonly isNew: boolean }) => void;
  /** It was handed in: the work on the form is done. */
  readonly onSubmitted: (record: ErpRecord) => void;
  /** Asks for the record anew; null when that fails. */
  readonly onReload: () => Promise<ErpRecord | null>;
}

const NO_SECTIONS: readonly SectionDefinition[] = [];

/** The form of one record with everything around it: bar, sections, checks, draft, preview, save, actions. */
export function RecordEditor(props: RecordEditorProps) {
  const { resource, dictionaries, isDrawer = false } = props;
  const formId = useId();
  const root = useRef<HTMLDivElement>(null);
  const store = useFormStore(props);
  useFittingPicks(store);
  const watch = useFormWatch(store, props.isActive, props.onDirty);
  const editor = useEditor({ ...props, store, watch, root });
  const { record, recordId } = editor;
  const { lifecycle } = resource;
  const editNote = lifecycle?.states[String(record?.['status'])]?.editNote;
  const firstNote = lifecycle?.states[lifecycle.initial]?.editNote;
  const { postsWhenMade } = usePageResource(resource.resource).shows;
  const sections = useMemo(
    () => props.sections.filter((section) => !isStillEmpty(section, resource, record)),
    [props.sections, resource, record],
  );
  const hiddenLines = useSyncExternalStore(store.subscribeAny, () => hiddenLinesOf(sections, store));
  const layout = useMemo(
    () =>
      documentLayout(sections, resource.kind === 'document' && !isDrawer, (lines) =>
        hiddenLines.split(',').includes(lines),
      ),
    [sections, resource.kind, isDrawer, hiddenLines],
  );
  const ordered = useMemo(() => [...layout.above, ...layout.below].map(({ section }) => section), [layout]);
  const [front, setFront] = useState(-1);
  const place = useMemo(
    (): FormPlace => ({
      store,
      formId,
      recordId,
      reveal: (name) => {
        const tab = layout.below.find(({ section }) => sectionFields(section).includes(name));
        if (tab !== undefined) flushSync(() => setFront(tab.index));
      },
    }),
    [store, formId, recordId, layout],
  );
  useEditKeys(root, props.isActive, {
    save: editor.save,
    submit: editor.submit,
    nextProblem: useNextProblem(place, ordered),
  });
  useFirstFocus(place, ordered, props.isActive && editor.draft.offered === null);
  return (
    <DictionaryContext value={dictionaries}>
      <FormContext value={place}>
        <div ref={root} className={props.isDrawer === true ? 'form-page is-drawer' : 'form-page'}>
          <EditorBar
            {...props}
            sections={layout.below.length > 0 ? NO_SECTIONS : sections}
            store={store}
            editor={editor}
            watch={watch}
            formId={formId}
          />
          {editor.isReadOnly && (
            <Alert type="info" showIcon message="该记录在当前状态或您的权限下不可修改，只能查看" />
          )}
          {!editor.isReadOnly && editNote !== undefined && <Alert type="info" showIcon message={editNote} />}
          {store.isNew && postsWhenMade && firstNote !== undefined && (
            <Alert type="info" showIcon message={`保存即入账，请先核对。${firstNote}`} />
          )}
          {editor.draft.offered !== null && (
            <DraftOffer
              draft={editor.draft.offered}
              version={editor.version}
              onRestore={editor.restoreDraft}
              onDiscard={editor.draft.discard}
            />
          )}
          {props.gone?.(store.record())}
          {editor.outdatedBy !== null && (
            <Alert
              type="warning"
              showIcon
              message={`此单据已在别处${editor.outdatedBy || '被'}修改，保存时会逐项比较，不会互相覆盖`}
            />
          )}
          <ProblemSummary
            refusal={props.gone === null ? editor.refusal : null}
            sections={ordered}
            onClose={editor.closeRefusal}
          />
          {layout.above.map(({ section, index }) => (
            <FormSection key={section.title} section={section} index={index} />
          ))}
          {layout.below.length > 0 && (
            <SectionTabs sections={layout.below} front={front} onFront={setFront} />
          )}
          {editor.isSubmitting && (
            <SubmitDialog store={store} onSubmit={editor.runSubmit} onClose={editor.endSubmission} />
          )}
          {editor.actions.dialog}
          {editor.compared !== null && (
            <StaleDialog
              resource={resource}
              dictionaries={dictionaries}
              {...editor.compared}
              onClose={editor.closeCompared}
              onMerge={editor.takeMerged}
            />
          )}
        </div>
      </FormContext>
      <FreshRecord record={props.record} known={record} onFresh={editor.takeFresh} />
    </DictionaryContext>
  );
}

/** Lines that only the system writes, before it has written any. */
function isStillEmpty(section: SectionDefinition, { fields }: Resource, record: ErpRecord | null): boolean {
  if (!('lines' in section)) return false;
  return fields[section.lines]?.computed === true && linesOf(record ?? {}, section.lines).length === 0;
}

/** Tells when the record was read again and is another than the form began with. */
function FreshRecord(props: {
  readonly record: ErpRecord | null;
  readonly known: ErpRecord | null;
  readonly onFresh: (record: ErpRecord) => void;
}) {
  const { record, known, onFresh } = props;
  const isFresh = record !== null && Number(record['version']) > Number(known?.['version'] ?? Infinity);
  useEffect(() => {
    if (isFresh && record !== null) onFresh(record);
    // Only another record is news.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isFresh, record]);
  return null;
}

/** The form's state; it outlives saves, and a definition that changes under the form takes what was typed along. */
function useFormStore(props: RecordEditorProps): FormStore {
  const [held, setHeld] = useState(() => ({
    resource: props.resource,
    store: makeStore(props, props.record),
  }));
  if (held.resource === props.resource) return held.store;
  const { store: old } = held;
  const store = makeStore(props, old.isNew ? null : old.base());
  if (old.isDirty()) store.restore(old.record());
  setHeld({ resource: props.resource, store });
  return store;
}

function makeStore(props: RecordEditorProps, record: ErpRecord | null): FormStore {
  const { resource, dictionaries, context, stamped, initial, source, typed } = props;
  const store = new FormStore({
    resource,
    dictionaries,
    context,
    record,
    ...(stamped === undefined ? {} : { stamped }),
    ...(initial === undefined ? {} : { initial }),
    ...(source === undefined ? {} : { source }),
  });
  if (record === null && typed !== undefined) {
    const now = store.record();
    store.restore({
      ...now,
      ...typed,
      _labels: { ...objectOf(now['_labels']), ...objectOf(typed['_labels']) },
    });
  }
  return store;
}

/** The lines that do not apply now, as one text: it is the same for as long as they are. */
function hiddenLinesOf(sections: readonly SectionDefinition[], store: FormStore): string {
  const states = store.states();
  return sections
    .flatMap((section) => ('lines' in section ? [section.lines] : []))
    .filter((lines) => states[lines]?.hidden !== undefined)
    .join();
}
