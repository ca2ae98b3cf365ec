import type { Catalog, Dictionary, Field, Resource, Subject } from '#engine/schema/resource.ts';

/** Labels of a dictionary's values; empty when the dictionary is filled from a resource. */
export function dictionaryLabels(catalog: Catalog, field: Field): ReadonlyMap<string, string> {
  if (field.options !== undefined) {
    const known = optionLabels.get(field.options);
    if (known !== undefined) return known;
    const labels = new Map(Object.entries(field.options));
    optionLabels.set(field.options, labels);
    return labels;
  }
  const dictionary = field.dictionary === undefined ? undefined : catalog.dictionaries[field.dictionary];
  if (dictionary === undefined) return NO_LABELS;
  const known = dictionaryTexts.get(dictionary);
  if (known !== undefined) return known;
  const labels = new Map(dictionary.items.map((item) => [item.value, item.label]));
  dictionaryTexts.set(dictionary, labels);
  return labels;
}

/** Where a dictionary's texts come from when its file lists none: `currency@code`. */
export function dictionarySource(catalog: Catalog, field: Field): string | null {
  const from = field.dictionary === undefined ? undefined : catalog.dictionaries[field.dictionary]?.from;
  return from === undefined ? null : `${from.resource}@${from.value}`;
}

/** Whether the rows that fill a dictionary are offered: those of a company to its own people, not to its customers. */
export function isOfferedTo({ kind }: Pick<Subject, 'kind'>, { scope }: Pick<Resource, 'scope'>): boolean {
  return scope !== 'company' || kind !== 'partner';
}

const NO_LABELS: ReadonlyMap<string, string> = new Map();
const optionLabels = new WeakMap<object, ReadonlyMap<string, string>>();
const dictionaryTexts = new WeakMap<Dictionary, ReadonlyMap<string, string>>();
