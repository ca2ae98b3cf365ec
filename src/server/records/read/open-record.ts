/** A record under construction: fields, and the `_labels` and `_paths` that are put beside them. */
export type OpenRecord = Record<string, unknown>;

/** The lines of a record in hand. */
export function linesOf(value: unknown): readonly OpenRecord[] {
  return Array.isArray(value) ? value.filter(isOpenRecord) : [];
}

/** True for what has fields. */
export function isOpenRecord(value: unknown): value is OpenRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
