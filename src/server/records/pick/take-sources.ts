import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { MakeDefinition } from '#engine/schema/effects-definition.ts';
import type { FieldProblem, Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { lockRank } from '#server/records/call/lock-order.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { madeDocuments } from '#server/records/follow/find-made.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { closedValues } from './closed-values.ts';
import { type DocumentForm, documentForm } from './document-form.ts';
import type { LineSource, MadeLine, MadeValues } from './made-values.ts';
import type { DocumentSource, SentSource, SourcedBody } from './read-sources.ts';
import { offeredMake, openSource, readSources, sourceRefusal } from './source-record.ts';

/** What the sources of a body give, and which of its lines are open there no more. */
export interface TakenSources extends MadeValues {
  readonly form: DocumentForm | null;
  readonly problems: readonly FieldProblem[];
}

/**
 * Derives a body's document and lines from their sources anew: a form may be older than what it was filled from. The
 * sources are locked when the body is saved.
 * @throws FORBIDDEN, NOT_FOUND, ACTION_NOT_ALLOWED, VALIDATION, RULE_REFUSED over the document itself
 */
export async function takeSources(
  db: Reader,
  call: Call,
  { from, lines }: SourcedBody,
  isLocking: boolean,
): Promise<TakenSources> {
  const form = from === null ? null : await documentForm(db, call, { from, isLocking });
  const problems: FieldProblem[] = [];
  const made: Record<string, readonly (MadeLine | null)[]> = {};
  for (const [name, sent] of Object.entries(lines)) {
    for (const one of sent) if (one !== null) requireAllowed(call.resource, { name, sent: one, from });
    const open = await openLines(db, call, { name, sent, isLocking });
    made[name] = sent.map((one) => {
      const found = one === null ? null : (open.get(keyOf(one.from)) ?? null);
      if (one !== null && (found === null || typeof found === 'string'))
        problems.push(closedLine(`${name}.${one.at}`, found));
      return one === null || found === null || typeof found === 'string'
        ? null
        : { from: one.from, values: found };
    });
  }
  return { form, head: form?.values ?? {}, lines: made, problems };
}

/** Lines come from what their field names, or from what the whole document is made of. */
function requireAllowed(
  resource: Resource,
  {
    name,
    sent,
    from,
  }: { readonly name: string; readonly sent: SentSource; readonly from: DocumentSource | null },
): void {
  const { from: line, at } = sent;
  const isPicked = resource.fields[name]?.from?.includes(`${line.resource}.${line.make}`) === true;
  const isOfWhole = from?.resource === line.resource && from.make === line.make && from.ids.includes(line.id);
  if (isPicked || isOfWhole) return;
  const message = '该明细不能从此处选取';
  throw new AppError('VALIDATION', {
    message,
    problems: [{ path: `${name}.${at}._from`, code: 'source', message }],
  });
}

function closedLine(path: string, reason: string | null): FieldProblem {
  return { path, code: 'source_closed', message: reason ?? '来源行已不能选取，请重新选取' };
}

/** By source line: the values that it gives, or why it gives none. */
async function openLines(
  db: Reader,
  call: Call,
  {
    name,
    sent,
    isLocking,
  }: { readonly name: string; readonly sent: readonly (SentSource | null)[]; readonly isLocking: boolean },
): Promise<ReadonlyMap<string, OpenRecord | string>> {
  const found = new Map<string, OpenRecord | string>();
  const wanted = sent.flatMap((one) => (one === null ? [] : [one.from]));
  const groups = new Set(wanted.map(({ resource, make }) => `${resource}.${make}`));
  for (const group of inLockOrder(call, [...groups])) {
    const [key = '', makeKey = ''] = group.split('.');
    const ids = wanted.filter((one) => `${one.resource}.${one.make}` === group).map(({ id }) => id);
    const source = openSource(call, key);
    const make = source.resource.makes[makeKey];
    if (make === undefined) continue;
    for (const record of await readSources(db, source, [...new Set(ids)], isLocking)) {
      const given = await linesGiven(db, source, { key: makeKey, make, record, name });
      const closed = isLocking ? NOTHING : closedValues(source, make, make.to.includes('.') ? null : name);
      for (const one of wanted.filter(({ id, make: by }) => id === record['id'] && by === makeKey)) {
        const line = given.reason ?? given.lines.get(one.line);
        if (line === undefined) found.set(keyOf(one), notOpen(source, make, record));
        else found.set(keyOf(one), typeof line === 'string' ? line : without(line, closed));
      }
    }
  }
  return found;
}

const NOTHING: ReadonlySet<string> = new Set();

function inLockOrder(call: Call, groups: readonly string[]): readonly string[] {
  const rank = (group: string): number => lockRank(call.catalog, group.split('.')[0] ?? '');
  return groups.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function notOpen(source: Call, make: MakeDefinition, record: OpenRecord): string {
  return make.empty ?? `${source.resource.title}${recordLabel(source.resource, record)}的该行已不能选取`;
}

interface GivenLines {
  readonly lines: ReadonlyMap<string | null, OpenRecord>;
  /** Why the record gives none. */
  readonly reason: string | null;
}

/** The lines that a make gives of a record, for a list of the target: by the line that they come from. */
export async function linesGiven(
  db: Reader,
  source: Call,
  {
    key,
    make,
    record,
    name,
  }: {
    readonly key: string;
    readonly make: MakeDefinition;
    readonly record: OpenRecord;
    readonly name: string;
  },
): Promise<GivenLines> {
  const offered = offeredMake(source.resource, key) ?? { action: null };
  const reason = sourceRefusal(source, offered, { record, isAsked: false });
  const scope = recordScope(source, record);
  const isClosed = make.each === undefined && make.when !== undefined && !matchesFilter(make.when, scope);
  const label = recordLabel(source.resource, record);
  if (reason !== null || isClosed)
    return { lines: new Map(), reason: `${source.resource.title}${label}：${reason ?? '现在不能选取'}` };
  const lines = new Map<string | null, OpenRecord>();
  const { empty: _empty, ...open } = make;
  for (const draft of await madeDocuments(db, source, open, scope))
    if (make.to.includes('.')) lines.set(draft.line, draft.values);
    else
      for (const [place, line] of linesOf(draft.values[name]).entries())
        lines.set(draft.lineSources[name]?.[place] ?? null, line);
  return { lines, reason: null };
}

function keyOf({ resource, id, make, line }: LineSource): string {
  return [resource, id, make, line ?? ''].join('|');
}

function without(values: OpenRecord, names: ReadonlySet<string>): OpenRecord {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
}
