import { fieldColumn } from '#engine/fields/field-types.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';

/** One column of a table made from definitions. */
export interface Column {
  readonly name: string;
  /** As PostgreSQL prints it: `numeric(18,2)`, `timestamp with time zone`, `uuid[]`. */
  readonly type: string;
  readonly notNull: boolean;
  readonly default?: string;
  /** Former name. */
  readonly was?: string;
}

/** States of records that no longer take part in uniqueness. */
export const RELEASED_STATES = ['void', 'cancelled'] as const;

const COLUMNS_OF_EVERY_TABLE: readonly Column[] = [
  { name: 'id', type: 'uuid', notNull: true },
  { name: 'version', type: 'integer', notNull: true, default: '1' },
  { name: 'created_by', type: 'uuid', notNull: false },
  { name: 'created_at', type: 'timestamp with time zone', notNull: false },
  { name: 'updated_by', type: 'uuid', notNull: false },
  { name: 'updated_at', type: 'timestamp with time zone', notNull: false },
  { name: 'is_deleted', type: 'boolean', notNull: true, default: 'false' },
  { name: 'search_text', type: 'text', notNull: false },
  { name: 'search_grams', type: 'text[]', notNull: false },
];
/** What was posted, once; and the order of an account's entries. */
const ENTRY_COLUMNS: readonly Column[] = [
  { name: 'posted_as', type: 'text', notNull: false },
  { name: 'posted_seq', type: 'bigint', notNull: false },
];
const CO_CODE: Column = { name: 'co_code', type: 'text', notNull: true };
const PREVIOUS_STATUS: Column = { name: 'previous_status', type: 'text', notNull: false };

/** The columns of a resource's own table: those of storage first, then the fields in the order of the file. */
export function headColumns(resource: Resource): readonly Column[] {
  const fixed = [
    ...(resource.scope === 'company' ? [CO_CODE] : []),
    ...COLUMNS_OF_EVERY_TABLE,
    ...(resource.lifecycle === undefined ? [] : [PREVIOUS_STATUS]),
    ...(resource.ledger === undefined ? [] : ENTRY_COLUMNS),
  ];
  return withFields(fixed, Object.values(resource.fields));
}

/** The columns of one line list: id, company, parent and position first. */
export function lineColumns(resource: Resource, lines: string): readonly Column[] {
  const fixed: Column[] = [
    ...(resource.scope === 'company' ? [CO_CODE] : []),
    { name: 'id', type: 'uuid', notNull: true },
    { name: 'parent_id', type: 'uuid', notNull: true },
    { name: 'line_order', type: 'integer', notNull: true },
  ];
  return withFields(fixed, Object.values(resource.fields[lines]?.fields ?? {}));
}

/** The line lists of a resource. */
export function linesOf(resource: Pick<Resource, 'fields'>): readonly Field[] {
  return Object.values(resource.fields).filter((field) => field.type === 'lines');
}

function withFields(fixed: readonly Column[], fields: readonly Field[]): readonly Column[] {
  const taken = new Set(fixed.map(({ name }) => name));
  const own = fields.flatMap((field): Column[] => {
    const type = fieldColumn(field);
    if (type === null || taken.has(field.name)) return [];
    const column = { name: field.name, type: printedType(type), notNull: false };
    return [field.was === undefined ? column : { ...column, was: field.was }];
  });
  return [...fixed, ...own];
}

/** The engine's short names as PostgreSQL prints them. */
function printedType(type: string): string {
  return type.replace(/^timestamptz/, 'timestamp with time zone');
}
