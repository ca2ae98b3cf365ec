import type { ErpRecord } from '#engine/schema/resource.ts';

/** One of the values that a parameter may have, with what people call it. */
export interface ParameterValue {
  readonly value: string;
  readonly label: string;
}

/**
 * The values that the parameter of a row may have: what setup/parameters.json lists for it, yes and no of a switch; none
 * where it is typed.
 * @param file setup/parameters.json
 */
export function parameterValues(file: unknown, row: ErpRecord): readonly ParameterValue[] {
  const { options, kind } = shippedParameter(file, row) ?? {};
  if (typeof options === 'object' && options !== null)
    return Object.entries(options).map(([value, label]) => ({ value, label: String(label) }));
  return (row['kind'] ?? kind) === 'bool' ? YES_NO : [];
}

/** What setup/parameters.json says of the parameter of a row; undefined for one that it does not know. */
export function shippedParameter(file: unknown, row: ErpRecord): ErpRecord | undefined {
  const entries: readonly unknown[] = Array.isArray(file) ? file : [];
  return entries.filter(isEntry).find(({ param }) => param === row['param']);
}

const YES_NO: readonly ParameterValue[] = [
  { value: '1', label: '是' },
  { value: '0', label: '否' },
];

function isEntry(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null;
}
