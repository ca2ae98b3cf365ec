import { createContext, useContext, useMemo } from 'react';
import type { Dictionary, Field } from '#engine/schema/resource.ts';
import { labelWithoutCode } from '#engine/values/label-without-code.ts';

export type Dictionaries = Readonly<Record<string, Dictionary>>;

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly isDisabled: boolean;
}

/** The dictionaries that came with the page's resource. */
export const DictionaryContext = createContext<Dictionaries>({});

/** The choices of a dictionary field or of one with `options`, in their order. */
export function useChoices(field: Field): readonly Choice[] {
  const dictionaries = useContext(DictionaryContext);
  return useMemo(() => choicesOf(field, dictionaries), [field, dictionaries]);
}

/** The choices of a field; none for a field that has no closed list. */
export function choicesOf(
  field: Pick<Field, 'options' | 'dictionary'>,
  dictionaries: Dictionaries,
): readonly Choice[] {
  if (field.options !== undefined)
    return Object.entries(field.options).map(([value, label]) => ({ value, label, isDisabled: false }));
  const dictionary = field.dictionary === undefined ? undefined : dictionaries[field.dictionary];
  return (dictionary?.items ?? []).map((item) => ({
    value: item.value,
    label: item.label,
    isDisabled: item.disabled === true,
  }));
}

/** The value that a typed or pasted text means: an exact value or label first, letter case ignored; null when none. */
export function choiceByText(choices: readonly Choice[], text: string): Choice | null {
  const wanted = text.trim().toLowerCase();
  const enabled = choices.filter((choice) => !choice.isDisabled);
  return (
    enabled.find((choice) => choice.value.toLowerCase() === wanted) ??
    enabled.find((choice) => choice.label.toLowerCase() === wanted) ??
    enabled.find((choice) => `${choice.value} ${choice.label}`.toLowerCase() === wanted) ??
    enabled.find((choice) => labelWithoutCode(choice)?.toLowerCase() === wanted) ??
    null
  );
}
