import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import type { Field } from '#engine/schema/resource.ts';
import type { FieldServices } from '#web/fields/field-services.ts';
import { awaitedTitle } from './form-context.ts';
import type { FormStore } from './form-store.ts';

/** A pick of the head that depends on what was chosen before it. */
export interface DependentPick {
  readonly store: FormStore;
  readonly field: Field;
  readonly lookup: FieldServices['lookup'];
}

/** The references of the head whose candidates depend on other fields of it. */
export function dependentPicks({ resource }: FormStore): readonly Field[] {
  return Object.values(resource.fields).filter(
    ({ type, multiple, chosenAfter = [] }) =>
      type === 'reference' && multiple !== true && chosenAfter.some((name) => !name.startsWith('parent.')),
  );
}

/** The pick to look up first: one that depends on none of the others; null when none is left. */
export function nextPick(pending: ReadonlySet<Field>): Field | null {
  const names = new Set([...pending].map(({ name }) => name));
  const first = [...pending].find(({ chosenAfter = [] }) => !chosenAfter.some((name) => names.has(name)));
  return first ?? [...pending][0] ?? null;
}

/**
 * Looks a pick up again after what it depends on has changed. One that no longer fits gives way to the only one that does,
 * or goes.
 * @returns what to tell the user; null when the pick stands
 */
export async function refitPick({ store, field, lookup }: DependentPick): Promise<string | null> {
  const { value, label, isReadOnly, isHidden } = store.field(field.name);
  if (isReadOnly || isHidden || isEmptyValue(value) || typeof label !== 'string') return null;
  const { chosenAfter = [] } = field;
  // Something is being chosen anew: with that the pick is looked up.
  if (awaitedTitle(store, chosenAfter) !== null) return null;
  const read = (): string =>
    JSON.stringify([field.name, ...chosenAfter].map((name) => store.field(name).value));
  const asked = read();
  const place = { resource: store.resource.resource, path: field.name, readRecord: () => store.record() };
  const same = await lookup(place, { texts: [label] });
  if (same.records.some(({ id }) => id === value)) return null;
  const others = await lookup(place, { keyword: '', pageSize: 2 });
  // Chosen otherwise meanwhile: that is looked up by itself.
  if (read() !== asked) return null;
  const [only] = others.total === 1 ? others.records : [];
  store.set(field.name, only?.id ?? null, only ?? null);
  return only === undefined
    ? `${field.title}「${label}」与新的选择不符，已清空，请重新选择`
    : `${field.title}「${label}」与新的选择不符，已改为「${only.label}」`;
}
