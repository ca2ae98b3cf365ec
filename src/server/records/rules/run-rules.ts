import { hasErrors } from '#engine/record/check-record.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { CreatedRecord, RuleCall } from './rule-registry.ts';
import type { Caller } from '#server/records/services.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';

/** What the rules of one write share. */
export interface RuleRun {
  readonly tx: Tx;
  readonly call: Call;
  readonly record: ErpRecord;
  readonly previous: ErpRecord | null;
  readonly input?: ErpRecord;
  readonly action: string;
  readonly created: CreatedRecord[];
}

/** Runs named checks and gives all that they find; a name nobody defined is skipped, the lint reports it. */
export async function runChecks(names: readonly string[], run: RuleRun): Promise<readonly FieldProblem[]> {
  const problems: FieldProblem[] = [];
  for (const name of new Set(names)) {
    const check = run.call.services.rules.checks.get(name);
    if (check !== undefined) problems.push(...(await check(ruleCall(run))));
  }
  return problems;
}

/** Runs named checks; refuses when one finds an error. */
export async function requireChecks(names: readonly string[], run: RuleRun): Promise<void> {
  const problems = await runChecks(names, run);
  refuseProblems(problems, 'RULE_REFUSED');
}

/** Runs named effects one after the other. */
export async function runEffects(names: readonly string[], run: RuleRun): Promise<void> {
  for (const name of names) {
    const effect = run.call.services.rules.effects.get(name);
    if (effect === undefined)
      throw new AppError('INTERNAL', { cause: new TypeError(`effect "${name}" is not defined`) });
    await effect(ruleCall(run));
  }
}

/** Refuses with the problems when one of them is an error. The first message is what people see. */
export function refuseProblems(
  problems: readonly FieldProblem[],
  code: 'VALIDATION' | 'RULE_REFUSED' = 'VALIDATION',
): void {
  if (!hasErrors(problems)) return;
  const first = problems.find((problem) => problem.level !== 'warning');
  throw new AppError(code, { problems, ...(first === undefined ? {} : { message: first.message }) });
}

function ruleCall(run: RuleRun): RuleCall {
  const { tx, call, record, previous, input, action, created } = run;
  return {
    tx: preparing(tx),
    services: call.services,
    caller: callerIn(call, record),
    resource: call.resource,
    record,
    ...(previous === null ? {} : { previous }),
    input: input ?? {},
    action,
    created,
  };
}

/** The statements of rules are written down in the code: they are planned once a connection. */
function preparing(tx: Tx): Tx {
  return { ...tx, query: (text, values, name = 'rule') => tx.query(text, values, name) };
}

/** Super permission writes records of other companies: what follows from them belongs to their company. */
function callerIn({ caller }: Call, record: ErpRecord): Caller {
  const company = record['co_code'];
  if (typeof company !== 'string' || company === caller.subject.co_code) return caller;
  const subject = { ...caller.subject, co_code: company };
  return { ...caller, subject, context: { ...caller.context, subject } };
}
