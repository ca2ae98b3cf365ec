import type { FieldState } from '#engine/record/field-states.ts';
import type { ErpRecord, Field, FieldProblem } from '#engine/schema/resource.ts';
import { labelsOf } from '#web/fields/field-text.ts';
import type { FieldSnapshot } from './form-options.ts';
import { controlState } from './form-rules.ts';

export interface ShownField {
  /** Undefined for a name that the resource does not know. */
  readonly field: Field | undefined;
  readonly name: string;
  readonly head: ErpRecord;
  /** What the rules say of it. */
  readonly state: FieldState | undefined;
  readonly isOpen: boolean;
  /** The page decides its value. */
  readonly isStamped: boolean;
  readonly problem: FieldProblem | undefined;
}

const UNKNOWN = { isHidden: true, isRequired: false, isReadOnly: true, reason: null, requiredReason: null };

/** All that the control of a field shows. */
export function fieldSnapshot({
  field,
  name,
  head,
  state,
  isOpen,
  isStamped,
  problem,
}: ShownField): FieldSnapshot {
  const known = field === undefined ? UNKNOWN : controlState(field, state, isOpen);
  return {
    ...known,
    ...(isStamped && !known.isHidden ? { isReadOnly: true, reason: '由当前页面决定' } : {}),
    value: head[name],
    label: labelsOf(head)[name],
    problem: problem?.message ?? null,
    isWarning: problem?.level === 'warning',
  };
}
