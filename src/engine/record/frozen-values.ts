import type { Scope } from '../filter/scope.ts';
import type { ErpRecord, Field } from '../schema/resource.ts';
import { linesOf } from './record-lines.ts';

/**
 * Whether a value with `until` is taken in this state of the record (of a line: its scope): before any of its states is
 * reached, when the record enters one from outside them, when an action takes all anew, and in a new record or line. What
 * the record was before is the scope's `before`; without that only its state decides.
 */
export function isTakenNow({ frozen }: Pick<Field, 'frozen'>, scope: Scope): boolean {
  if (frozen === undefined || scope.isRefresh === true) return true;
  const { before } = scope;
  const status = (scope.parent ?? scope.record)['status'];
  if (typeof status !== 'string' || frozen.open.includes(status)) return true;
  if (before === undefined) return false;
  if (before === null || isNewLine(scope, before)) return true;
  return frozen.at.includes(status) && !frozen.at.includes(String(before['status']));
}

function isNewLine({ lines, record }: Scope, before: ErpRecord): boolean {
  return lines !== undefined && !linesOf(before, lines).some((line) => line['id'] === record['id']);
}
