import type { ErpRecord, Field, Resource } from '../schema/resource.ts';

type Listed = Pick<Resource, 'fields' | 'list' | 'isNamed'>;

/**
 * What a record calls who it is with, by its `_labels`: the first reference of its list to somebody one deals with that
 * names one and that `sees` lets through. Own business has no partner, but a buyer. What has a name of its own is about
 * whom it names; anything else that names nobody is about what it is of. Null when there is nothing to say.
 */
export function mainParty(
  resource: Listed,
  record: ErpRecord,
  sees: (field: Field) => boolean,
): string | null {
  for (const field of partyFields(resource)) {
    const label = sees(field) ? labelOf(record, field) : null;
    if (label !== null) return label;
  }
  return null;
}

function partyFields({ list, fields, isNamed }: Listed): readonly Field[] {
  const names = list.columns.map((column) => (typeof column === 'string' ? column : column.field));
  const leading = (to: Field['leadsTo']): readonly Field[] =>
    names.flatMap((name) => fields[name] ?? []).filter((field) => field.leadsTo === to);
  const parties = leading('party');
  return parties.length > 0 || isNamed === true ? parties : leading('base').slice(0, 1);
}

function labelOf(record: ErpRecord, { name }: Field): string | null {
  const labels = record['_labels'];
  const label: unknown = typeof labels === 'object' && labels !== null ? Reflect.get(labels, name) : null;
  return typeof label === 'string' && label !== '' ? label : null;
}
