import type { ErpRecord, Resource } from '#engine/schema/resource.ts';

/**
 * What a record is called besides its label: its number where the label is a name, and the texts among its captions, a
 * name where the label is a number; two at most. What the role does not see is not in the record.
 * @param told what the head says already: a payer who is a party
 */
export function namesBeside(
  { label, number, caption, fields }: Pick<Resource, 'label' | 'number' | 'caption' | 'fields'>,
  record: ErpRecord,
  told: readonly string[] = [],
): readonly string[] {
  const names = new Set([...(number === undefined ? [] : [number.field]), ...caption]);
  names.delete(label);
  const title = record[label];
  const texts = [...names].flatMap((name) => {
    const value = record[name];
    const isText = fields[name]?.type === 'text' && typeof value === 'string' && value !== '';
    return isText && value !== title && !told.includes(value) ? [value] : [];
  });
  return texts.slice(0, MOST);
}

const MOST = 2;
