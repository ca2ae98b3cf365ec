import type { FieldProblem, Resource } from '#engine/schema/resource.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { findDuplicatesOfMany, uniqueKey } from '#server/records/prepare/check-uniques.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import type { Call } from '#server/records/call/open-call.ts';
import {
  type PreparedRecord,
  prepareChanges,
  prepareNewMany,
} from '#server/records/prepare/prepare-record.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';
import { runChecks } from '#server/records/rules/run-rules.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { ImportProblem } from '#contract/transfer.ts';
import { missingCells } from './missing-cells.ts';
import type { CellPlace } from './group-documents.ts';

/** A row that is to be judged: the body of its write, and the record it is about. */
export interface Candidate {
  readonly row: number;
  readonly body: OpenRecord;
  readonly id: string | null;
  /** The version that an earlier judgement saw; null when there was none. */
  readonly version: number | null;
  /** What is known to be wrong already. */
  readonly problems: readonly ImportProblem[];
  /** Where in the file a path of the body stands; absent when that is no longer known. */
  readonly placeOf?: (path: string) => CellPlace | null;
}

/** A row with its verdict. `record` is ready to be written unless there are problems. */
export interface JudgedRow {
  readonly row: number;
  readonly id: string | null;
  readonly label: string;
  readonly problems: readonly ImportProblem[];
  readonly record: OpenRecord | null;
  readonly current: OpenRecord | null;
}

/** What the rows before have taken: keys of uniques, and records, by the number of their row. */
export class TakenKeys {
  readonly #rows = new Map<string, number>();

  /** Takes a key for a row; the row that has it already, else null. */
  take(key: string, row: number): number | null {
    const holder = this.#rows.get(key);
    if (holder === undefined) this.#rows.set(key, row);
    return holder === undefined || holder === row ? null : holder;
  }
}

export interface Judging {
  readonly taken: TakenKeys;
  /** Stored records are locked: they will be written in this transaction. */
  readonly isLocking: boolean;
  /** The resource's named checks run too; a writer runs them itself, row by row. */
  readonly withChecks: boolean;
}

/**
 * Judges a batch of rows by the rules of create and update: parsing, defaults, formulas, rules, references, uniques in
 * the database and within the file. As many statements as one row would need.
 */
export async function judgeRows(
  tx: Tx,
  call: Call,
  { rows, judging }: { readonly rows: readonly Candidate[]; readonly judging: Judging },
): Promise<readonly JudgedRow[]> {
  const creates = rows.filter(({ id }) => id === null);
  const updates = rows.filter(({ id }) => id !== null);
  const prepared = new Map<number, Prepared>();
  const mayCreate = call.access.operations.has('create');
  const fresh = mayCreate
    ? await prepareNewMany(
        tx,
        call,
        creates.map(({ body }) => body),
      )
    : [];
  for (const [index, { row }] of creates.entries()) prepared.set(row, newRow(fresh[index]));
  for (const [row, change] of await prepareUpdates(tx, call, { updates, judging })) prepared.set(row, change);
  const written = rows.flatMap(({ row }) => {
    const found = prepared.get(row);
    return found === undefined || found.record === null
      ? []
      : [{ row, record: found.record, previous: found.current }];
  });
  const duplicates = await findDuplicatesOfMany(tx, call, written);
  const duplicated = new Map(written.map(({ row }, index) => [row, duplicates[index] ?? []]));
  const judged: JudgedRow[] = [];
  for (const candidate of rows) {
    const found = prepared.get(candidate.row) ?? newRow(undefined);
    const engine = [...found.problems, ...(duplicated.get(candidate.row) ?? [])];
    if (found.record !== null)
      engine.push(
        ...notTold(engine, missingCells(call, found.record, candidate.id === null ? null : candidate.body)),
      );
    if (engine.length === 0) engine.push(...takenProblems(call, candidate, { found, taken: judging.taken }));
    if (judging.withChecks && found.record !== null && engine.length === 0)
      engine.push(...(await saveProblems(tx, call, found)));
    judged.push({
      row: candidate.row,
      id: candidate.id,
      label: found.record === null ? '' : recordLabel(call.resource, found.record),
      problems: joinProblems(call.resource, candidate, engine),
      record: found.record,
      current: found.current,
    });
  }
  return judged;
}

/** What an earlier problem of the same place does not say already. */
function notTold(told: readonly FieldProblem[], further: readonly FieldProblem[]): readonly FieldProblem[] {
  const paths = new Set(told.map(({ path }) => path));
  return further.filter(({ path }) => !paths.has(path));
}

interface Prepared {
  readonly record: OpenRecord | null;
  readonly current: OpenRecord | null;
  readonly problems: readonly FieldProblem[];
}

function newRow(prepared: PreparedRecord | undefined): Prepared {
  if (prepared === undefined) return { record: null, current: null, problems: [wholeRow('没有新增权限')] };
  const outside = prepared.isOutside ? [wholeRow('不能新增不在本人数据范围内的记录')] : [];
  return {
    record: prepared.record,
    current: null,
    problems: [...errorsOf(prepared.problems), ...outside],
  };
}

async function prepareUpdates(
  tx: Tx,
  call: Call,
  { updates, judging }: { readonly updates: readonly Candidate[]; readonly judging: Judging },
): Promise<ReadonlyMap<number, Prepared>> {
  const prepared = new Map<number, Prepared>();
  if (updates.length === 0) return prepared;
  const ids = [...new Set(updates.flatMap(({ id }) => (id === null ? [] : [id])))];
  const stored = call.access.operations.has('update')
    ? await readStoredMany(tx, call, ids, { operation: 'update', isLocking: judging.isLocking })
    : [];
  const byId = new Map(stored.map((record) => [record['id'], record]));
  const changes: { row: number; current: OpenRecord; body: OpenRecord }[] = [];
  for (const { row, id, body, version } of updates) {
    const current = byId.get(id);
    if (current === undefined) prepared.set(row, refused('记录已存在，但没有修改它的权限'));
    else if (version !== null && current['version'] !== version)
      prepared.set(row, refused('记录已被他人修改，请重新导入'));
    else changes.push({ row, current, body: withLineIds(call.resource, current, body) });
  }
  const results = await prepareChanges(tx, call, changes);
  for (const [index, { row, current }] of changes.entries()) {
    const result = results[index];
    if (result !== undefined)
      prepared.set(row, { record: result.record, current, problems: errorsOf(result.problems) });
  }
  return prepared;
}

function refused(message: string): Prepared {
  return { record: null, current: null, problems: [wholeRow(message)] };
}

/** Two rows of a file about one record, or with the same unique values. */
function takenProblems(
  call: Call,
  candidate: Candidate,
  { found, taken }: { readonly found: Prepared; readonly taken: TakenKeys },
): readonly FieldProblem[] {
  const { resource } = call;
  const { record } = found;
  if (record === null) return [];
  if (candidate.id !== null) {
    const holder = taken.take(`id ${candidate.id}`, candidate.row);
    if (holder !== null) return [wholeRow(`与第${holder}行是同一条记录`)];
  }
  return resource.unique.flatMap((unique, index) => {
    const key = uniqueKey(call, unique, record);
    const holder = key === null ? null : taken.take(`${index} ${key}`, candidate.row);
    if (holder === null) return [];
    const titles = unique.fields.map((name) => resource.fields[name]?.title ?? name).join('、');
    return [{ path: unique.fields[0] ?? '', code: 'unique', message: `${titles}与第${holder}行重复` }];
  });
}

async function saveProblems(
  tx: Tx,
  call: Call,
  { record, current }: Prepared,
): Promise<readonly FieldProblem[]> {
  if (record === null || call.resource.checks.save.length === 0) return [];
  const action = current === null ? 'create' : 'update';
  return errorsOf(
    await runChecks(call.resource.checks.save, { tx, call, record, previous: current, action, created: [] }),
  );
}

/** Problems by column; what the engine says of a cell that could not even be read is left out. */
function joinProblems(
  resource: Resource,
  { problems, placeOf }: Candidate,
  engine: readonly FieldProblem[],
): readonly ImportProblem[] {
  const unread = new Set(problems.map(({ column, cell }) => cell ?? column));
  const further = engine.flatMap(({ path, message }): ImportProblem[] => {
    const place = placeOf?.(path) ?? null;
    const column = place?.column ?? titleAt(resource, path);
    if (unread.has(place?.cell ?? column) && column !== '') return [];
    const said = withoutTitle(resource, path, message);
    return [{ column, ...(place === null ? {} : { cell: place.cell }), message: said }];
  });
  return [...problems, ...further];
}

/** The column stands in front of its problems already. */
function withoutTitle(resource: Resource, path: string, message: string): string {
  const [head = '', , name] = path.split('.');
  const field = resource.fields[head];
  const title = `${(name === undefined ? field : field?.fields?.[name])?.title ?? ''}：`;
  return title !== '：' && message.startsWith(title) ? message.slice(title.length) : message;
}

/** What a path is called where the file has no column for it. */
function titleAt(resource: Resource, path: string): string {
  const [head = '', index, name = ''] = path.split('.');
  const field = resource.fields[head];
  const cell = field?.fields?.[name]?.title;
  return cell === undefined ? (field?.title ?? '') : `${field?.title ?? ''}第${Number(index) + 1}行${cell}`;
}

/**
 * The body of an update whose lines are told which stored ones they change: those with the same unique values, else
 * those at the same place. Further lines are new; stored lines that the file does not have stay.
 */
function withLineIds(resource: Resource, current: OpenRecord, body: OpenRecord): OpenRecord {
  const given = Object.entries(body).map(([name, value]): [string, unknown] => {
    const field = resource.fields[name];
    if (field?.type !== 'lines') return [name, value];
    const stored = linesOf(current[name]);
    const key = field.unique?.[0]?.fields;
    const free = new Set(stored);
    const lines = linesOf(value).map((line, place) => {
      const isKnown = key !== undefined && key.every((column) => line[column] !== undefined);
      const found = isKnown
        ? stored.find(
            (one) => free.has(one) && key.every((column) => String(one[column]) === String(line[column])),
          )
        : stored[place];
      if (found === undefined || !free.delete(found)) return line;
      return { ...line, id: found['id'] };
    });
    return [name, lines];
  });
  return Object.fromEntries(given);
}

function errorsOf(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  return problems.filter(({ level }) => level !== 'warning');
}

function wholeRow(message: string): FieldProblem {
  return { path: '', code: 'row', message };
}
