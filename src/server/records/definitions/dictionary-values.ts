import type { Catalog, Dictionary, Field, Resource } from '#engine/schema/resource.ts';
import { quoteName } from '#server/records/call/statement.ts';
import type { Services } from '#server/records/services.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';

/** How long the values of a dictionary that a resource fills are remembered. */
const REMEMBERED_MS = 10_000;
/** A dictionary is for choosing from; more rows than this belong into a reference field. */
const MAX_ITEMS = 5_000;

/** Names of the dictionaries a resource shows, its states' included where they have one. */
export function usedDictionaries(resource: Resource): readonly string[] {
  const names = new Set<string>();
  const collect = (fields: Readonly<Record<string, Field>>): void => {
    for (const field of Object.values(fields)) {
      if (field.dictionary !== undefined) names.add(field.dictionary);
      if (field.fields !== undefined) collect(field.fields);
    }
  };
  collect(resource.fields);
  for (const action of Object.values(resource.lifecycle?.actions ?? {}))
    for (const input of Object.values(action.inputs ?? {}))
      if (input.dictionary !== undefined) names.add(input.dictionary);
  return [...names].sort();
}

/** Dictionaries by name, those that a resource fills with their rows. */
export async function loadDictionaries(
  services: Pick<Services, 'db'>,
  catalog: Catalog,
  names: readonly string[],
): Promise<Readonly<Record<string, Dictionary>>> {
  const loaded = await Promise.all(
    names.flatMap((name) => {
      const dictionary = Object.hasOwn(catalog.dictionaries, name) ? catalog.dictionaries[name] : undefined;
      return dictionary === undefined ? [] : [fillDictionary(services, catalog, dictionary)];
    }),
  );
  return Object.fromEntries(loaded.map((dictionary) => [dictionary.name, dictionary]));
}

const remembered = new WeakMap<Dictionary, { readonly atMs: number; readonly filled: Promise<Dictionary> }>();

function fillDictionary(
  services: Pick<Services, 'db'>,
  catalog: Catalog,
  dictionary: Dictionary,
): Promise<Dictionary> {
  const { from } = dictionary;
  const resource = from === undefined ? undefined : catalog.resources[from.resource];
  if (from === undefined || resource === undefined) return Promise.resolve(dictionary);
  const known = remembered.get(dictionary);
  if (known !== undefined && Date.now() - known.atMs < REMEMBERED_MS) return known.filled;
  const filled = readRows(services, { dictionary, resource });
  remembered.set(dictionary, { atMs: Date.now(), filled });
  filled.catch(() => remembered.delete(dictionary));
  return filled;
}

async function readRows(
  { db }: Pick<Services, 'db'>,
  { dictionary, resource }: { readonly dictionary: Dictionary; readonly resource: Resource },
): Promise<Dictionary> {
  const { from } = dictionary;
  const value = from?.value ?? '';
  const label = from?.label ?? resource.label;
  if (resource.fields[value] === undefined || resource.fields[label] === undefined) return dictionary;
  const status = resource.fields['status'] === undefined ? 'null' : 'status';
  const order = resource.fields['sort_no'] === undefined ? '' : 'sort_no nulls last, ';
  const rows = await db.query(
    `select distinct on (${order}${quoteName(value)}) ${quoteName(value)} as value, ${quoteName(label)} as label,
       ${status} as status from ${quoteName(resource.resource)}
     where is_deleted = false and ${quoteName(value)} is not null order by ${order}${quoteName(value)} limit ${MAX_ITEMS}`,
  );
  const items = rows.map((row) => ({
    value: rowText(row, 'value'),
    label: rowTextOrNull(row, 'label') ?? rowText(row, 'value'),
    ...(row['status'] === 'disabled' ? { disabled: true } : {}),
  }));
  return { ...dictionary, items: items.length === 0 ? dictionary.items : items };
}
