import type { Field, Resource } from '#engine/schema/resource.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { quoteName, type Reader, statementName } from '#server/records/call/statement.ts';
import { ownColumns } from '#server/records/read/stored-value.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';

/** Columns that no resource shows but every stored row has. */
export interface StorageColumns {
  readonly search_text?: string;
  readonly search_grams?: readonly string[];
  readonly is_deleted?: boolean;
  readonly previous_status?: string | null;
}

/** Inserts head rows in one statement, and their lines; ids, positions and stamps must be there already. */
export async function insertRows(
  tx: Reader,
  resource: Resource,
  written: readonly { readonly record: OpenRecord; readonly storage: StorageColumns }[],
): Promise<void> {
  const columns = ownColumns(resource.fields);
  const rows = written.map(({ record, storage }) => {
    const row: OpenRecord = { is_deleted: false, ...storage };
    for (const field of columns) row[field.name] = record[field.name] ?? null;
    return row;
  });
  const table = tableOf(resource);
  const text = `insert into ${table} select r.* from jsonb_populate_recordset(null::${table}, $1::jsonb) r`;
  await tx.query(text, [JSON.stringify(rows)], statementName(text));
  for (const field of lineFieldsOf(resource))
    await insertLines(
      tx,
      resource,
      field,
      written.map(({ record }) => ({ record, lines: linesOf(record[field.name]) })),
    );
}

/** The columns of one head row that change. */
interface RowUpdate {
  readonly id: string;
  readonly company: unknown;
  readonly columns: OpenRecord;
}

/** Writes the given columns of a head row. */
export async function updateRow(tx: Reader, resource: Resource, written: RowUpdate): Promise<void> {
  await updateRows(tx, resource, [written]);
}

/** Writes the given columns of many head rows: one statement for all rows of which the same columns change. */
export async function updateRows(
  tx: Reader,
  resource: Resource,
  written: readonly RowUpdate[],
): Promise<void> {
  const isScoped = resource.scope === 'company';
  const groups = new Map<string, { readonly names: readonly string[]; readonly rows: OpenRecord[] }>();
  for (const { id, company, columns } of written) {
    const names = Object.keys(columns).sort();
    if (names.length === 0) continue;
    const group = groups.get(names.join()) ?? { names, rows: [] };
    group.rows.push({ ...columns, id, ...(isScoped ? { co_code: company } : {}) });
    groups.set(names.join(), group);
  }
  const table = tableOf(resource);
  for (const { names, rows } of groups.values()) {
    const sets = names.map((name) => `${quoteName(name)} = r.${quoteName(name)}`).join(', ');
    const text = `update ${table} t set ${sets} from jsonb_populate_recordset(null::${table}, $1::jsonb) r where t.id = r.id${isScoped ? ' and t.co_code = r.co_code' : ''}`;
    await tx.query(text, [JSON.stringify(rows)], statementName(text));
  }
}

/**
 * Brings a child table from one state to the next: removes, inserts, and rewrites only lines that changed. False when none
 * did. A line whose unique columns changed is taken out and put in anew under its id: an index is asked row by row, and
 * would refuse a number that another line of the same write is about to give up.
 */
export async function writeLines(
  tx: Reader,
  resource: Resource,
  change: { readonly field: Field; readonly before: OpenRecord; readonly after: OpenRecord },
): Promise<boolean> {
  const { field, before, after } = change;
  const old = new Map(linesOf(before[field.name]).map((line) => [line['id'], line]));
  const now = linesOf(after[field.name]);
  const kept = new Set(now.map((line) => line['id']));
  const changed = now.filter((line) => {
    const was = old.get(line['id']);
    return was !== undefined && !isSameLine(field, was, line);
  });
  const isRekeyed = (line: OpenRecord): boolean => hasNewKey(field, old.get(line['id']) ?? {}, line);
  const rekeyed = changed.filter(isRekeyed);
  const gone = [...[...old.keys()].filter((id) => !kept.has(id)), ...rekeyed.map((line) => line['id'])];
  const table = linesTableOf(resource, field.name);
  const isScoped = resource.scope === 'company';
  const company = isScoped ? ' and l.co_code = $2' : '';
  const scoped = isScoped ? [after['co_code']] : [];
  if (gone.length > 0)
    await tx.query(`delete from ${table} l where l.id = any($1::uuid[])${company}`, [gone, ...scoped]);
  const added = now.filter((line) => !old.has(line['id']));
  await insertLines(tx, resource, field, [{ record: after, lines: [...rekeyed, ...added] }]);
  const rewritten = changed.filter((line) => !isRekeyed(line));
  if (rewritten.length === 0) return gone.length + added.length > 0;
  const names = ['line_order', ...ownColumns(field.fields ?? {}).map(({ name }) => name)];
  const sets = names.map((name) => `${quoteName(name)} = r.${quoteName(name)}`).join(', ');
  const text = `update ${table} l set ${sets} from jsonb_populate_recordset(null::${table}, $1::jsonb) r where l.id = r.id${company}`;
  const rows = rewritten.map((line) => lineRow(resource, { field, record: after, line }));
  await tx.query(text, [JSON.stringify(rows), ...scoped], statementName(text));
  return true;
}

/** The child tables of a resource. */
export function lineFieldsOf(resource: Resource): readonly Field[] {
  const known = lineFields.get(resource);
  if (known !== undefined) return known;
  const fields = Object.values(resource.fields).filter((field) => field.type === 'lines');
  lineFields.set(resource, fields);
  return fields;
}

const lineFields = new WeakMap<Resource, readonly Field[]>();

/** New lines of one head. */
interface LinesOfHead {
  readonly record: OpenRecord;
  readonly lines: readonly OpenRecord[];
}

async function insertLines(
  tx: Reader,
  resource: Resource,
  field: Field,
  heads: readonly LinesOfHead[],
): Promise<void> {
  const table = linesTableOf(resource, field.name);
  const rows = heads.flatMap(({ record, lines }) =>
    lines.map((line) => lineRow(resource, { field, record, line })),
  );
  if (rows.length === 0) return;
  const text = `insert into ${table} select r.* from jsonb_populate_recordset(null::${table}, $1::jsonb) r`;
  await tx.query(text, [JSON.stringify(rows)], statementName(text));
}

function lineRow(
  resource: Resource,
  { field, record, line }: { readonly field: Field; readonly record: OpenRecord; readonly line: OpenRecord },
): OpenRecord {
  const row: OpenRecord = { id: line['id'], parent_id: record['id'], line_order: line['line_order'] };
  if (resource.scope === 'company') row['co_code'] = record['co_code'];
  for (const cell of ownColumns(field.fields ?? {})) row[cell.name] = line[cell.name] ?? null;
  return row;
}

/** Whether a line takes another place in an index that keeps lines apart. */
function hasNewKey(field: Field, was: OpenRecord, now: OpenRecord): boolean {
  return (field.unique ?? []).some(
    ({ fields, where }) =>
      // Which columns a condition reads is not asked: whatever changed may bring the line in.
      where !== undefined || fields.some((name) => !isSameValue(was[name] ?? null, now[name] ?? null)),
  );
}

function isSameLine(field: Field, a: OpenRecord, b: OpenRecord): boolean {
  if (a['line_order'] !== b['line_order']) return false;
  return ownColumns(field.fields ?? {}).every(({ name }) => isSameValue(a[name] ?? null, b[name] ?? null));
}

/** The same as the database would keep it; texts and numbers, which most are, without being written out. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return !(isPlain(a) && isPlain(b)) && JSON.stringify(a) === JSON.stringify(b);
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
