import { canSee } from '#engine/access/resource-access.ts';
import type { ProblemDetail } from '#engine/schema/problem-detail.ts';
import type { Field, FieldProblem } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { presentValue } from '#server/records/read/present-record.ts';
import { attachFor, openCopy, settle } from './complete-record.ts';

/**
 * Refuses with `message` every frozen value of a record that would now be another, with both figures. `record` is as stored,
 * with the values behind its references.
 */
export async function checkFresh(
  tx: Tx,
  call: Call,
  { record, message }: { readonly record: OpenRecord; readonly message: string | undefined },
): Promise<readonly FieldProblem[]> {
  if (message === undefined) return [];
  const frozen = frozenFields(call, record);
  if (frozen.length === 0) return [];
  const now = await settle(tx, call, { record: openCopy(call, record), before: record }, true);
  await attachFor(tx, call, now);
  return frozen.flatMap(({ field, lines }) =>
    pairsOf(lines, { record, now }).flatMap(({ old, fresh, prefix }): readonly FieldProblem[] => {
      if (JSON.stringify(old[field.name] ?? null) === JSON.stringify(fresh[field.name] ?? null)) return [];
      const path = `${prefix}${field.name}`;
      const isSeen = canSee(call.access, lines === null ? field.name : `${lines}.${field.name}`);
      if (!isSeen) return [{ path: '', code: 'fresh', message }];
      const detail = detailOf(call, record, { field, lines, old, fresh });
      return [{ path, code: 'fresh', message, detail }];
    }),
  );
}

interface FrozenField {
  readonly field: Field;
  readonly lines: string | null;
}

/** The fields whose value is fixed in the record's state. */
function frozenFields({ resource }: Call, record: OpenRecord): readonly FrozenField[] {
  const isFixed = ({ frozen }: Field): boolean =>
    frozen !== undefined && !frozen.open.includes(String(record['status']));
  return Object.values(resource.fields).flatMap((field) => [
    ...(isFixed(field) ? [{ field, lines: null }] : []),
    ...Object.values(field.fields ?? {})
      .filter(isFixed)
      .map((cell) => ({ field: cell, lines: field.name })),
  ]);
}

interface Pair {
  readonly old: OpenRecord;
  readonly fresh: OpenRecord;
  readonly prefix: string;
}

function pairsOf(
  lines: string | null,
  { record, now }: { readonly record: OpenRecord; readonly now: OpenRecord },
): readonly Pair[] {
  if (lines === null) return [{ old: record, fresh: now, prefix: '' }];
  const fresh = linesOf(now[lines]);
  return linesOf(record[lines]).map((old, index) => ({
    old,
    fresh: fresh[index] ?? {},
    prefix: `${lines}.${index}.`,
  }));
}

function detailOf(
  call: Call,
  record: OpenRecord,
  { field, lines, old, fresh }: FrozenField & Pick<Pair, 'old' | 'fresh'>,
): ProblemDetail {
  const path = lines === null ? field.name : `${lines}.${field.name}`;
  const text = (holder: OpenRecord): string | null => {
    const label = labelOf(holder, field.name);
    const value = label ?? presentValue(call, holder[field.name] ?? null, field, path);
    return value === null || value === undefined ? null : String(value);
  };
  return {
    resource: call.resource.resource,
    id: String(record['id']),
    label: recordLabel(call.resource, record),
    figure: text(old),
    bound: text(fresh),
  };
}

/** The name of what a reference or dictionary holds. */
function labelOf(holder: OpenRecord, name: string): string | null {
  const labels = holder['_labels'];
  const label: unknown = typeof labels === 'object' && labels !== null ? Reflect.get(labels, name) : null;
  return typeof label === 'string' && label !== '' ? label : null;
}
