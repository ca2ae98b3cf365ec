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
    const stricter = stricterRules(before, rule, `t.${quoteName(present)}`).flatMap(
      ({ step, says, where }) => {
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
      },
    );
    return [...recode(now, rule, before), ...stricter];
  });
}

/** Former values give way to those that stand for them now, once: a value may come to mean something else later. */
function recode({ plan }: TableNow, rule: ColumnRule, before: ColumnRule | null): readonly Step[] {
  const { were = {}, isList } = rule;
  const due = Object.entries(were).filter(([former, now]) => before?.were?.[former] !== now);
  if (due.length === 0) return [];
  const [table, column] = [quoteName(plan.name), quoteName(rule.column)];
  const sql = isList
    ? `update ${table} set ${column} = array_replace(${column}, $1, $2) where $1 = any(${column})`
    : `update ${table} set ${column} = $2 where ${column} = $1`;
  return [
    makeStep(plan, {
      name: `recode_${rule.column}`,
      says: `“${rule.title}”的原值改写为现在的值`,
      statements: due.map((values) => ({ sql, values })),
    }),
  ];
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
