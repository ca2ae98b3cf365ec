import { useOne } from '@refinedev/core';
import { Alert, Button, Skeleton } from 'antd';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { PageDefinition } from '#engine/schema/definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { useRefreshRecords } from '#web/data/refresh-records.ts';
import { formContextOfPerson } from '../form/form-person.ts';
import { refusalOf } from '../form/shown-error.ts';
import { keepSaved, takeSaved } from './just-saved.ts';
import { RecordEditor, type RecordEditorProps } from './record-editor.tsx';
import { stampedValues } from './stamped-values.ts';

export interface EditSessionProps {
  readonly resource: string;
  readonly page: PageDefinition;
  /** Null: a new record. */
  readonly id: string | null;
  /** A record whose values a new one starts with. */
  readonly copyOf?: string | null;
  readonly initial?: ErpRecord;
  readonly place: string;
  readonly title: string;
  readonly isActive: boolean;
  readonly isDrawer?: boolean;
  readonly onDirty: (isDirty: boolean) => void;
  readonly onCreated: (record: ErpRecord) => void;
  readonly onShown?: (record: ErpRecord, label: string) => void;
  readonly extra?: RecordEditorProps['extra'];
}

/** Loads what an editor needs — definition, record, who works — and shows it, or why not. */
export function EditSession(props: EditSessionProps) {
  const { id, copyOf = null } = props;
  const definition = usePageResource(props.resource);
  const [saved] = useState(() => (id === null ? null : takeSaved(id)));
  const source = id ?? copyOf;
  const { query } = useOne<ErpRecord & { id: string }>({
    resource: props.resource,
    id: source ?? '',
    queryOptions: { enabled: source !== null && saved === null, staleTime: 0, retry: false },
    errorNotification: false,
  });
  const refresh = useRefreshRecords();
  const [context] = useState(() => formContextOfPerson(new Date()));
  const { page, initial } = props;
  const stamped = useMemo(() => stampedValues(page.where), [page]);
  const { refetch } = query;
  const reload = useCallback(async (): Promise<ErpRecord | null> => {
    const { data } = await refetch();
    return data?.data ?? null;
  }, [refetch]);
  const { resource, fault, dictionaries } = definition;
  const shown = id === null ? null : (saved ?? query.data?.data ?? null);
  const label = resource?.label;
  const { onShown } = props;
  useEffect(() => {
    if (shown !== null && label !== undefined) onShown?.(shown, label);
  }, [shown, label, onShown]);
  const isWaiting = definition.isLoading || (source !== null && saved === null && !query.isFetchedAfterMount);
  if (fault !== null) return <Refused message={fault} onRetry={definition.reload} />;
  if (query.isError && saved === null)
    return <Refused message={refusalOf(query.error).message} onRetry={() => void refetch()} />;
  if (isWaiting || resource === null) return <Skeleton active paragraph={{ rows: 8 }} />;
  const loaded = saved ?? query.data?.data ?? null;
  const record = id === null ? null : loaded;
  const start = copyOf === null || loaded === null ? initial : { ...initial, ...copiedValues(loaded) };
  return (
    <RecordEditor
      resource={resource}
      dictionaries={dictionaries}
      context={context}
      record={record}
      sections={resource.edit}
      title={props.title}
      stamped={stamped}
      {...(start === undefined ? {} : { initial: start })}
      place={props.place}
      isActive={props.isActive}
      isDrawer={props.isDrawer === true}
      onDirty={props.onDirty}
      onReload={reload}
      extra={props.extra}
      onSaved={(next, { isNew }) => {
        void refresh(resource.resource);
        props.onShown?.(next, resource.label);
        if (!isNew || typeof next['id'] !== 'string') return;
        keepSaved(next['id'], next);
        props.onCreated(next);
      }}
    />
  );

  /** What a copy takes over: written values, not identity, number, state or stamps. */
  function copiedValues(from: ErpRecord): ErpRecord {
    const fields = Object.values(resource?.fields ?? {}).filter(
      (field) => !field.computed && field.type !== 'attachment',
    );
    return {
      ...Object.fromEntries(
        fields.map((field) => {
          const value = from[field.name];
          return [field.name, field.type === 'lines' && Array.isArray(value) ? value.map(withoutId) : value];
        }),
      ),
      _labels: from['_labels'],
      _paths: from['_paths'],
    };
  }
}

function withoutId(line: unknown): unknown {
  if (typeof line !== 'object' || line === null) return line;
  const { id: _id, line_order: _order, ...rest }: Record<string, unknown> = { ...line };
  return rest;
}

function Refused({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }) {
  return (
    <Alert
      type="error"
      showIcon
      message={message}
      action={
        <Button size="small" onClick={onRetry}>
          重试
        </Button>
      }
    />
  );
}
