import type { Catalog, Field } from './resource.ts';
import type { EventDefinition } from './setup-files.ts';

/** Placeholders that every notice can fill. */
export const GENERAL_WORDS: readonly string[] = ['no', 'name', 'title', 'amount', 'person', 'opinion'];

const NO_TEXT: ReadonlySet<string> = new Set(['lines', 'secret', 'json', 'richtext', 'attachment']);

/** The placeholders of a template, in order: `{no}：{amount}` gives no, amount. */
export function wordsIn(template: string): readonly string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, word = '']) => word);
}

/** True when a brace is left over that opens or closes no placeholder. */
export function hasOpenBrace(template: string): boolean {
  return /[{}]/.test(template.replace(/\{[^{}]*\}/g, ''));
}

/** The resources of whose records an event tells: those whose actions name it, and those that its entry names. */
export function resourcesOfEvent(
  catalog: Pick<Catalog, 'resources'>,
  code: string,
  event: EventDefinition | undefined,
): readonly string[] {
  const sending = Object.values(catalog.resources).filter(({ lifecycle }) =>
    Object.values(lifecycle?.actions ?? {}).some((action) =>
      [action.event, action.refused, action.approval?.event].includes(code),
    ),
  );
  const about = (event?.about ?? []).filter((key) => Object.hasOwn(catalog.resources, key));
  return [...new Set([...sending.map(({ resource }) => resource), ...about])];
}

/**
 * Fields that a template of an event may name, beside the general words: those that every resource of the event has and
 * that are text in a message. `titles` says how they are called.
 */
export function eventFields(
  catalog: Pick<Catalog, 'resources'>,
  keys: readonly string[],
): ReadonlyMap<string, Field> {
  const [first, ...others] = keys.flatMap((key) => catalog.resources[key] ?? []);
  const common = Object.values(first?.fields ?? {}).filter(
    (field) =>
      !NO_TEXT.has(field.type) &&
      field.name !== 'id' &&
      others.every((other) => other.fields[field.name]?.type === field.type),
  );
  return new Map(common.map((field) => [field.name, field]));
}
