import type { Resource } from '#engine/schema/resource.ts';
import { compareDecimals, isPlainDecimal } from '#engine/values/decimal.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';

/** Rows that are judged and written at once: nobody else waits long for their turn. */
const BATCH = 200;

/**
 * The rows of a file in the batches in which they are written. Where records find others of their kind (前一汇率), those
 * that are found are written first, whatever the order of the file, and are there when the others look for them.
 */
export function writingBatches<Row extends { readonly body: OpenRecord }>(
  resource: Resource,
  rows: readonly Row[],
): readonly (readonly Row[])[] {
  const keys = ownOrder(resource);
  const compare = (a: Row, b: Row): number => {
    for (const key of keys) {
      const name = key.replace(/^-/, '');
      const found = compareValues(a.body[name], b.body[name]);
      // What a find takes first is the nearest one: the last to be written.
      if (found !== 0) return key.startsWith('-') ? found : -found;
    }
    return 0;
  };
  const batches: Row[][] = [];
  for (const row of keys.length === 0 ? rows : rows.toSorted(compare)) {
    const batch = batches.at(-1);
    const [first] = batch ?? [];
    if (batch === undefined || first === undefined || batch.length === BATCH || compare(first, row) !== 0)
      batches.push([row]);
    else batch.push(row);
  }
  return batches;
}

/** The batches of a file in the stretches that are committed together: small batches share one. */
export function stretchesOf<Row extends { readonly body: OpenRecord }>(
  resource: Resource,
  rows: readonly Row[],
): readonly (readonly (readonly Row[])[])[] {
  const stretches: (readonly Row[])[][] = [];
  let size = 0;
  for (const batch of writingBatches(resource, rows)) {
    const stretch = stretches.at(-1);
    size += batch.length;
    if (stretch !== undefined && size <= BATCH) stretch.push(batch);
    else {
      stretches.push([batch]);
      size = batch.length;
    }
  }
  return stretches;
}

/** Whether a record looks for others of its kind, so that a row of a file is not judged without those before it. */
export function hasOwnOrder(resource: Resource): boolean {
  return ownOrder(resource).length > 0;
}

/** How a record chooses among others of its kind; empty where it looks for none. */
function ownOrder({ resource, fields }: Resource): readonly string[] {
  const own = Object.values(fields).find(({ find, to }) => find !== undefined && to === resource);
  return own?.find?.order ?? [];
}

function compareValues(a: unknown, b: unknown): number {
  const [left, right] = [String(a ?? ''), String(b ?? '')];
  if (isPlainDecimal(left) && isPlainDecimal(right)) return compareDecimals(left, right);
  return left === right ? 0 : left < right ? -1 : 1;
}
