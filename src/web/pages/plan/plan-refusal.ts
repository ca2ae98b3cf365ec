import type { Plan } from '#contract/plan.ts';
import type { AskedPlan } from './use-plan.ts';

/**
 * Why an action would be refused as it stands: then its button has nothing to do. Null where it would not be, and while
 * nobody knows: the answer has changed since, the plan was not read, or an input is missing, which pressing the button
 * points at.
 */
export function refusalOfPlan(
  { plan, fault, isAsking }: Pick<AskedPlan, 'plan' | 'fault' | 'isAsking'>,
  isInput: (path: string) => boolean,
): string | null {
  if (plan === null || fault !== null || isAsking || !plan.isRefused) return null;
  return errorsOf(plan).find((problem) => !isMissing(problem, isInput))?.message ?? null;
}

/** True where all that stands against an action is what has not been filled in yet. */
export function isWaitingForInputs(plan: Plan, isInput: (path: string) => boolean): boolean {
  const errors = errorsOf(plan);
  return plan.isRefused && errors.length > 0 && errors.every((problem) => isMissing(problem, isInput));
}

function isMissing({ path, code }: Plan['problems'][number], isInput: (path: string) => boolean): boolean {
  return code === 'required' && isInput(path);
}

function errorsOf({ problems }: Pick<Plan, 'problems'>): Plan['problems'] {
  return problems.filter(({ level }) => level !== 'warning');
}
