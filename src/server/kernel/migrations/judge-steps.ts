import type { Queryable } from '#server/kernel/db/database.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { describeStep, type Step, stepId } from './migration-step.ts';

/** Looks for the rows that refuse steps: what nothing refuses runs by itself, or is settled and left out. */
export async function judgeSteps(db: Queryable, steps: readonly Step[]): Promise<readonly Step[]> {
  const judged: Step[] = [];
  for (const step of steps) {
    const { against } = step;
    if (against === undefined) {
      judged.push(step);
      continue;
    }
    const [row] = await db.query<{ count: number; first: string[] }>(against.sql);
    const found = { count: row?.count ?? 0, first: row?.first ?? [] };
    if (found.count > 0) judged.push({ ...step, found });
    else if (against.whenNone !== 'settled') judged.push({ ...step, kind: against.whenNone, found });
  }
  return judged;
}

/** Steps that cannot run by themselves: the definitions of their resources cannot be served yet. */
export class MigrationRefusal extends StartRefusal {
  constructor(
    readonly steps: readonly Step[],
    cause?: unknown,
  ) {
    super(refusalText(steps), cause);
  }

  /** The resources whose definitions wait. */
  get resources(): ReadonlySet<string> {
    return new Set(this.steps.map(({ resource }) => resource));
  }
}

/** What waits for whom, a sentence a step. */
export function waitingSentence(step: Step): string {
  if (step.kind === 'blocked') return describeStep(step);
  return `${describeStep(step)}；执行：npm run migrate -- --only ${stepId(step)} --apply`;
}

function refusalText(steps: readonly Step[]): string {
  return `定义的改动不能自动执行：\n${steps.map(waitingSentence).join('\n')}`;
}
