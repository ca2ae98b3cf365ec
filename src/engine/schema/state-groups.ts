import type { StateNames } from './effects-definition.ts';

/** Lists of states by name. */
export type Groups = Readonly<Record<string, readonly string[]>>;

/** States with groups (`@counts`) written out, each once; an unknown group stands for nothing (the lint reports it). */
export function statesOf(names: StateNames | undefined, groups: Groups | undefined): readonly string[] {
  const list = names === undefined ? [] : typeof names === 'string' ? [names] : names;
  return [...new Set(list.flatMap((name) => (name.startsWith('@') ? groupOf(name, groups) : [name])))];
}

/** Values of a filter with the groups of their field written out. */
export function withGroups(values: readonly unknown[], groups: Groups | undefined): readonly unknown[] {
  return values.flatMap((value): readonly unknown[] => (isGroup(value) ? groupOf(value, groups) : [value]));
}

/** True for `@counts`. */
export function isGroup(value: unknown): value is string {
  return typeof value === 'string' && /^@[a-z][a-z0-9_]*$/.test(value);
}

function groupOf(name: string, groups: Groups | undefined): readonly string[] {
  const key = name.slice(1);
  return groups !== undefined && Object.hasOwn(groups, key) ? (groups[key] ?? []) : [];
}
