import type { Scope } from '#engine/filter/scope.ts';
import { clearHidden } from '#engine/record/clear-hidden.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import { isTakenNow } from '#engine/record/frozen-values.ts';
import { lineScope } from '#engine/record/record-lines.ts';
import { findRounds, formulasBefore } from '#engine/schema/formula-order.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { mapInTurns } from '#server/kernel/let-others.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { isOpenRecord, linesOf, type OpenRecord } from '#server/records/read/open-record.ts';
import { fillFromReferences } from './fill-references.ts';
import { type AskedFind, findFirst } from './find-first.ts';
import { weightOf } from './record-weight.ts';

/** A record on its way into the database, and what it was before; null for a new one. */
export interface TakenRecord {
  readonly record: OpenRecord;
  readonly before: OpenRecord | null;
}

/** What the finds of a record need of its surroundings: fresh values behind its references, an open copy of it. */
interface TakeTools {
  readonly attach: (records: readonly OpenRecord[]) => Promise<unknown>;
  readonly copy: (record: OpenRecord) => OpenRecord;
  readonly isRefresh?: boolean;
}

/**
 * Takes the finds of records and of their lines: round by round, as far as one needs another or a formula over it, with
 * one statement for all finds of a round, and the values behind what was found, however many records and lines there are.
 * Each record comes back with its found references, what they fill, and the values that formulas read of them.
 */
export async function takeFinds(
  db: Reader,
  call: Call,
  taken: readonly TakenRecord[],
  tools: TakeTools,
): Promise<readonly OpenRecord[]> {
  const { resource } = call;
  let records = taken.map(({ record }) => record);
  for (const names of findRounds(resource)) {
    const scopes = await mapInTurns(
      taken,
      ({ before }, index) =>
        computedScope(
          call,
          { record: records[index] ?? {}, before },
          { ...tools, only: formulasBefore(resource, names) },
        ),
      ({ record }) => weightOf(record),
    );
    const finds = findsOf(resource, names);
    const asked = scopes.flatMap((scope, owner) => finds.flatMap((find) => askedFinds(find, scope, owner)));
    const found = await findFirst(db, call, asked);
    const changed = new Map<number, OpenRecord>();
    for (const [index, { field, lines, owner, place }] of asked.entries()) {
      const id = found[index] ?? null;
      const known = holderAt(changed.get(owner) ?? records[owner], { lines, place });
      if (known === undefined || (known[field.name] ?? null) === id) continue;
      const copy = changed.get(owner) ?? tools.copy(records[owner] ?? {});
      changed.set(owner, copy);
      const holder = holderAt(copy, { lines, place });
      if (holder !== undefined) holder[field.name] = id;
    }
    if (changed.size === 0) continue;
    await tools.attach([...changed.values()]);
    const filling = new Set(names);
    records = records.map((record, index) => {
      const copy = changed.get(index);
      if (copy === undefined) return record;
      return tools.copy(fillFromReferences(resource, copy, taken[index]?.before ?? null, filling));
    });
  }
  return records;
}

interface Find {
  readonly field: Field;
  readonly lines: string | null;
}

interface OwnedFind extends AskedFind {
  readonly lines: string | null;
  readonly owner: number;
  readonly place: number;
}

/** The head, or one of its lines. */
function holderAt(
  record: OpenRecord | undefined,
  { lines, place }: Pick<OwnedFind, 'lines' | 'place'>,
): OpenRecord | undefined {
  if (lines === null || record === undefined) return record;
  const rows = record[lines];
  const line: unknown = Array.isArray(rows) ? rows[place] : undefined;
  return isOpenRecord(line) ? line : undefined;
}

function findsOf(resource: Resource, names: readonly string[]): readonly Find[] {
  return names.flatMap((name): readonly Find[] => {
    const [head = '', column] = name.split('.');
    const field = resource.fields[head];
    if (field === undefined) return [];
    if (column === undefined) return [{ field, lines: null }];
    const cell = field.fields?.[column];
    return cell === undefined ? [] : [{ field: cell, lines: head }];
  });
}

/** The scope of a record with its formulas run (all, or only some), as far as they can be before its finds are taken. */
export function computedScope(
  call: Call,
  { record, before }: TakenRecord,
  { isRefresh, only }: Pick<TakeTools, 'isRefresh'> & { readonly only?: ReadonlySet<string> },
): Scope {
  const surroundings = { before, isRefresh };
  const cleared = clearHidden(call.resource, record, { ...recordScope(call, record), ...surroundings });
  const scope = { ...recordScope(call, cleared), ...surroundings };
  return { ...scope, record: computeRecord(call.resource, cleared, scope, only) };
}

function askedFinds({ field, lines }: Find, scope: Scope, owner: number): readonly OwnedFind[] {
  const company = scope.record['co_code'];
  if (lines === null)
    return isTakenNow(field, scope) ? [{ field, scope, company, lines, owner, place: 0 }] : [];
  return linesOf(scope.record[lines]).flatMap((line, place): readonly OwnedFind[] => {
    const here = { ...lineScope(scope, lines, line), place };
    return isTakenNow(field, here) ? [{ field, scope: here, company, lines, owner, place }] : [];
  });
}
