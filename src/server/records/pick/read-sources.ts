import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { isRecordId } from '#server/records/read/read-stored.ts';
import type { LineSource } from './made-values.ts';

/** `_from` of a body: the records that a new document is made from, and by which make of theirs. */
export interface DocumentSource {
  readonly resource: string;
  readonly ids: readonly string[];
  readonly make: string;
  /** Of several documents that the make gives the one of this line, or of this value of its `per`. */
  readonly line: string | null;
  readonly per: string | null;
}

/** A body without what it says of its sources. */
export interface SourcedBody {
  readonly body: unknown;
  readonly from: DocumentSource | null;
  /** By lines field, for the new lines in their order; null: typed by hand. */
  readonly lines: Readonly<Record<string, readonly (SentSource | null)[]>>;
}

/** Where a sent line comes from, and its place in the sent list. */
export interface SentSource {
  readonly from: LineSource;
  readonly at: number;
}

/** So many documents may be made into one. */
const MOST_SOURCES = 50;

/**
 * Takes `_from` out of a body: of the whole (`{ resource, id, make }`) and of its new lines (`line` besides).
 * @throws VALIDATION when it is no source
 */
export function splitSources(call: Call, body: unknown): SourcedBody {
  if (!isObject(body)) return { body, from: null, lines: {} };
  const { _from: from, ...rest } = body;
  const lines: Record<string, (SentSource | null)[]> = {};
  for (const field of Object.values(call.resource.fields)) {
    const rows: unknown = rest[field.name];
    if (field.type !== 'lines' || !Array.isArray(rows)) continue;
    if (!rows.some((row) => isObject(row) && row['_from'] !== undefined)) continue;
    const found: (SentSource | null)[] = [];
    rest[field.name] = rows.map((row: unknown, index) => {
      if (!isObject(row)) return row;
      const { _from: source, ...line } = row;
      const path = `${field.name}.${index}._from`;
      if (!isNew(line)) return line;
      found.push(isNothing(source) ? null : { from: lineSource(source, path), at: index });
      return line;
    });
    lines[field.name] = found;
  }
  return {
    body: rest,
    from: isNothing(from) ? null : documentSource(from),
    lines: Object.fromEntries(Object.entries(lines).filter(([, found]) => found.some((one) => one !== null))),
  };
}

/** True when a body names a source anywhere. */
export function hasSources({ from, lines }: SourcedBody): boolean {
  return from !== null || Object.keys(lines).length > 0;
}

/** A document that is there is made from nothing any more: only its new lines are. @throws VALIDATION */
export function ofLines(sourced: SourcedBody): SourcedBody {
  if (sourced.from !== null) throw noSource('_from', '只有新单据可以由其他单据生成');
  return sourced;
}

function isNew(line: OpenRecord): boolean {
  return (line['id'] === undefined || line['id'] === null) && line['_delete'] !== true;
}

function documentSource(value: unknown): DocumentSource {
  const path = '_from';
  if (!isObject(value)) throw noSource(path);
  const { resource, id, make, line = null, per = null } = value;
  const ids: readonly unknown[] = Array.isArray(id) ? [...new Set<unknown>(id)] : [id];
  if (typeof resource !== 'string' || typeof make !== 'string' || ids.length === 0) throw noSource(path);
  if (ids.length > MOST_SOURCES) throw noSource(path, `一次最多由${MOST_SOURCES}张单据生成`);
  const own = ids.map((one) => recordId(one, path));
  if (per !== null && typeof per !== 'string') throw noSource(path);
  return { resource, make, ids: own, line: line === null ? null : recordId(line, path), per };
}

function lineSource(value: unknown, path: string): LineSource {
  if (!isObject(value)) throw noSource(path);
  const { resource, id, make, line = null } = value;
  if (typeof resource !== 'string' || typeof make !== 'string') throw noSource(path);
  return {
    resource,
    make,
    id: recordId(id, path),
    line: line === null ? null : recordId(line, path),
  };
}

function recordId(value: unknown, path: string): string {
  if (typeof value !== 'string' || !isRecordId(value)) throw noSource(path);
  return value;
}

function noSource(path: string, message = '来源不正确'): AppError {
  return new AppError('VALIDATION', { message, problems: [{ path, code: 'source', message }] });
}

function isNothing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is OpenRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
