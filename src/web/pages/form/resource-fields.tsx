import type { ReactNode } from 'react';
import { type Dictionaries, DictionaryContext } from '#web/fields/dictionary-context.ts';

/** Gives the field views of a page the dictionaries that came with its resource. */
export function ResourceFields({
  dictionaries,
  children,
}: {
  readonly dictionaries: Dictionaries;
  readonly children: ReactNode;
}) {
  return <DictionaryContext value={dictionaries}>{children}</DictionaryContext>;
}
