import { type HttpError, useForm } from '@refinedev/core';
import { Alert, Button, Skeleton } from 'antd';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { recordTitle } from '#engine/schema/record-title.ts';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { stampedValues } from '#engine/schema/stamped-values.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { useRefreshRecords } from '#web/data/refresh-records.ts';
import { useWhenBack } from '#web/data/use-when-back.ts';
import { formContextOfPerson } from '../form/form-person.ts';
import { refusalOf } from '../form/shown-error.ts';
import { copiedValues } from '#engine/record/copied-values.ts';
import { draftKey, dropNewestDraft, newPlace } from '../form/draft-store.ts';
import type { Begun } from './begin-button.tsx';
import { GoneNotice, GoneRecord } from './gone-notice.tsx';
import { RecordEditor } from './record-editor.tsx';
import type { FormSource } from '#web/data/form-source.ts';
import { FormOrigin, MadeBefore } from './form-origin.tsx';
import { type FormOriginTold, useFilledForm } from './use-filled-form.ts';
import { PageFault } from '../page-fault.tsx';

export interface EditSessionProps {
  readonly resource: string;
  readonly page: PageDefinition;
  /** Null: a new record. */
  readonly id: string | null;
  /** A record whose values a new one starts with. */
  readonly copyOf?: string | null;
  /** What a new record is made from: the server fills its form. */
  readonly madeFrom?: FormSource | null;
  /** Of several documents that could be made another is wanted. */
  readonly onChoice?: (source: FormSource) => void;
  /** The new record is begun again from what was picked in its form. */
  readonly onBegin?: (begun: Begun) => void;
  readonly initial?: ErpRecord;
  /** What was typed before the form was begun again. */
  readonly typed?: ErpRecord | undefined;
  readonly place: string;
  readonly title: string;
  readonly isActive: boolean;
  readonly isDrawer?: boolean;
  readonly onDirty: (isDirty: boolean) => void;
  readonly onCreated: (record: ErpRecord) => void;
  /** The record was handed in: what stands next is its page, not its form. */
  readonly onSubmitted: (record: ErpRecord) => void;
  /** Leaves the form; asks about unsaved work. */
  readonly onLeave: () => void;
  readonly onShown?: (record: ErpRecord, label: string) => void;
}

type Loaded = ErpRecord & { id: string };

/**
 * Loads what an editor needs (definition, record, who works) and shows it, or why not. A new record that is saved stays in
 * the same form: the focus, and what was typed meanwhile, stay where they are.
 */
export function EditSession(props: EditSessionProps) {
  const { copyOf = null, page, initial, onShown, madeFrom = null } = props;
  const definition = usePageResource(props.resource);
  const [createdId, setCreatedId] = useState<string | null>(null);
  const [madeOf, setMadeOf] = useState<FormOriginTold | null>(null);
  /** What was typed into a record that is gone, as a new one. */
  const [anew, setAnew] = useState<ErpRecord | null>(null);
  const id = createdId ?? (anew === null ? props.id : null);
  const source = id ?? copyOf;
  /** Shown only once it is read; what was created here is known already. */
  const isAwaited = source !== null && createdId === null;
  const form = useForm<Loaded, HttpError, ErpRecord>({
    resource: props.resource,
    action: id !== null ? 'edit' : copyOf !== null ? 'clone' : 'create',
    ...(source === null ? {} : { id: source }),
    redirect: false,
    mutationMode: 'pessimistic',
    queryOptions: { enabled: source !== null, staleTime: 0, retry: false },
    successNotification: false,
    errorNotification: false,
    liveMode: 'manual',
    onLiveEvent: () => void form.query?.refetch(),
  });
  const latest = useRef(form);
  latest.current = form;
  useWhenBack(() => void (id !== null && latest.current.query?.refetch()));
  const onFinish = useCallback(async (values: ErpRecord): Promise<ErpRecord | null> => {
    const answer = await latest.current.onFinish(values);
    return answer?.data ?? null;
  }, []);
  const reload = useCallback(async (): Promise<ErpRecord | null> => {
    const answer = await latest.current.query?.refetch();
    return answer?.data?.data ?? null;
  }, []);
  const filled = useFilledForm(props.resource, id === null ? madeFrom : null);
  const refresh = useRefreshRecords();
  const [context] = useState(() => formContextOfPerson(new Date()));
  const stamped = useMemo(() => stampedValues(page.where), [page]);
  const { resource, fault, dictionaries, operations } = definition;
  const label = resource?.label;
  const found = form.query?.data?.data ?? null;
  const record = id === null ? null : found;
  useEffect(() => {
    if (record !== null && label !== undefined) onShown?.(record, label);
  }, [record, label, onShown]);
  if (fault !== null && resource === null)
    return <PageFault error={definition.error} message={fault} onRetry={definition.reload} />;
  const isGone = id !== null && refusalOf(form.query?.error).status === 404;
  // Two places where unsaved work on it may lie: the copy that was begun comes first.
  const anewPlace = `${props.place} ${props.id ?? ''}`;
  const keyOf = (place: string): string => draftKey(context.subject, props.resource, place);
  const notice = {
    mayCreate: operations.has('create'),
    onCopy: setAnew,
    onLeave: props.onLeave,
  };
  if (isGone && found === null && resource !== null)
    return <GoneRecord {...notice} resource={resource} draftKeys={[keyOf(`new:${anewPlace}`), keyOf(id)]} />;
  if (isAwaited && form.query?.isError === true && found === null)
    return (
      <PageFault
        error={form.query.error}
        message={refusalOf(form.query.error).message}
        onRetry={() => void reload()}
      />
    );
  // Why nothing can be made is said in its own words.
  if (filled.fault !== null) return <PageFault error={null} message={filled.fault} onRetry={filled.reload} />;
  const isWaiting =
    definition.isLoading || filled.isLoading || (isAwaited && form.query?.isFetchedAfterMount !== true);
  if (isWaiting || resource === null)
    return <Skeleton active paragraph={{ rows: 8 }} className="page-skeleton" />;
  // What others make, the server has allowed already by filling the form.
  if (id === null && madeFrom === null && !operations.has('create'))
    return (
      <Alert
        className="page-alert"
        type="error"
        showIcon
        message={`您没有新增${recordTitle(resource, initial ?? {})}的权限`}
        action={<Button onClick={props.onLeave}>离开</Button>}
      />
    );
  const start =
    filled.record ??
    (copyOf === null || found === null ? initial : { ...initial, ...copiedValues(resource, found) });
  const typed = anew ?? props.typed;
  const origin = filled.from ?? madeOf;
  // A form of 进仓单 that makes a 出仓单 says so.
  const kind = recordTitle(resource, record ?? start ?? {});
  if (filled.from?.existing !== undefined && filled.from.existing !== null && id === null)
    return <MadeBefore from={filled.from} target={kind} />;
  return (
    <>
      {origin !== null && (
        <FormOrigin from={origin} madeFrom={madeFrom} isNew={id === null} onChoice={props.onChoice} />
      )}
      <RecordEditor
        key={anew === null ? '' : 'anew'}
        resource={resource}
        dictionaries={dictionaries}
        context={context}
        record={record}
        sections={resource.edit}
        title={anew === null || id !== null ? props.title.replace(resource.title, kind) : `新增${kind}`}
        stamped={stamped}
        {...(start === undefined ? {} : { initial: start })}
        onBegin={madeFrom === null && copyOf === null && anew === null ? props.onBegin : undefined}
        {...(typed === undefined ? {} : { typed })}
        gone={isGone ? (typed) => <GoneNotice {...notice} resource={resource} typed={typed} /> : null}
        {...(filled.source === null || filled.record === null
          ? {}
          : { source: { from: { ...filled.source }, given: filled.record } })}
        place={anew === null ? newPlace(props.place, { madeFrom, copyOf }) : anewPlace}
        isActive={props.isActive}
        isDrawer={props.isDrawer === true}
        onDirty={props.onDirty}
        onFinish={onFinish}
        onSubmitted={props.onSubmitted}
        onReload={reload}
        onSaved={(next, { isNew }) => {
          void refresh(resource.resource);
          onShown?.(next, resource.label);
          if (!isNew || typeof next['id'] !== 'string') return;
          setMadeOf(filled.from);
          if (anew !== null && props.id !== null) void dropNewestDraft(keyOf(props.id));
          setCreatedId(next['id']);
          props.onCreated(next);
        }}
      />
    </>
  );
}
