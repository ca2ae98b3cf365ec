import { useDataProvider } from '@refinedev/core';
import { App, Button } from 'antd';
import { useState, useSyncExternalStore } from 'react';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { showFault } from '#web/data/show-fault.ts';
import type { FormStore } from '../form/form-store.ts';
import { partyField, repeatedValues } from './copied-values.ts';

/** 同上次: fills a new document as the last one with the same party was, dates and what is typed already left as they are. */
export function AgainButton({ store, isMade }: { readonly store: FormStore; readonly isMade: boolean }) {
  const field = partyField(store.resource);
  return field === null ? null : <Again store={store} field={field} isMade={isMade} />;
}

function Again({
  store,
  field,
  isMade,
}: {
  readonly store: FormStore;
  readonly field: Field;
  readonly isMade: boolean;
}) {
  const { message } = App.useApp();
  const provider = useDataProvider()();
  const [isReading, setReading] = useState(false);
  const { resource, list, label } = store.resource;
  const { value: party } = useSyncExternalStore(
    (listener) => store.subscribe(field.name, listener),
    () => store.field(field.name),
  );
  const fill = async (): Promise<void> => {
    const last = await provider.getList<Found>({
      resource,
      pagination: { currentPage: 1, pageSize: 1 },
      meta: { filter: { [field.name]: { eq: party } }, sorters: list.sort, columns: [label] },
    });
    const id = last.data[0]?.id;
    if (id === undefined) return void message.info(`还没有与此${field.title}的${store.resource.title}`, 4);
    const { data: before } = await provider.getOne<Found>({ resource, id });
    const form = { start: store.base(), typed: store.record(), isMade };
    store.restore(repeatedValues(store.resource, before, form));
    void message.success(`已按 ${String(before[label] ?? '上次')} 填入，请核对后保存`, 4);
  };
  return (
    <Button
      disabled={party === null || party === undefined || party === ''}
      title={
        party === null || party === undefined || party === ''
          ? `请先选择${field.title}`
          : `按与此${field.title}的上一份${store.resource.title}填入`
      }
      loading={isReading}
      onClick={() => {
        setReading(true);
        fill()
          .catch((error: unknown) => showFault(message, error, '没有填入'))
          .finally(() => setReading(false));
      }}
    >
      同上次
    </Button>
  );
}

type Found = ErpRecord & { readonly id: string };
