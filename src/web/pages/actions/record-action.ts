import type { FieldDefinition } from '#engine/schema/definition.ts';
import type { ErpRecord, Field, FieldProblem } from '#engine/schema/resource.ts';

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

/** What the inputs start with: defaults that are values. Rules of batches are worked out by the server for each record. */
export function startingInputs(fields: readonly Field[]): ErpRecord {
  const values = fields.filter((field) => field.default !== undefined && !isWorkedOut(field));
  return Object.fromEntries(values.map((field) => [field.name, field.default]));
}

/** Whether anything was typed: an opinion, or an input that is not what it started with. */
export function isAnswered(fields: readonly Field[], { opinion, inputs }: ActionAnswer): boolean {
  const start = startingInputs(fields);
  return opinion.trim() !== '' || fields.some(({ name }) => !isSameInput(start[name], inputs[name]));
}

/** What stands in the inputs beside what was sent: typed on, or added, while it was on its way. */
export function unsentInputs(now: ErpRecord, sent: ErpRecord): ErpRecord {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => !isSameInput(sent[name], value)));
}

/** True where the server fills in what is left out. */
export function isWorkedOut({ default: start }: Field): boolean {
  return typeof start === 'object' && start !== null && !Array.isArray(start);
}

/** The problems of required inputs that are empty. */
export function missingInputs(fields: readonly Field[], inputs: ErpRecord): readonly FieldProblem[] {
  return fields
    .filter((field) => field.required && !isWorkedOut(field) && isBlank(inputs[field.name]))
    .map(({ name, title }) => ({ path: `inputs.${name}`, code: 'required', message: `请填写${title}` }));
}

/** Of the problems of an earlier answer those that hold of this one too: what was missing and is missing still. */
export function openProblems(
  fields: readonly Field[],
  problems: readonly FieldProblem[],
  { opinion, inputs }: ActionAnswer,
): readonly FieldProblem[] {
  return problems.filter(({ path, code }) => {
    if (path === 'opinion') return opinion.trim() === '';
    const name = inputOf(fields, path);
    return code === 'required' && name !== null && isBlank(inputs[name]);
  });
}

/** The input that a problem stands at: `inputs.amount`, or a blocker's `amount`; null for another place. */
export function inputOf(fields: readonly Field[], path: string): string | null {
  const name = path.replace(/^inputs\./, '').split('.')[0] ?? '';
  return fields.some((field) => field.name === name) ? name : null;
}

/** What is wrong with the inputs, by their names. */
export function faultsAt(
  fields: readonly Field[],
  problems: readonly FieldProblem[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    problems.flatMap(({ path, message }) => {
      const name = inputOf(fields, path);
      return name === null ? [] : [[name, message]];
    }),
  );
}

function isSameInput(a: unknown, b: unknown): boolean {
  return isBlank(a) ? isBlank(b) : JSON.stringify(a) === JSON.stringify(b);
}

function isBlank(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function isRecordAction(value: unknown): value is RecordAction {
  return (
    typeof value === 'object' && value !== null && 'action' in value && 'title' in value && 'allowed' in value
  );
}
