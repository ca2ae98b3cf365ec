import { canSee } from '#engine/access/resource-access.ts';
import type { Field } from '#engine/schema/resource.ts';
import { AMENDED_VALUES, amendedWords, isAmendedLines } from './amended-words.ts';
import type { AttachRequest } from './attach-references.ts';
import { dictionaryLabels, dictionarySource } from './dictionary-labels.ts';
import { isSpokenOfNames, namedTexts } from './named-choices.ts';
import { isNear } from './near-rows.ts';
import { type ReferenceBook, type ReferenceRow, targetOf } from './reference-book.ts';
import type { Holder, HolderLinks } from './reference-holders.ts';
import { type Eyes, isPicker } from './reader-eyes.ts';

interface LabelSources {
  readonly request: AttachRequest;
  readonly book: ReferenceBook;
  readonly companies: readonly string[];
  /** What the reader sees of a target; null for everything. */
  readonly eyesOf: (target: string) => Eyes | null;
}

/** Puts `_labels` on heads and lines; how a field is put into words is found once for all that have it. */
export function putLabels(holders: readonly Holder[], sources: LabelSources): void {
  const known = new Map<HolderLinks, readonly Wording[]>();
  for (const holder of holders) {
    const wordings = known.get(holder.links) ?? wordingsOf(holder, sources);
    known.set(holder.links, wordings);
    const labels: Record<string, unknown> = {};
    for (const { name, textFor } of wordings) {
      const value = holder.record[name];
      if (value === null || value === undefined) continue;
      const text = typeof textFor === 'function' ? textFor(holder) : textFor.text;
      const label = Array.isArray(value) ? value.map(text) : text(value);
      if (label !== null) labels[name] = label;
    }
    holder.record['_labels'] = labels;
  }
}

/** Null where a value reads as it is. */
type Text = (value: unknown) => string | null;

interface Wording {
  readonly name: string;
  /** The same for all that have the field, or as the record says. */
  readonly textFor: { readonly text: Text } | ((holder: Holder) => Text);
}

/** How the fields of some heads, or of lines of one name, are put into words; without those that are hidden. */
function wordingsOf({ links, prefix }: Holder, sources: LabelSources): readonly Wording[] {
  const { reader, access } = sources.request;
  const fields = links.worded.flatMap((field): readonly Wording[] => {
    const { name } = field;
    if (access !== undefined && !canSee(access, `${prefix}${name}`)) return [];
    if (isSpokenOfNames(field)) {
      // Names are put into words for people only.
      if (reader === undefined) return [];
      return [{ name, textFor: ({ record, head }) => namedTexts(reader, field, head ?? record) }];
    }
    if (field.type !== 'reference') return [{ name, textFor: { text: dictionaryText(field, sources) } }];
    const path = `${prefix}${name}`;
    if (typeof field.to === 'string')
      return [{ name, textFor: { text: referenceText(field, { path, target: field.to }, sources) } }];
    const byTarget = new Map<string, Text>();
    return [
      {
        name,
        textFor: ({ record }) => {
          const target = targetOf(field, record) ?? '';
          const text = byTarget.get(target) ?? referenceText(field, { path, target }, sources);
          byTarget.set(target, text);
          return text;
        },
      },
    ];
  });
  return [...fields, ...amendedWordings(prefix, sources)];
}

/** The values in the lines of an amendment, for people. */
function amendedWordings(prefix: string, { request }: LabelSources): readonly Wording[] {
  const { reader, access, resource } = request;
  if (reader === undefined || !isAmendedLines(resource, prefix)) return [];
  return AMENDED_VALUES.filter((name) => access === undefined || canSee(access, `${prefix}${name}`)).map(
    (name) => ({ name, textFor: (holder) => (value) => amendedWords(holder.record, value, request) }),
  );
}

/** The label of a loaded row, where the reader may read it or picks such rows into the field. */
function referenceText(
  field: Field,
  { path, target }: { readonly path: string; readonly target: string },
  { request: { reader }, book, companies, eyesOf }: LabelSources,
): Text {
  const eyes = eyesOf(target);
  const isGranted =
    eyes === null || reader === undefined || eyes.seesLabel || (!eyes.mayRead && isPicker(reader, path));
  const isShown = (row: ReferenceRow): boolean => isGranted && row.isOpen && isNear(row, field, companies);
  const rows = book.get(target);
  return (value) => {
    const row = rows?.get(String(value));
    return row !== undefined && isShown(row) ? (row.label ?? '') : '';
  };
}

function dictionaryText(field: Field, { request: { catalog }, book }: LabelSources): Text {
  const labels = dictionaryLabels(catalog, field);
  const source = dictionarySource(catalog, field);
  const rows = source === null ? undefined : book.get(source);
  const column = catalog.dictionaries[field.dictionary ?? '']?.from?.label;
  return (value) => {
    const row = rows?.get(String(value));
    const loaded = column === undefined ? row?.label : row?.values[column];
    return typeof loaded === 'string' ? loaded : (labels.get(String(value)) ?? String(value));
  };
}
