import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { companyTime } from '#engine/values/dates.ts';
import type { Dictionaries } from '#web/fields/dictionary-context.ts';
import type { Names } from './former-names.ts';
import { currentSite } from '#web/data/site.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { fieldText, labelsOf } from '#web/fields/field-text.ts';
import type { ValueLabel } from '#web/fields/field-view.ts';

/** One audit row as GET /data/{resource}/{id}/history tells it. */
export interface HistoryRow {
  readonly id: string;
  readonly at: string;
  readonly person_name: string | null;
  readonly for_sales_name?: string | null;
  readonly on_behalf_name?: string | null;
  readonly action: string;
  readonly action_title?: string;
  readonly from_status: string | null;
  readonly to_status: string | null;
  readonly opinion: string | null;
  readonly changes: readonly {
    readonly field: string;
    readonly title: string;
    readonly old?: unknown;
    readonly new?: unknown;
  }[];
}

/** Who did it: of the house customers know the company alone, to others it is what nobody did by hand. */
export function actorName({ person_name }: Pick<HistoryRow, 'person_name'>): string {
  return person_name ?? (storedPerson()?.kind === 'partner' ? currentSite().coName : '系统');
}

/** An instant as the company's clock shows it: 2026-11-20 14:05. */
export function shownTime(at: string): string {
  return companyTime(at);
}

/** What was changed, in words: which line, which field, and both values as the pages show them. */
export interface ShownChange {
  readonly key: string;
  readonly place: string;
  readonly before: string;
  readonly after: string;
  /** Nobody wrote it: it follows from what was. */
  readonly isDerived: boolean;
}

/**
 * The changes of one entry in words. Values are shown as everywhere else: options and dictionaries by their names,
 * amounts with separators, records by what they are called now where the record at hand still names them. A line that came
 * or went is told by its filled cells.
 */
export function shownChanges(
  row: Pick<HistoryRow, 'changes'>,
  shown: {
    readonly resource: Resource;
    readonly record: ErpRecord;
    readonly dictionaries: Dictionaries;
    readonly names: Names;
  },
): readonly ShownChange[] {
  return row.changes.flatMap((change) => {
    const [name = '', lineId, column] = change.field.split('.');
    const field = shown.resource.fields[name];
    if (field?.type !== 'lines' || lineId === undefined)
      return [textsOf(change, { place: change.title, field, at: shown, owner: shown.record })];
    const lines = linesOf(shown.record, name);
    const index = lines.findIndex(({ id }) => id === lineId);
    const line = lines[index];
    const place = `${field.title}${index < 0 ? '（已删除的行）' : `第${index + 1}行`}`;
    if (column === undefined)
      return [{ key: change.field, place, before: lineText(field, change.old, { ...shown, line }), after: lineText(field, change.new, { ...shown, line }), isDerived: false }]; // prettier-ignore
    const cell = field.fields?.[column];
    return [
      textsOf(change, {
        place: `${place} ${cell?.title ?? change.title}`,
        field: cell,
        at: shown,
        owner: line,
      }),
    ];
  });
}

interface ChangePlace {
  readonly place: string;
  readonly field: Field | undefined;
  readonly at: { readonly dictionaries: Dictionaries; readonly names: Names };
  /** The record or line that has the value now, and its name. */
  readonly owner: ErpRecord | undefined;
}

function textsOf(
  { field: key, old, new: now }: HistoryRow['changes'][number],
  place: ChangePlace,
): ShownChange {
  const { field, at, owner = {} } = place;
  const textOf = (value: unknown): string => valueText(field, value, { ...at, owner });
  return {
    ...{ key, place: place.place, before: textOf(old), after: textOf(now) },
    isDerived: field?.computed === true,
  };
}

function lineText(
  lines: Field,
  value: unknown,
  at: { readonly dictionaries: Dictionaries; readonly names: Names; readonly line: ErpRecord | undefined },
): string {
  if (!isRecord(value)) return EMPTY;
  const cells = Object.values(lines.fields ?? {}).filter(
    ({ name, type }) => !isEmptyValue(value[name]) && type !== 'json',
  );
  const texts = cells.map((cell) => `${cell.title} ${valueText(cell, value[cell.name], { ...at, owner: at.line ?? {} })}`); // prettier-ignore
  return texts.length === 0 ? '（空行）' : texts.join('，');
}

function valueText(
  field: Field | undefined,
  value: unknown,
  {
    dictionaries,
    names,
    owner,
  }: { readonly dictionaries: Dictionaries; readonly names: Names; readonly owner: ErpRecord },
): string {
  if (isEmptyValue(value)) return EMPTY;
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (field === undefined) return changeText(value);
  // A name belongs to the value that the record has now; what it had before is told by its own.
  const label: ValueLabel = owner[field.name] === value ? labelsOf(owner)[field.name] : null;
  switch (field.type) {
    case 'reference': {
      const text =
        (typeof value === 'string' ? names.get(value) : null) ?? fieldText(field, value, label, dictionaries);
      return /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(text) ? '（另一条记录）' : text;
    }
    case 'richtext':
      return String(value)
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 200);
    case 'attachment':
      return Array.isArray(value) ? `${value.length} 个附件` : '附件';
    case 'json':
    case 'lines':
      return '（已更改）';
    case 'secret':
      return '••••';
    case 'datetime':
      return companyTime(String(value));
    default:
      return fieldText(field, value, label, dictionaries);
  }
}

/** A value of a change in one line of text, where its field is not at hand; never as JSON. */
export function changeText(value: unknown): string {
  if (isEmptyValue(value)) return EMPTY;
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (Array.isArray(value)) return value.map(changeText).join('、');
  if (!isRecord(value)) return String(value);
  const texts = Object.values(value).filter((each) => typeof each === 'string' || typeof each === 'number');
  return texts.length === 0 ? '（已更改）' : texts.map(String).join('，');
}

function isRecord(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const EMPTY = '（空）';
