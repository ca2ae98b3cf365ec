import { recordTitle } from '#engine/schema/record-title.ts';
import type { OfferedMake } from '#engine/schema/offered-makes.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { liveTargets } from '#server/records/follow/document-chain.ts';
import { type DraftDocument } from '#server/records/follow/make-documents.ts';
import { madeDocuments } from '#server/records/follow/find-made.ts';
import { labelKey, visibleLabels } from '#server/records/ledger/visible-labels.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { closedValues } from './closed-values.ts';
import { draftName } from './draft-name.ts';
import { type LineSource, madeLine } from './made-values.ts';
import { mergeHeads } from './merge-heads.ts';
import type { DocumentSource } from './read-sources.ts';
import { offeredMake, openSource, readSources, sourceRefusal, unfitReason } from './source-record.ts';

/** A new document as a make of one or more records fills it. */
export interface DocumentForm {
  readonly source: Call;
  readonly offered: OfferedMake;
  readonly records: readonly OpenRecord[];
  /** Of each record what it gives. */
  readonly drafts: readonly DraftDocument[];
  /** The head, and its lists of lines. */
  readonly values: OpenRecord;
  /** Several documents could be made: which there are, the filled one first. */
  readonly choices: readonly DraftChoice[];
  /** What was made before of a source of which only one is. */
  readonly existing: MadeBefore | null;
}

interface DraftChoice {
  readonly line: string | null;
  readonly per: string | null;
  readonly label: string;
}

/** Without id and label where it may not be seen. */
interface MadeBefore {
  readonly resource: string;
  readonly id: string | null;
  readonly label: string | null;
}

interface FormRequest {
  readonly from: DocumentSource;
  /** The sources are locked: the form is being saved. */
  readonly isLocking: boolean;
}

/**
 * The values that a make gives a new document, of records that the caller may read and that are in a state for it. To look
 * at it comes without what the caller may not see of them; to save it with all.
 * @throws FORBIDDEN, NOT_FOUND, ACTION_NOT_ALLOWED, VALIDATION (no such make, several documents), RULE_REFUSED (`empty`)
 */
export async function documentForm(
  db: Reader,
  call: Call,
  { from, isLocking }: FormRequest,
): Promise<DocumentForm> {
  const source = openSource(call, from.resource);
  const offered = offeredMake(source.resource, from.make);
  if (offered === null || offered.make.to !== call.resource.resource)
    throw refusal(`${source.resource.title}不能这样生成${call.resource.title}`);
  const { action, make } = offered;
  if (action !== null && !source.access.operations.has(action.key)) throw new AppError('FORBIDDEN');
  const records = await readSources(db, source, from.ids, isLocking);
  const found: (readonly DraftDocument[])[] = [];
  for (const record of records) found.push(await draftsOf(db, source, offered, record));
  const chosen = found.map((drafts) => chooseDrafts(drafts, from));
  const choices = choicesOf(call.resource, source, { records, drafts: chosen[0] ?? [] });
  if (choices.length > 1 && (isLocking || records.length > 1))
    throw refusal(`可以生成多份${call.resource.title}，请选择其中一份`);
  const drafts = chosen.flatMap(([first]) => (first === undefined ? [] : [first]));
  const existing =
    make.once === true ? await madeBefore(db, call, { source, offered, records, drafts }) : null;
  if (existing !== null && isLocking)
    throw new AppError('RULE_REFUSED', {
      message: `已生成${call.resource.title}${existing.label ?? ''}，不能重复生成`,
    });
  const values = formValues(call, source, { offered, records, drafts, isShown: !isLocking });
  return { source, offered, records, drafts, values, choices, existing };
}

/** What one record gives; refused when it is in no state for it, or nothing is left. */
async function draftsOf(
  db: Reader,
  source: Call,
  offered: OfferedMake,
  record: OpenRecord,
): Promise<readonly DraftDocument[]> {
  const { make } = offered;
  const name = `${recordTitle(source.resource, record)}${recordLabel(source.resource, record)}`;
  const reason =
    sourceRefusal(source, offered, { record, isAsked: true }) ?? unfitReason(source, offered, record);
  if (reason !== null) throw new AppError('ACTION_NOT_ALLOWED', { message: `${name}：${reason}` });
  const drafts = await madeDocuments(db, source, make, recordScope(source, record));
  if (drafts.length > 0) return drafts;
  throw new AppError('RULE_REFUSED', { message: `${name}：没有可生成的内容` });
}

/** The first part of each document that is asked for. */
function chooseDrafts(
  drafts: readonly DraftDocument[],
  { line, per }: DocumentSource,
): readonly DraftDocument[] {
  const chosen = drafts.filter(
    (draft) => (line === null || draft.line === line) && (per === null || String(draft.per) === per),
  );
  const first = new Map<string, DraftDocument>();
  for (const draft of chosen) {
    const key = `${draft.line ?? ''}|${String(draft.per)}`;
    if (!first.has(key)) first.set(key, draft);
  }
  if (first.size === 0) throw refusal('所选的一份已不能生成，请重新打开');
  return [...first.values()];
}

function choicesOf(
  target: Resource,
  source: Call,
  { records, drafts }: { readonly records: readonly OpenRecord[]; readonly drafts: readonly DraftDocument[] },
): readonly DraftChoice[] {
  return drafts.map((draft) => ({
    line: draft.line,
    per: typeof draft.per === 'string' ? draft.per : null,
    label: draftName(source.resource, { record: records[0] ?? {}, draft }) || target.title,
  }));
}

async function madeBefore(
  db: Reader,
  call: Call,
  {
    source,
    offered,
    records,
    drafts,
  }: {
    readonly source: Call;
    readonly offered: OfferedMake;
    readonly records: readonly OpenRecord[];
    readonly drafts: readonly DraftDocument[];
  },
): Promise<MadeBefore | null> {
  const resource = call.resource.resource;
  for (const [index, record] of records.entries()) {
    const from = { resource: source.resource.resource, id: String(record['id']), make: offered.key };
    const line = drafts[index]?.line ?? null;
    const [made] = await liveTargets(db, call, { from, to: resource, line });
    if (made === undefined) continue;
    const { id } = made;
    const labels = await visibleLabels(db, call, [{ resource, id }]);
    const label = labels.get(labelKey(resource, id)) ?? null;
    return { resource, id: label === null ? null : id, label };
  }
  return null;
}

function formValues(
  call: Call,
  source: Call,
  {
    offered,
    records,
    drafts,
    isShown,
  }: {
    readonly offered: OfferedMake;
    readonly records: readonly OpenRecord[];
    readonly drafts: readonly DraftDocument[];
    readonly isShown: boolean;
  },
): OpenRecord {
  const { key, make } = offered;
  const lists = Object.keys(make.lines ?? {});
  const heads = drafts.map(({ values }) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !lists.includes(name))),
  );
  const head = mergeHeads(call.resource, source.resource, heads, make);
  const values: OpenRecord = isShown ? without(head, closedValues(source, make, null)) : head;
  for (const name of lists) {
    const closed = isShown ? closedValues(source, make, name) : NOTHING;
    values[name] = drafts.flatMap((draft, index) =>
      linesOf(draft.values[name]).map((line, place) => {
        const from: LineSource = {
          resource: source.resource.resource,
          id: String(records[index]?.['id']),
          make: key,
          line: draft.lineSources[name]?.[place] ?? null,
        };
        return madeLine({ from, values: without(line, closed) });
      }),
    );
  }
  return values;
}

const NOTHING: ReadonlySet<string> = new Set();

function without(values: OpenRecord, names: ReadonlySet<string>): OpenRecord {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
}

function refusal(message: string): AppError {
  return new AppError('VALIDATION', { message, problems: [{ path: '_from', code: 'source', message }] });
}
