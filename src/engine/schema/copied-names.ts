import type { MakeDefinition } from './effects-definition.ts';
import type { Field } from './resource.ts';

type Fields = Readonly<Record<string, Field>>;

/** The fields that `same` copies; `*`: all that a person could write and both have, but for `except`. */
export function copiedNames(
  { same, except = [] }: Pick<MakeDefinition, 'same' | 'except'>,
  { fields, own }: { readonly fields: Fields; readonly own: Fields },
): readonly string[] {
  if (same !== '*') return same ?? [];
  return Object.values(fields)
    .filter(
      ({ name, computed, type }) =>
        !computed && type !== 'attachment' && type !== 'secret' && own[name]?.type === type,
    )
    .map(({ name }) => name)
    .filter((name) => !except.includes(name));
}
