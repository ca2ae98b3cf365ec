import type { PickAnswer } from '#contract/pick.ts';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import type { FormStore } from '../form/form-store.ts';
import { givenLine } from '../form/record-changes.ts';

interface Picked {
  readonly lines: PickAnswer['records'];
  readonly filters: PickAnswer['filters'];
}

/** Puts picked lines behind those of a form, and into its head what is empty there and the same for all of them. */
export function takePicked(store: FormStore, name: string, { lines, filters }: Picked): void {
  for (const { name: field } of filters) {
    if (!isEmptyValue(store.record()[field]) || !store.isOpen(field)) continue;
    const [first, ...others] = lines.map(({ head }) => head[field]);
    if (first === undefined || others.some((other) => other?.value !== first.value)) continue;
    store.set(field, first.value, {
      id: first.value,
      label: first.label,
      caption: [],
      fill: {},
      fillLabels: {},
      paths: {},
    });
  }
  const list = store.lines(name);
  list?.insert(
    list.order().length,
    lines.map(({ line }) => givenLine(line)),
  );
}
