import type { Scope } from '../filter/scope.ts';
import type { ErpRecord } from '../schema/resource.ts';

/** The rows of a child table; none when the record has no such list. */
export function linesOf(record: ErpRecord, name: string): readonly ErpRecord[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The scope in which the rules and formulas of one line run; where it stands, where that is known. */
export function lineScope(
  scope: Scope,
  lines: string,
  line: ErpRecord,
  at?: Pick<Scope, 'above' | 'place' | 'memo'>,
): Scope {
  return {
    resource: scope.resource,
    catalog: scope.catalog,
    context: scope.context,
    record: line,
    parent: scope.record,
    lines,
    source: scope.source,
    before: scope.before,
    isRefresh: scope.isRefresh,
    given: scope.given,
    above: at?.above,
    place: at?.place,
    memo: at?.memo,
  };
}

/** The same scope for another state of the record. */
export function withRecord(scope: Scope, record: ErpRecord): Scope {
  return { ...scope, record };
}

export function isRecord(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
