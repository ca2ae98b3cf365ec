import { createHash } from 'node:crypto';
import type { Resource } from '#engine/schema/resource.ts';

/** An identifier of the compiled schema, quoted. Never give it a name that a client sent. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text literal for DDL, which takes no parameters. */
export function quoteLiteral(text: string): string {
  if (text.includes('\\')) return ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  return `'${text.replaceAll("'", "''")}'`;
}

/** Name of the table of a resource, or of one of its line lists. */
export function tableName(resource: Pick<Resource, 'resource'>, lines?: string): string {
  return lines === undefined ? resource.resource : `${resource.resource}__${lines}`;
}

export type IndexKind = 'u' | 'i';
const HASH_LENGTH = 10;
const LONGEST_TABLE_PART = 50;
const MANAGED_INDEX = new RegExp(`_([ui])_([0-9a-f]{${HASH_LENGTH}})$`);

/**
 * Name of an index made from a definition. Its end says what the index holds, whatever the table is called, so that
 * it is recognised after a rename and replaced when the definition changes.
 */
export function indexName(table: string, kind: IndexKind, content: string): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_LENGTH);
  return `${table.slice(0, LONGEST_TABLE_PART)}_${kind}_${hash}`;
}

/** The part of an index's name that says what it holds; null for indexes that are not made from definitions. */
export function indexContent(name: string): string | null {
  const match = MANAGED_INDEX.exec(name);
  return match === null ? null : `${match[1]}_${match[2]}`;
}
