import type { Catalog, Field, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { isStored, linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { bind, quoteName, statementName, type Tx } from '#server/records/call/statement.ts';
import { readableAmong } from '#server/records/follow/check-blockers.ts';
import type { OtherRecord } from '#server/records/follow/find-others.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import { refuseProblems } from '#server/records/rules/run-rules.ts';
import { lineFieldsOf } from './write-rows.ts';

/** So many of the records that name a line are shown. */
const MAX_NAMED = 20;

/**
 * Refuses that somebody takes out lines which other records name: a line drawn on stays (vocabulary, section 8), in a save,
 * a change after approval and an amendment. Dead records hold none; drafts follow what they were made of, or are asked when
 * they are handed in; of base data (a bank account of a supplier) those that are through hold none either.
 */
export async function refuseUsedLines(
  tx: Tx,
  call: Call,
  change: { readonly before: OpenRecord; readonly after: OpenRecord },
): Promise<void> {
  for (const field of lineFieldsOf(call.resource)) {
    const gone = goneLines(field, change);
    if (gone.size === 0) continue;
    const naming = namingFields(call.catalog, call.resource, field);
    if (naming.length === 0) continue;
    refuseProblems(await usesOf(tx, call, { field, naming, gone, before: change.before }), 'RULE_REFUSED');
  }
}

/** The ids of the lines that go, with their places. */
function goneLines(
  { name }: Field,
  { before, after }: { readonly before: OpenRecord; readonly after: OpenRecord },
): ReadonlyMap<string, number> {
  const kept = new Set(linesOf(after[name]).map((line) => line['id']));
  return new Map(
    linesOf(before[name]).flatMap((line, index) =>
      kept.has(line['id']) ? [] : [[String(line['id']), index] as const],
    ),
  );
}

/** A field that names a line, in the head or the lines of its resource. */
interface NamingField {
  readonly owner: Resource;
  readonly lines: string | null;
  readonly field: Field;
}

/** Those that somebody filled in: what is looked for or worked out takes another line by itself. */
function namingFields(
  { resources }: Catalog,
  { resource }: Resource,
  { name }: Field,
): readonly NamingField[] {
  const to = `${resource}.${name}`;
  const names = (field: Field): boolean =>
    field.type === 'reference' &&
    field.to === to &&
    field.find === undefined &&
    field.formula === undefined &&
    field.stored !== false;
  return Object.values(resources)
    .filter((owner) => owner.kind !== 'view' && isStored(owner))
    .flatMap((owner) =>
      Object.values(owner.fields).flatMap((field): readonly NamingField[] => [
        ...(names(field) ? [{ owner, lines: null, field }] : []),
        ...Object.values(field.fields ?? {})
          .filter(names)
          .map((cell) => ({ owner, lines: field.name, field: cell })),
      ]),
    );
}

async function usesOf(
  tx: Tx,
  call: Call,
  asked: {
    readonly field: Field;
    readonly naming: readonly NamingField[];
    readonly gone: ReadonlyMap<string, number>;
    readonly before: OpenRecord;
  },
): Promise<readonly FieldProblem[]> {
  const { field, naming, gone, before } = asked;
  const values: unknown[] = [[...gone.keys()], before['id'], before['co_code'] ?? null];
  const parts = naming.map((one) => useOf(call, one, values));
  const text = `select resource, id::text as id, label, line::text as line from (${parts.join(' union all ')}) x order by resource, label, id limit ${MAX_NAMED}`;
  const rows = await tx.query<{ resource: string; id: string; label: string | null; line: string }>(
    text,
    values,
    statementName(text),
  );
  const problems: FieldProblem[] = [];
  for (const line of new Set(rows.map((row) => row.line).filter((id) => gone.has(id)))) {
    const records = rows
      .filter((row) => row.line === line)
      .map(({ resource, id, label }): OtherRecord => ({ resource, id, label: label ?? '' }));
    const titles = new Set(records.map(({ resource }) => call.catalog.resources[resource]?.title ?? ''));
    problems.push({
      path: `${field.name}.${gone.get(line) ?? 0}`,
      code: 'blocked',
      message: `第${(gone.get(line) ?? 0) + 1}行已被${[...titles].join('、')}引用，不能删除`,
      detail: { count: records.length, records: await readableAmong(tx, call, records) },
    });
  }
  return problems;
}

/** The live records whose field names one of the lines `$1`, but for the record `$2` itself. */
function useOf({ catalog, resource }: Call, { owner, lines, field }: NamingField, values: unknown[]): string {
  const groups = owner.lifecycle?.groups ?? {};
  const over = [
    ...(groups[resource.kind === 'document' ? 'dead' : 'final'] ?? groups['dead'] ?? []),
    ...draftsOf(owner),
  ];
  const column = `${lines === null ? 'h' : 't'}.${quoteName(field.name)}`;
  const line = field.multiple === true ? `unnest(${column})` : column;
  const from =
    lines === null
      ? `${tableOf(owner)} h`
      : `${linesTableOf(owner, lines)} t join ${tableOf(owner)} h on h.id = t.parent_id`;
  const isScoped = owner.scope === 'company';
  const conditions = [
    field.multiple === true ? `${column} && $1::uuid[]` : `${column} = any($1::uuid[])`,
    'h.id <> $2::uuid',
    'not h.is_deleted',
    // Read in any case: a value that no part reads has no type.
    isScoped ? '($3::text is null or h.co_code = $3::text)' : '($3::text is null or true)',
    ...(over.length === 0 ? [] : [`not (h.status = any(${bind(values, over)}::text[]))`]),
  ];
  return `select '${owner.resource}'::text as resource, h.id, (${labelExpression(catalog, owner.resource, 'h')})::text as label, ${line} as line from ${from} where ${conditions.join(' and ')}`;
}

/** The state in which a document is still written. */
function draftsOf({ lifecycle }: Resource): readonly string[] {
  const first = lifecycle?.states[lifecycle.initial];
  return lifecycle !== undefined && first?.edit === '*' ? [lifecycle.initial] : [];
}
