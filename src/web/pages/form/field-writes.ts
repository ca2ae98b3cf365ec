import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import type { PickedRecord, ValueLabel } from '#web/fields/field-view.ts';
import { labelsOf } from '#web/fields/field-text.ts';
import { isOne, withoutBelow } from './form-values.ts';

/** What somebody put into a field: a value, and the records that it was picked from. */
export interface FieldInput {
  readonly name: string;
  readonly value: unknown;
  readonly picked?: PickedRecord | readonly PickedRecord[] | null | undefined;
}

/** All that is written into the head with it. */
export interface FieldWrites {
  readonly writes: ReadonlyMap<string, unknown>;
  readonly labels: Readonly<Record<string, ValueLabel>>;
  /** Values of referenced records that rules and formulas read. */
  readonly paths?: unknown;
}

/** A picked record brings what it fills and what rules read of it. */
export function fieldWrites(
  resource: Resource,
  head: ErpRecord,
  { name, value, picked }: FieldInput,
): FieldWrites {
  const paths = withoutBelow(head['_paths'], name);
  if (isOne(picked))
    return {
      writes: new Map([[name, value], ...Object.entries(picked.fill)]),
      labels: {
        [name]: picked.label,
        ...Object.fromEntries(Object.keys(picked.fill).map((own) => [own, picked.fillLabels[own]])),
      },
      paths: { ...paths, ...picked.paths },
    };
  const writes = new Map([[name, value]]);
  if (picked !== undefined)
    return { writes, labels: { [name]: picked === null ? null : picked.map(({ label }) => label) }, paths };
  return { writes, labels: resource.fields[name]?.type === 'dictionary' ? { [name]: null } : {}, paths };
}

/** Values that nobody picked, with no name known for them. */
export function plainWrites(values: ReadonlyMap<string, unknown>): FieldWrites {
  return { writes: values, labels: Object.fromEntries([...values.keys()].map((name) => [name, null])) };
}

/** The head with all that. */
export function withWrites(head: ErpRecord, { writes, labels, paths }: FieldWrites): ErpRecord {
  return {
    ...head,
    ...Object.fromEntries(writes),
    _labels: { ...labelsOf(head), ...labels },
    ...(paths === undefined ? {} : { _paths: paths }),
  };
}
