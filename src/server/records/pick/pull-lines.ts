import type { Filter } from '#engine/schema/definition.ts';
import { pickSources, type PickSource } from '#engine/schema/pick-sources.ts';
import type { Action } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { madeLine, type MadeLine } from './made-values.ts';
import { PickWhere } from './pick-where.ts';
import { readSources } from './source-record.ts';
import { linesGiven } from './take-sources.ts';

/** So many lines a list takes where it says no `max`. */
const MAX_LINES = 1_000;

/**
 * 一键带入: the record with all lines that an action takes in (`pull`), in place of those that were picked or taken in
 * before; what was typed by hand stays. As the system, in the record's company, the sources locked.
 * @throws RULE_REFUSED when there are more than the list holds
 */
export async function withPulled(
  tx: Tx,
  call: Call,
  action: Pick<Action, 'pull'>,
  record: OpenRecord,
): Promise<OpenRecord> {
  const result: OpenRecord = { ...record };
  for (const [name, where] of Object.entries(action.pull ?? {})) {
    const made: MadeLine[] = [];
    for (const pick of pickSources(call.catalog, call.resource, name))
      made.push(...(await allLines(tx, call, { pick, name, where, record })));
    const max = call.resource.fields[name]?.max;
    const most = typeof max === 'number' ? max : MAX_LINES;
    if (made.length > most)
      throw new AppError('RULE_REFUSED', {
        message: `${call.resource.fields[name]?.title ?? name}最多${most}行，可带入的有${made.length}行`,
      });
    result[name] = await replaced(tx, call, { name, record, made });
  }
  return result;
}

async function allLines(
  tx: Tx,
  call: Call,
  {
    pick,
    name,
    where,
    record,
  }: {
    readonly pick: PickSource;
    readonly name: string;
    readonly where: Filter;
    readonly record: OpenRecord;
  },
): Promise<readonly MadeLine[]> {
  const source = openSystemCall(call.services, call.caller, pick.resource.resource);
  const open = new PickWhere(source, pick);
  open.bound(where, recordScope(call, record));
  const line = pick.of === null ? 'null' : 'l.id';
  const order = pick.of === null ? 't.id' : 't.id, l.line_order';
  const rows = await tx.query<{ id: string; line: string | null }>(
    `select t.id, ${line} as line from ${open.from} where ${open.where} order by ${order}`,
    open.values,
  );
  if (rows.length === 0) return [];
  const records = await readSources(tx, source, [...new Set(rows.map(({ id }) => id))], true);
  const given = new Map<string, ReadonlyMap<string | null, OpenRecord>>();
  for (const one of records) {
    const asked = { key: pick.key, make: pick.make, record: one, name };
    given.set(String(one['id']), (await linesGiven(tx, source, asked)).lines);
  }
  return rows.flatMap(({ id, line: of }): readonly MadeLine[] => {
    const values = given.get(id)?.get(of);
    if (values === undefined) return [];
    return [{ values, from: { resource: pick.resource.resource, id, make: pick.key, line: of } }];
  });
}

/** Lines that come again keep their place and id; those that come no more are gone. */
async function replaced(
  tx: Tx,
  call: Call,
  {
    name,
    record,
    made,
  }: { readonly name: string; readonly record: OpenRecord; readonly made: readonly MadeLine[] },
): Promise<readonly OpenRecord[]> {
  const before = await sourcesOf(tx, call, { name, record });
  const wanted = new Map(made.map((one) => [keyOf(one.from), one]));
  const kept: OpenRecord[] = [];
  for (const line of linesOf(record[name])) {
    const key = before.get(String(line['id']));
    const again = key === undefined ? undefined : wanted.get(key);
    if (key === undefined) kept.push(line);
    else if (again !== undefined) {
      kept.push({ ...line, ...again.values });
      wanted.delete(key);
    }
  }
  return [...kept, ...[...wanted.values()].map((one) => madeLine(one))];
}

/** Which of a record's lines came from which lines of others. */
async function sourcesOf(
  tx: Tx,
  call: Call,
  { name, record }: { readonly name: string; readonly record: OpenRecord },
): Promise<ReadonlyMap<string, string>> {
  const names = pickSources(call.catalog, call.resource, name).map((pick) => pick.name);
  const rows = await tx.query<Record<string, string | null>>(
    `select from_resource, from_id, make, from_line, to_line from sys_chain
     where to_resource = $1 and to_id = $2::uuid and to_line is not null`,
    [call.resource.resource, record['id']],
  );
  return new Map(
    rows
      .filter((row) => names.includes(`${row['from_resource']}.${row['make']}`))
      .map((row) => [
        String(row['to_line']),
        [row['from_resource'], row['from_id'], row['make'], row['from_line'] ?? ''].join('|'),
      ]),
  );
}

function keyOf({ resource, id, make, line }: MadeLine['from']): string {
  return [resource, id, make, line ?? ''].join('|');
}
