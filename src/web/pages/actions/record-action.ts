import type { FieldDefinition } from '#engine/schema/definition.ts';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';

/** An action as a record's `_actions` tells it. */
export interface RecordAction {
  readonly action: string;
  readonly title: string;
  readonly allowed: boolean;
  readonly reason: string | null;
  readonly confirm?: string;
  readonly reasonRequired?: boolean;
  readonly inputs?: Readonly<Record<string, FieldDefinition>>;
  /** 变更: the fields whose new values go with the action. */
  readonly amends?: readonly string[];
  /** It may do more than change this record. */
  readonly actsOnOthers?: boolean;
  readonly danger?: boolean;
}

/** What the person gives to an action. */
export interface ActionAnswer {
  readonly opinion: string;
  readonly inputs: ErpRecord;
}

/** The actions that came with a record; anything of another shape is passed over. */
export function recordActions(record: ErpRecord | undefined): readonly RecordAction[] {
  const actions = record?.['_actions'];
  return Array.isArray(actions) ? actions.filter(isRecordAction) : [];
}

/** Whether the person must answer something, or see what it does to others, before the action runs. */
export function needsDialog(
  action: Pick<RecordAction, 'confirm' | 'reasonRequired' | 'inputs' | 'amends' | 'actsOnOthers'>,
): boolean {
  return (
    action.amends !== undefined ||
    action.confirm !== undefined ||
    action.reasonRequired === true ||
    action.actsOnOthers === true ||
    Object.keys(action.inputs ?? {}).length > 0
  );
}

/** The inputs as fields, for the controls. */
export function inputFields(action: Pick<RecordAction, 'inputs'>): readonly Field[] {
  return Object.entries(action.inputs ?? {})
    .filter(([, definition]) => definition.type !== 'lines')
    .map(([name, { fields: _, ...definition }]) => ({
      ...definition,
      name,
      required: definition.required === true,
      standard: false,
      computed: false,
    }));
}

function isRecordAction(value: unknown): value is RecordAction {
  return (
    typeof value === 'object' && value !== null && 'action' in value && 'title' in value && 'allowed' in value
  );
}
