import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { type FigureCause, noteCause } from '#server/records/follow/write-session.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { type RollupField, rollupKeys } from './rollup-fields.ts';
import type { Change } from './refresh-rollups.ts';

/** Which column of the changed record moved a figure, for the refusal of a limit. */
export function noteCauses(
  tx: Tx,
  call: Call,
  moved: {
    readonly rollup: RollupField;
    readonly before: OpenRecord;
    readonly after: OpenRecord;
    readonly change: Change;
  },
): void {
  const { rollup, before, after, change } = moved;
  if (change.after === null) return;
  if (change.cause !== undefined) return noteGivenCause(tx, { rollup, before, after, cause: change.cause });
  const [, lines] = rollup.rollup.of.split('.');
  const { sum, max, min, avg } = rollup.rollup;
  const [key = ''] = rollupKeys(rollup.rollup);
  const column = (sum ?? max ?? min ?? avg ?? key).replace(/^parent\./, '');
  const cause = { resource: call.resource.resource, id: String(change.after['id']) };
  const note = (line: string | null, path: string): void =>
    noteCause(tx, { resource: rollup.owner.resource, id: String(after['id']), line }, { ...cause, path });
  const isSame = (a: OpenRecord, b: OpenRecord): boolean => a[rollup.field.name] === b[rollup.field.name];
  if (rollup.lines === null) {
    if (isSame(before, after)) return;
    const index = linesOf(change.after[lines ?? '']).findIndex((line) => line[key] === after['id']);
    return note(null, lines === undefined ? column : index < 0 ? lines : `${lines}.${index}.${column}`);
  }
  const old = new Map(linesOf(before[rollup.lines]).map((line) => [line['id'], line]));
  for (const line of linesOf(after[rollup.lines])) {
    const was = old.get(line['id']);
    if (was === undefined || isSame(was, line)) continue;
    const index = linesOf(change.after[lines ?? '']).findIndex((cell) => cell[key] === line['id']);
    note(
      String(line['id']),
      lines === undefined ? column : index < 0 ? lines : `${lines}.${index}.${column}`,
    );
  }
}

function noteGivenCause(
  tx: Tx,
  moved: {
    readonly rollup: RollupField;
    readonly before: OpenRecord;
    readonly after: OpenRecord;
    readonly cause: FigureCause;
  },
): void {
  const { rollup, before, after, cause } = moved;
  const { name } = rollup.field;
  const figure = { resource: rollup.owner.resource, id: String(after['id']) };
  if (rollup.lines === null) {
    if (before[name] !== after[name]) noteCause(tx, { ...figure, line: null }, cause);
    return;
  }
  const old = new Map(linesOf(before[rollup.lines]).map((line) => [line['id'], line]));
  for (const line of linesOf(after[rollup.lines]))
    if (old.get(line['id'])?.[name] !== line[name])
      noteCause(tx, { ...figure, line: String(line['id']) }, cause);
}
