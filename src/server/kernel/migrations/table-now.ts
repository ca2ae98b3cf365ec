import type { Column } from '#server/kernel/db/table-columns.ts';
import type { ActualTable } from './actual-schema.ts';
import type { MadeTable } from './migration-state.ts';
import type { Step, StepKind } from './migration-step.ts';
import type { RowPlace } from './row-tests.ts';
import type { TablePlan } from './schema-plan.ts';

/** A planned table and the one that is there for it, which may still have its former name and columns. */
export interface TableNow {
  readonly plan: TablePlan;
  readonly actual: ActualTable;
  /** What the last migration knew of it; null for a table from before such things were kept. */
  readonly made: MadeTable | null;
  readonly place: RowPlace;
}

/** The column that holds a planned one's values now: of its own name, else of its former one; null when it is new. */
export function presentColumn(
  { actual, plan }: Pick<TableNow, 'actual' | 'plan'>,
  column: Column,
): string | null {
  const names = new Set(actual.columns.map(({ name }) => name));
  if (names.has(column.name)) return column.name;
  const isPlanned = plan.columns.some(({ name }) => name === column.was);
  return column.was !== undefined && names.has(column.was) && !isPlanned ? column.was : null;
}

/** A step of a table's resource; those of lines say which. */
export function makeStep(
  plan: Pick<TablePlan, 'resource' | 'lines'>,
  step: Omit<Step, 'resource' | 'statements' | 'kind'> & {
    readonly kind?: StepKind;
    readonly sql?: string | readonly string[];
    readonly statements?: Step['statements'];
  },
): Step {
  const { name, sql, statements, kind, ...rest } = step;
  const texts = sql === undefined ? [] : typeof sql === 'string' ? [sql] : sql;
  return {
    ...rest,
    resource: plan.resource,
    name: plan.lines === undefined ? name : `${plan.lines}.${name}`,
    kind: kind ?? 'additive',
    statements: statements ?? texts.map((text) => ({ sql: text })),
  };
}
