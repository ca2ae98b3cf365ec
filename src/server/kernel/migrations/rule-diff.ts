import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import { type ColumnRule, stricterRules } from './column-rules.ts';
import type { Step } from './migration-step.ts';
import { completeRows } from './row-tests.ts';
import { makeStep, presentColumn, type TableNow } from './table-now.ts';

/** Rules of values that are stricter than those of the last migration, where rows break them. */
export function diffRules(now: TableNow): readonly Step[] {
  const { plan, made } = now;
  if (made === null) return [];
  return plan.rules.flatMap((rule): readonly Step[] => {
    const column = plan.columns.find(({ name }) => name === rule.column);
    const present = column === undefined ? null : presentColumn(now, column);
    const before = made.rules.find((known) => known.column === present) ?? null;
    if (present === null) return rule.isRequired ? [fillNew(now, rule)] : [];
    return stricterRules(before, rule, `t.${quoteName(present)}`).flatMap(({ step, says, where }) => {
      const accepts = JSON.stringify(rule);
      if (made.accepted?.[stepName(now, step)] === accepts) return [];
      return [
        makeStep(plan, {
          name: step,
          kind: 'explicit',
          says,
          statements: step.startsWith('require_') && rule.fill !== null ? [fillStatement(now, rule)] : [],
          against: { sql: completeRows(now.place, where), whenNone: 'settled' },
          accepts,
        }),
      ];
    });
  });
}

/** The name of a rule's step as it is kept: with its lines. */
function stepName({ plan }: TableNow, step: string): string {
  return plan.lines === undefined ? step : `${plan.lines}.${step}`;
}

/** Rows from before a required column get its default; without one somebody has to say what becomes of them. */
function fillNew(now: TableNow, rule: ColumnRule): Step {
  const { plan, place, made } = now;
  const name = `require_${rule.column}`;
  const accepts = JSON.stringify(rule);
  if (rule.fill !== null)
    return makeStep(plan, {
      name,
      says: `已有记录的“${rule.title}”填入默认值`,
      statements: [fillStatement(now, rule)],
    });
  const isAccepted = made?.accepted?.[stepName(now, name)] === accepts;
  return makeStep(plan, {
    name,
    kind: isAccepted ? 'additive' : 'explicit',
    says: `新字段“${rule.title}”必填，没有默认值，已有记录没有该值`,
    ...(isAccepted ? {} : { against: { sql: completeRows(place, 'true'), whenNone: 'settled' as const } }),
    accepts,
  });
}

function fillStatement({ plan }: TableNow, rule: ColumnRule): Step['statements'][number] {
  const column = quoteName(rule.column);
  const type = plan.columns.find(({ name }) => name === rule.column)?.type ?? 'text';
  return {
    sql: `update ${quoteName(plan.name)} set ${column} = $1::${type} where ${column} is null`,
    values: [typeof rule.fill === 'object' ? rule.fill : String(rule.fill)],
  };
}
