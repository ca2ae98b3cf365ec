import { FORMER_STATES } from '#server/kernel/db/database-fault.ts';
import { quoteLiteral, quoteName } from '#server/kernel/db/sql-identifiers.ts';
import type { Statement, Step } from './migration-step.ts';
import { anyRows } from './row-tests.ts';
import type { StatesPlan } from './schema-plan.ts';
import { makeStep, type TableNow } from './table-now.ts';

/** The states that a table takes no rows in any more, once its plan is done. */
export function bannedStates({ plan, made }: Pick<TableNow, 'plan' | 'made'>): readonly string[] {
  const { states } = plan;
  if (states === undefined) return [];
  const gone = new Set([
    ...(made?.banned ?? []),
    ...removedStates(states, made?.states ?? []),
    ...dueRenames(states, made?.states ?? null).map(({ was }) => was),
  ]);
  return [...gone].filter((state) => !states.known.includes(state)).sort();
}

/**
 * Renamed and removed states. Rows of a renamed one go along; those of a removed one go where `retired` says, and without
 * a word they refuse. Whoever still works with the former definitions is refused by the database from then on.
 */
export function diffStates(now: TableNow): readonly Step[] {
  const { states } = now.plan;
  if (states === undefined || !now.plan.columns.some(({ name }) => name === 'status')) return [];
  const known = now.made?.states ?? null;
  const renames = dueRenames(states, known).map((rename) => renameState(now, rename));
  const removals = removedStates(states, known ?? []).map((state) =>
    removeState(now, state, states.retired[state] ?? states.retired['to'] ?? null),
  );
  return [...renames, ...removals, ...banStates(now)];
}

function dueRenames(states: StatesPlan, known: readonly string[] | null): StatesPlan['renamed'] {
  return states.renamed.filter(({ was, name }) =>
    known === null ? true : known.includes(was) && !known.includes(name),
  );
}

function removedStates(states: StatesPlan, known: readonly string[]): readonly string[] {
  const renamed = new Set(states.renamed.map(({ was }) => was));
  return known.filter((state) => !states.known.includes(state) && !renamed.has(state));
}

function renameState(now: TableNow, { was, name }: { readonly was: string; readonly name: string }): Step {
  const { plan } = now;
  const table = quoteName(plan.name);
  const update = (column: string): Statement => ({
    sql: `update ${table} set ${column} = $2 where ${column} = $1`,
    values: [was, name],
  });
  return makeStep(plan, {
    name: `rename_state_${name}`,
    says: `${plan.name} 的状态 ${was} 改名为 ${name}`,
    isBreaking: true,
    statements: unguarded(now, ['status', 'previous_status'].map(update)),
    rename: { kind: 'state', resource: plan.resource, was, name },
  });
}

function removeState(now: TableNow, state: string, to: string | null): Step {
  const { plan, place } = now;
  const name = `state_${state}`;
  const inState = `t.status = ${quoteLiteral(state)}`;
  if (to === null)
    return makeStep(plan, {
      name,
      kind: 'blocked',
      isBreaking: true,
      says: `${plan.name} 的状态 ${state} 已从定义中删除，仍有记录处于该状态；请在 lifecycle 的 "retired" 中说明转入的状态`,
      against: { sql: anyRows(place, inState), whenNone: 'settled' },
    });
  return makeStep(plan, {
    name,
    kind: 'blocked',
    says: `${plan.name} 处于已取消状态 ${state} 的记录正在审批，须先审完或撤回，再转入 ${to}`,
    isBreaking: true,
    statements: unguarded(now, retire(now, state, to)),
    against: {
      sql: anyRows(
        place,
        `${inState} and exists (select 1 from sys_approval_case a where a.resource = ${quoteLiteral(plan.resource)} and a.record_id = t.id and a.ended_at is null)`,
      ),
      whenNone: 'additive',
    },
  });
}

function retire({ plan }: TableNow, state: string, to: string): readonly Statement[] {
  const table = quoteName(plan.name);
  const company = plan.columns.some(({ name }) => name === 'co_code') ? 'co_code' : 'null';
  return [
    {
      sql: `insert into sys_audit (id, at, resource, record_id, co_code, person_name, action, from_status, to_status, changes)
        select gen_random_uuid(), now(), $3, id, ${company}, '系统', 'retire', $1, $2, '[]'::jsonb from ${table} where status = $1`,
      values: [state, to, plan.resource],
    },
    {
      sql: `update ${table} set status = $2, version = version + 1, updated_at = now() where status = $1`,
      values: [state, to],
    },
    { sql: `update ${table} set previous_status = $2 where previous_status = $1`, values: [state, to] },
  ];
}

/** Not validated: the rows were looked through, what counts is what comes. */
function banStates(now: TableNow): readonly Step[] {
  const { plan, made } = now;
  const banned = bannedStates(now);
  if (JSON.stringify(banned) === JSON.stringify(made?.banned ?? [])) return [];
  const table = quoteName(plan.name);
  const list = banned.map(quoteLiteral).join(', ');
  const forbid: readonly Statement[] = [
    {
      sql: `alter table ${table} add constraint ${FORMER_STATES} check (status not in (${list})) not valid`,
    },
    { sql: `select 1 from ${table} where status in (${list}) limit 1`, isGuard: true },
  ];
  return [
    makeStep(plan, {
      name: 'states',
      says:
        banned.length === 0 ? `${plan.name} 不再限制状态` : `${plan.name} 不再接受状态 ${banned.join('、')}`,
      statements: [
        { sql: `alter table ${table} drop constraint if exists ${FORMER_STATES}` },
        ...(banned.length === 0 ? [] : forbid),
      ],
    }),
  ];
}

/** Under a lock, so that no row comes into a former state meanwhile; rows that otherwise never change are open to it. */
function unguarded({ plan, actual }: TableNow, changes: readonly Statement[]): readonly Statement[] {
  const lock = { sql: `lock table ${quoteName(plan.name)} in access exclusive mode` };
  const statements = [lock, ...changes];
  if (!actual.triggers.includes('append_only')) return statements;
  const trigger = (what: string): Statement => ({
    sql: `alter table ${quoteName(plan.name)} ${what} trigger append_only`,
  });
  return [trigger('disable'), ...statements, trigger('enable')];
}
