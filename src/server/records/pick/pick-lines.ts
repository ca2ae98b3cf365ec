import type { PickAnswer, PickForm } from '#contract/pick.ts';
import { canSee } from '#engine/access/resource-access.ts';
import { pickSources, type PickSource } from '#engine/schema/pick-sources.ts';
import type { Field } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { bind, plannedAnew, statementName } from '#server/records/call/statement.ts';
import { COUNT_CAP } from '#server/records/list/list-totals.ts';
import { formRecord } from '#server/records/lookup/lookup-request.ts';
import { prepareNew } from '#server/records/prepare/prepare-record.ts';
import { attachReferences, linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { shownRecord } from '#server/records/read/present-record.ts';
import { isRecordId } from '#server/records/read/read-stored.ts';
import { isPicker } from '#server/records/read/reader-eyes.ts';
import { closedValues } from './closed-values.ts';
import type { MadeLine } from './made-values.ts';
import { PickWhere } from './pick-where.ts';
import { openSource, readSources } from './source-record.ts';
import { linesGiven } from './take-sources.ts';

const PAGE = 50;

/**
 * 选取: the open lines of other documents as they would stand in a list of this form, with what is left of them. Whoever
 * writes the list may pick, of documents that he may read; filters of the list's own columns are asked with the form.
 * @throws UNKNOWN_FIELD, FORBIDDEN
 */
export async function pickLines(call: Call, name: string, form: PickForm): Promise<PickAnswer> {
  const list = requireList(call, name);
  const picks = pickSources(call.catalog, call.resource, name).filter((pick) => mayRead(call, pick));
  const pick = picks.find((one) => one.name === form.from) ?? picks[0];
  const { currentPage = 1, pageSize = PAGE } = form;
  const sources = picks.map((one) => ({
    name: one.name,
    resource: one.resource.resource,
    title: one.resource.title,
  }));
  if (pick === undefined)
    return { sources, from: null, filters: [], records: [], total: 0, currentPage, pageSize };
  const source = openSource(call, pick.resource.resource);
  const filters = filtersOf(call, source, pick);
  const asked = { call, source, pick, list, filters, form };
  const { rows, total } = await findRows(asked);
  const records = await shownLines(asked, rows);
  return { sources, from: pick.name, filters, records, total, currentPage, pageSize };
}

interface Picking {
  readonly call: Call;
  readonly source: Call;
  readonly pick: PickSource;
  readonly list: Field;
  readonly filters: PickAnswer['filters'];
  readonly form: PickForm;
}

/** A line of a source by its head; the line is null where the whole record gives one. */
interface PickRow {
  readonly id: string;
  readonly line: string | null;
}

function requireList(call: Call, name: string): Field {
  const { fields } = call.resource;
  const list = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (list?.type !== 'lines' || !canSee(call.access, name))
    throw new AppError('UNKNOWN_FIELD', { params: { field: name.slice(0, 60) } });
  if (!isPicker(call, name)) throw new AppError('FORBIDDEN');
  return list;
}

function mayRead(call: Call, { resource }: PickSource): boolean {
  try {
    openSource(call, resource.resource);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORBIDDEN') return false;
    throw error;
  }
}

/** Parties and kinds that both documents have: by these the lines may be narrowed. */
function filtersOf(call: Call, source: Call, { make }: PickSource): PickAnswer['filters'] {
  const same = Array.isArray(make.same) ? make.same : [];
  return same.flatMap((name) => {
    const field = call.resource.fields[name];
    const theirs = source.resource.fields[name];
    const isKind = field?.type === 'reference' || field?.type === 'dictionary';
    if (!isKind || theirs?.type !== field.type || field.standard) return [];
    if (!canSee(call.access, name) || !canSee(source.access, name)) return [];
    return [{ name, title: field.title }];
  });
}

async function findRows(
  picking: Picking,
): Promise<{ readonly rows: readonly PickRow[]; readonly total: number }> {
  const { call, source, pick, form } = picking;
  const { db } = call.services;
  const where = new PickWhere(source, pick);
  await narrow(where, picking);
  where.conditions.push(plannedAnew(where.values));
  const { currentPage = 1, pageSize = PAGE } = form;
  const countText = `select count(*)::int as n from (select 1 from ${where.from} where ${where.where} limit ${COUNT_CAP}) c`;
  const counting = db.query(countText, where.values, statementName(countText));
  const values = [...where.values];
  const line = pick.of === null ? 'null' : 'l.id';
  const order = pick.of === null ? 't.id desc' : 't.id desc, l.line_order';
  const text = `select t.id, ${line} as line from ${where.from} where ${where.where} order by ${order} limit ${bind(values, pageSize)}::int offset ${bind(values, (currentPage - 1) * pageSize)}::int`;
  const [rows, counted] = await Promise.all([db.query(text, values, statementName(text)), counting]);
  return {
    rows: rows.map((row) => ({
      id: String(row['id']),
      line: typeof row['line'] === 'string' ? row['line'] : null,
    })),
    total: Number(counted[0]?.['n'] ?? 0),
  };
}

async function narrow(where: PickWhere, { call, pick, list, filters, form }: Picking): Promise<void> {
  const head = formRecord(call, form.record);
  const { make } = pick;
  const map = make.to === call.resource.resource ? make.lines?.[list.name]?.map : make.map;
  const scope = { ...recordScope(call, {}), parent: head, lines: list.name };
  where.references(list, map ?? {}, scope);
  for (const { name } of filters) {
    const value: unknown = Reflect.get(form.filters ?? {}, name);
    if (typeof value === 'string' && value !== '') where.head({ [name]: { eq: value } });
  }
  where.except((form.except ?? []).filter(isRecordId));
  const keyword = form.keyword?.trim() ?? '';
  if (keyword !== '') where.search(keyword);
}

/** The found lines as they would stand in the form: filled, computed, and through the reader's eyes. */
async function shownLines(
  { call, source, pick, list, filters, form }: Picking,
  rows: readonly PickRow[],
): Promise<PickAnswer['records']> {
  if (rows.length === 0) return [];
  const { db } = call.services;
  const records = await readSources(db, source, [...new Set(rows.map(({ id }) => id))], false);
  const byId = new Map(records.map((record) => [String(record['id']), record]));
  const isWhole = pick.make.to.includes('.');
  const closed = closedValues(source, pick.make, isWhole ? null : list.name);
  const given = new Map<string, ReadonlyMap<string | null, OpenRecord>>();
  for (const record of records) {
    const asked = { key: pick.key, make: pick.make, record, name: list.name };
    given.set(String(record['id']), (await linesGiven(db, source, asked)).lines);
  }
  const made = rows.flatMap(({ id, line }): readonly MadeLine[] => {
    const values = given.get(id)?.get(line);
    if (values === undefined) return [];
    const from = { resource: pick.resource.resource, id, make: pick.key, line };
    return [
      { from, values: Object.fromEntries(Object.entries(values).filter(([column]) => !closed.has(column))) },
    ];
  });
  const lines = await filledLines(call, { list, made, head: formRecord(call, form.record) });
  return made.map(({ from }, index) => ({
    id: from.line ?? from.id,
    source: {
      resource: from.resource,
      id: from.id,
      label: canSee(source.access, source.resource.label)
        ? recordLabel(source.resource, byId.get(from.id) ?? {})
        : '',
    },
    head: headOf(filters, byId.get(from.id) ?? {}),
    line: lines[index] ?? {},
  }));
}

function headOf(filters: PickAnswer['filters'], record: OpenRecord): PickAnswer['records'][number]['head'] {
  return Object.fromEntries(
    filters.flatMap(({ name }) => {
      const value = record[name];
      const labels = record['_labels'];
      const label: unknown = typeof labels === 'object' && labels !== null ? Reflect.get(labels, name) : null;
      return typeof value === 'string'
        ? [[name, { value, label: typeof label === 'string' ? label : '' }]]
        : [];
    }),
  );
}

async function filledLines(
  call: Call,
  {
    list,
    made,
    head,
  }: { readonly list: Field; readonly made: readonly MadeLine[]; readonly head: OpenRecord },
): Promise<readonly OpenRecord[]> {
  const open = Object.fromEntries(
    Object.entries(head).filter(([name]) => call.resource.fields[name]?.computed === false),
  );
  const body = { ...open, [list.name]: made.map(() => ({})) };
  const { record } = await prepareNew(call.services.db, call, body, {
    head: {},
    lines: { [list.name]: made },
  });
  const { closed } = await attachReferences(call.services.db, {
    catalog: call.catalog,
    resource: call.resource,
    records: [record],
    access: call.access,
    withPaths: true,
    withLabels: true,
    company: call.caller.subject.co_code,
    reader: call,
  });
  return linesOf(shownRecord(call, record, closed)[list.name]);
}
