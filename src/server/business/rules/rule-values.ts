import type { ErpRecord } from '#engine/schema/resource.ts';
import { isPlainDecimal } from '#engine/values/decimal.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';

/** The lines of a record; an empty list when there are none. */
export function linesIn(record: ErpRecord, name: string): readonly ErpRecord[] {
  const lines = record[name];
  return Array.isArray(lines) ? lines.filter(isRecord) : [];
}

/** Text of a field, null when empty. */
export function textOf<Row extends ErpRecord>(record: Row, name: keyof Row & string): string | null {
  const value = record[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Decimal text of a field; `0` when empty. */
export function decimalOf<Row extends ErpRecord>(record: Row, name: keyof Row & string): string {
  const value = record[name];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return isPlainDecimal(value) ? value : '0';
}

/** The company that a record belongs to. */
export function companyOf({ record, caller }: Pick<RuleCall, 'record' | 'caller'>): string {
  return textOf(record, 'co_code') ?? caller.subject.co_code;
}

/** Different ids, in order, so that locks are taken alike everywhere. */
export function uniqueIds(values: readonly (string | null)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== null))].toSorted();
}

function isRecord(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
