import type { Rename } from '#engine/schema/apply-renames.ts';
import type { IndexPlan } from './schema-plan.ts';

/**
 * `additive` runs by itself; `explicit` is needed and waits for the operator's word; `optional` may wait for ever (drops);
 * `blocked` waits for rows or definitions to be mended.
 */
export type StepKind = 'additive' | 'explicit' | 'optional' | 'blocked';

export interface Statement {
  readonly sql: string;
  readonly values?: readonly unknown[];
  /** A question asked under the lock: a row that it gives refuses the step. */
  readonly isGuard?: true;
}

/** One step that brings the tables of a resource nearer to its definition. */
export interface Step {
  readonly resource: string;
  /** Within the resource: `add_title`, `items.drop_amount`, `unique_code`. */
  readonly name: string;
  readonly kind: StepKind;
  /** For people: what it does. */
  readonly says: string;
  /** Run in one transaction with the other steps of the resource. */
  readonly statements: readonly Statement[];
  /** Drops what would be in the way of another step of the table. */
  readonly makesWay?: true;
  /** Work that began under the former definitions must not be committed after it. */
  readonly isBreaking?: true;
  /** Built afterwards, concurrently where the table holds rows. */
  readonly index?: { readonly table: string; readonly index: IndexPlan };
  /** What else speaks of the old name goes along. */
  readonly rename?: Rename;
  /** What goes into quarantine first: a table, or a column of it. */
  readonly quarantine?: { readonly table: string; readonly column?: string };
  /** Asks which rows refuse it. */
  readonly against?: RowTest;
  /** The rows that refuse it. */
  readonly found?: FoundRows;
  /** A stricter rule, as it is kept when the operator takes it in spite of rows that break it. */
  readonly accepts?: string;
}

/** A statement that gives `count` and the `first` labels; `whenNone` says what the step is when there is no such row. */
export interface RowTest {
  readonly sql: string;
  /** `settled`: nothing is left to do. */
  readonly whenNone: StepKind | 'settled';
}

export interface FoundRows {
  readonly count: number;
  readonly first: readonly string[];
}

/** `note.drop_amount`: how the operator calls it. */
export function stepId({ resource, name }: Pick<Step, 'resource' | 'name'>): string {
  return `${resource}.${name}`;
}

/** A step in one sentence, with the rows that refuse it. */
export function describeStep(step: Step): string {
  const { found } = step;
  const rows =
    found === undefined || found.count === 0
      ? ''
      : `（${found.count}条记录${found.first.length === 0 ? '' : `：${found.first.join('、')}${found.count > found.first.length ? ' 等' : ''}`}）`;
  return `${step.says}${rows}`;
}
