import { pinyin } from 'pinyin-pro';
import { syllableGrams, writeSyllables } from '#engine/search/full-pinyin.ts';
import { searchGrams } from '#engine/search/search-text.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { hiddenFrom } from '#engine/access/hidden-by-grants.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { StorageColumns } from '#server/records/write/write-rows.ts';

/**
 * What a record is found by: its label, number, captions and the texts that lists filter by, with the initials and the
 * full pinyin of their Chinese. Fields hidden to some role or masked stay out: a search must not tell what a list does not show.
 */
export function searchColumns(catalog: Catalog, resource: Resource, record: OpenRecord): StorageColumns {
  const labels = record['_labels'];
  const texts = searchedFields(catalog, resource).flatMap((field) => textsOf(field, record, labels));
  const read = texts.filter((part) => HAN.test(part)).map(readAloud);
  const typed = [
    ...texts.map((part) => part.toLowerCase()),
    ...read.map((pieces) => pieces.map(({ initial }) => initial).join('')),
  ].join(' ');
  const spelled = read.map((pieces) =>
    writeSyllables(pieces.slice(0, MOST_SYLLABLES).map((piece) => piece.spelled)),
  );
  const text = [typed, ...spelled].join(' ').trim().slice(0, MAX_LENGTH);
  return {
    search_text: text,
    search_grams: [...new Set([...searchGrams(typed), ...syllableGrams(spelled)])],
  };
}

/** Goes up when a search text is made in another way: what is stored is made anew behind the writes. */
export const SEARCH_VERSION = 2;

const MAX_LENGTH = 2000;
const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'textarea']);
const HAN = /[\u3400-\u9fff]/;
/** A name, not a description. */
const MOST_SYLLABLES = 30;

/** The head fields that go into the search text of a resource. */
export function searchedFields(catalog: Catalog, resource: Resource): readonly Field[] {
  const byResource = known.get(catalog) ?? new Map<string, readonly Field[]>();
  known.set(catalog, byResource);
  const remembered = byResource.get(resource.resource);
  if (remembered !== undefined) return remembered;
  const hidden = hiddenToSomebody(catalog, resource);
  const names = new Set([
    resource.label,
    ...resource.caption,
    ...(resource.number === undefined ? [] : [resource.number.field]),
    ...resource.list.filters,
  ]);
  const fields = [...names]
    .map((name) => resource.fields[name])
    .filter((field) => field !== undefined)
    .filter((field) => isSearched(field) || isToldApart(resource, field))
    .filter(({ name }) => !hidden.has(name));
  byResource.set(resource.resource, fields);
  return fields;
}

const known = new WeakMap<Catalog, Map<string, readonly Field[]>>();

/** What tells base data of one name apart is typed too: the currency of an account. Documents would be found by the thousand. */
function isToldApart({ kind, caption }: Resource, { name, type, multiple }: Field): boolean {
  return kind === 'master' && type === 'dictionary' && multiple !== true && caption.includes(name);
}

function isSearched(field: Field): boolean {
  if (field.mask !== undefined) return false;
  if (field.type === 'reference')
    return field.multiple !== true && typeof field.to === 'string' && !field.standard;
  return TEXT_TYPES.has(field.type) && field.options === undefined && field.name !== 'co_code';
}

function hiddenToSomebody(catalog: Catalog, resource: Resource): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const role of Object.values(catalog.roles)) {
    const subject = {
      id: '',
      personid: '',
      name: '',
      kind: role.duty === 'partner' ? ('partner' as const) : ('staff' as const),
      role_code: role.code,
      role_codes: [role.code],
      co_code: '',
      dept_code: '',
      dept_codes: [],
      sales_ids: [],
      sales_id: null,
      partner_id: null,
      super_permission: false,
      scope_override: null,
    };
    for (const name of hiddenFrom(resource, subject, { catalog }) ?? []) hidden.add(name);
  }
  return hidden;
}

function textsOf(field: Field, record: OpenRecord, labels: unknown): readonly string[] {
  const label: unknown =
    typeof labels === 'object' && labels !== null ? Reflect.get(labels, field.name) : null;
  const value = record[field.name];
  const texts =
    field.type === 'reference'
      ? [label].flat()
      : field.type === 'dictionary'
        ? [value, label]
        : [value].flat();
  return texts.filter((text): text is string => typeof text === 'string' && text !== '');
}

/** A syllable, or a run of what is not Chinese: as it is spelled out, and as it stands among initials. */
interface Piece {
  readonly spelled: string;
  readonly initial: string;
}

function readAloud(text: string): readonly Piece[] {
  return text
    .slice(0, 120)
    .split(/([\u3400-\u9fff]+)/)
    .flatMap((run): readonly Piece[] => {
      if (HAN.test(run))
        return pinyin(run, SYLLABLES).map((spelled) => ({ spelled, initial: spelled.slice(0, 1) }));
      const other = run.toLowerCase().replace(/\s+/g, '');
      return [{ spelled: other, initial: other }];
    });
}

const SYLLABLES = { toneType: 'none', type: 'array', v: true } as const;
