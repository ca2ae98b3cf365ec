import type { Dictionary, Field, Resource } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { quoteName, statementName } from '#server/records/call/statement.ts';
import { isOfferedTo } from '#server/records/read/dictionary-labels.ts';
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

/** Who asks for dictionaries, and of which definitions. */
type DictionaryReader = Pick<Call, 'services' | 'caller' | 'catalog'>;

/**
 * Dictionaries by name, those that a resource fills with their rows: of a resource by company those of the reader's own, and
 * none for customers, who are no part of it.
 */
export async function loadDictionaries(
  reader: DictionaryReader,
  names: readonly string[],
): Promise<Readonly<Record<string, Dictionary>>> {
  const { dictionaries } = reader.catalog;
  const loaded = await Promise.all(
    names.flatMap((name) => {
      const dictionary = Object.hasOwn(dictionaries, name) ? dictionaries[name] : undefined;
      return dictionary === undefined ? [] : [fillDictionary(reader, dictionary)];
    }),
  );
  return Object.fromEntries(loaded.map((dictionary) => [dictionary.name, dictionary]));
}

interface Filled {
  readonly atMs: number;
  readonly filled: Promise<Dictionary>;
}

/** By the company whose rows they are; `EVERY_COMPANY` where rows are not parted, or the reader sees all. */
const remembered = new WeakMap<Dictionary, Map<string, Filled>>();
const EVERY_COMPANY = '*';

function fillDictionary(reader: DictionaryReader, dictionary: Dictionary): Promise<Dictionary> {
  const { services, caller, catalog } = reader;
  const { from } = dictionary;
  const resource = from === undefined ? undefined : catalog.resources[from.resource];
  if (from === undefined || resource === undefined) return Promise.resolve(dictionary);
  if (!isOfferedTo(caller.subject, resource)) return Promise.resolve(dictionary);
  const isParted = resource.scope === 'company' && !caller.subject.super_permission;
  const company = isParted ? caller.subject.co_code : EVERY_COMPANY;
  const byCompany = remembered.get(dictionary) ?? new Map<string, Filled>();
  remembered.set(dictionary, byCompany);
  const known = byCompany.get(company);
  if (known !== undefined && Date.now() - known.atMs < REMEMBERED_MS) return known.filled;
  const filled = readRows(services, { dictionary, resource, company });
  byCompany.set(company, { atMs: Date.now(), filled });
  filled.catch(() => byCompany.delete(company));
  return filled;
}

async function readRows(
  { db }: Pick<Call['services'], 'db'>,
  asked: { readonly dictionary: Dictionary; readonly resource: Resource; readonly company: string },
): Promise<Dictionary> {
  const { dictionary, resource, company } = asked;
  const { from } = dictionary;
  const value = from?.value ?? '';
  const label = from?.label ?? resource.label;
  if (resource.fields[value] === undefined || resource.fields[label] === undefined) return dictionary;
  const status = resource.fields['status'] === undefined ? 'null' : 'status';
  const place = resource.fields['sort_no'] === undefined ? 'null::integer' : 'sort_no';
  const own = company === EVERY_COMPANY ? '' : ' and co_code = $1';
  const text = `select value, label, status from (
     select distinct on (${quoteName(value)}) ${quoteName(value)} as value, ${quoteName(label)} as label, ${status} as status,
       ${place} as place from ${quoteName(resource.resource)}
     where is_deleted = false and ${quoteName(value)} is not null${own} order by ${quoteName(value)}, place nulls last, id) d
     order by place nulls last, value limit ${MAX_ITEMS}`;
  const rows = await db.query(text, own === '' ? [] : [company], statementName(text));
  const items = rows.map((row) => ({
    value: rowText(row, 'value'),
    label: rowTextOrNull(row, 'label') ?? rowText(row, 'value'),
    ...(row['status'] === 'disabled' ? { disabled: true } : {}),
  }));
  return { ...dictionary, items: items.length === 0 ? dictionary.items : items };
}
