import { App, Button } from 'antd';
import { useState, useSyncExternalStore } from 'react';
import type { OfferedBeginning } from '#contract/shape.ts';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { formAddress, type FormSource } from '#web/data/form-source.ts';
import { callApi } from '#web/data/http.ts';
import { useResourceList } from '#web/data/resource-list.ts';
import { showFault } from '#web/data/show-fault.ts';
import type { FormStore } from '../form/form-store.ts';
import { typedBeside } from './copied-values.ts';

/** A form that is begun anew from what was picked in it. */
export interface Begun {
  /** The form's address; null: the form that one is in has no other. */
  readonly address: string | null;
  readonly source: FormSource;
  /** What was typed beside the source. */
  readonly typed: ErpRecord;
}

interface BeginButtonProps {
  readonly store: FormStore;
  readonly begins: readonly OfferedBeginning[];
  readonly onBegin: (begun: Begun) => void;
}

/** 带入: once the document that a new one belongs to is picked, its lines and all it gives are a click away. */
export function BeginButton({ store, begins, onBegin }: BeginButtonProps) {
  const { message, modal } = App.useApp();
  const entries = useResourceList();
  const [isReading, setReading] = useState(false);
  const begin = useSyncExternalStore(store.subscribeAny, () => openBeginning(store, begins));
  if (begin === null) return null;
  const { field, from, make, fixed } = begin;
  const title = store.resource.fields[field]?.title ?? '';
  const fill = async (): Promise<void> => {
    const source = { resource: from, id: String(store.field(field).value), make };
    const { resource } = store.resource;
    // Asked here first: what cannot be taken over leaves the form as it is.
    const { record: filled } = await callApi('POST /data/:resource/preview', {
      params: { resource },
      body: { _from: source },
    });
    const typed = typedBeside(store.resource, field, { start: store.base(), typed: store.record(), filled });
    onBegin({
      address: formAddress(entries, resource, { source, record: store.record(), fixed }),
      source,
      typed,
    });
  };
  const run = (): void => {
    setReading(true);
    fill()
      .catch((error: unknown) => showFault(message, error, '没有带入'))
      .finally(() => setReading(false));
  };
  const ask = (): void =>
    void modal.confirm({
      title: `用${title}的明细替换已填的明细？`,
      content: '表头已填的内容保留。',
      okText: '替换',
      cancelText: '取消',
      onOk: run,
    });
  return (
    <Button
      loading={isReading}
      title={`按所选${title}填入明细和其余内容，已填的保留`}
      onClick={() => (hasLines(store) ? ask() : run())}
    >
      带入{title}
    </Button>
  );
}

/** Whether something stands in a line that the source would take the place of. */
function hasLines(store: FormStore): boolean {
  return Object.values(store.resource.fields).some(({ name }) => {
    const lines = store.lines(name);
    return lines?.order().some((key) => !lines.isBlank(key)) === true;
  });
}

/** The first whose source is picked, and that gives such a document as the form is of. */
function openBeginning(store: FormStore, begins: readonly OfferedBeginning[]): OfferedBeginning | null {
  const isFitting = ({ field, fixed }: OfferedBeginning): boolean => {
    const { value, isHidden } = store.field(field);
    if (isEmptyValue(value) || isHidden) return false;
    return Object.entries(fixed).every(([name, given]) => {
      const own = store.resource.fields[name] === undefined ? null : store.field(name).value;
      return isEmptyValue(own) || own === given;
    });
  };
  return begins.find(isFitting) ?? null;
}
