import type { FieldDefinition } from '#engine/schema/definition.ts';

/** One entry of a record's `_actions`. */
export interface RecordAction {
  readonly action: string;
  readonly title: string;
  readonly allowed: boolean;
  readonly reason: string | null;
  readonly confirm?: string;
  readonly reasonRequired?: boolean;
  readonly inputs?: Readonly<Record<string, FieldDefinition>>;
  readonly danger?: boolean;
}

/** The actions that came with a record. */
export function actionsOf(record: { readonly [name: string]: unknown } | null): readonly RecordAction[] {
  const actions = record?.['_actions'];
  return Array.isArray(actions) ? actions.filter(isAction) : [];
}

function isAction(value: unknown): value is RecordAction {
  return (
    typeof value === 'object' && value !== null && 'action' in value && 'title' in value && 'allowed' in value
  );
}
