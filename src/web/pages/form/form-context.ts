import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import type { Field } from '#engine/schema/resource.ts';
import { ShownError } from './shown-error.ts';
import type { FieldSnapshot } from './form-options.ts';
import type { FormStore } from './form-store.ts';

export interface FormPlace {
  readonly store: FormStore;
  /** Prefix of the ids of its controls: several forms are open at once. */
  readonly formId: string;
  readonly recordId: string | undefined;
  /** Brings the section of a field to the front, where it stands in a tab. */
  readonly reveal: (name: string) => void;
}

export const FormContext = createContext<FormPlace | null>(null);

/** The form around a control. */
export function useFormPlace(): FormPlace {
  const place = useContext(FormContext);
  if (place === null) throw new ShownError('控件不在表单内');
  return place;
}

/** One field of the form; wakes the control only when something of this field changes. */
export function useField(name: string): FieldSnapshot {
  const { store } = useFormPlace();
  const subscribe = useCallback((listener: () => void) => store.subscribe(name, listener), [store, name]);
  return useSyncExternalStore(subscribe, () => store.field(name));
}

/** The currency of a money field, following the field that names it. */
export function useCurrency(field: Field): string | undefined {
  const { store } = useFormPlace();
  const source = field.type === 'money' ? field.currency : undefined;
  const isCode = source !== undefined && /^[A-Z]{3}$/.test(source);
  const name = source === undefined || isCode ? '' : source;
  const subscribe = useCallback((listener: () => void) => store.subscribe(name, listener), [store, name]);
  const value = useSyncExternalStore(subscribe, () => (name === '' ? undefined : store.field(name).value));
  if (isCode) return source;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The title of what has to be chosen before a field; wakes the control when that comes or goes. */
export function useAwaited(field: Field): string | null {
  const { store } = useFormPlace();
  const { chosenAfter = NONE } = field;
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = chosenAfter.map((name) => store.subscribe(name, listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [store, chosenAfter],
  );
  return useSyncExternalStore(subscribe, () => awaitedTitle(store, chosenAfter));
}

/** The title of the first of these fields that is shown, open and empty; null when there is none. */
export function awaitedTitle(store: FormStore, names: readonly string[]): string | null {
  for (const name of names) {
    const own = name.replace(/^parent\./, '');
    const { isHidden, isReadOnly, value } = store.field(own);
    if (!isHidden && !isReadOnly && isEmptyValue(value)) return store.resource.fields[own]?.title ?? null;
  }
  return null;
}

const NONE: readonly string[] = [];

/** id of a field's control, for labels and for jumping to it. */
export function controlId(formId: string, path: string): string {
  return `${formId}-${path}`;
}
