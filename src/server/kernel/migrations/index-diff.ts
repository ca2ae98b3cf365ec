import { indexContent, indexName, quoteName } from '#server/kernel/db/sql-identifiers.ts';
import type { Step } from './migration-step.ts';
import { duplicateRows } from './row-tests.ts';
import type { IndexPlan } from './schema-plan.ts';
import { makeStep, presentColumn, type TableNow } from './table-now.ts';
import { describeIndex } from './table-sql.ts';

/** Indexes that go or are renamed, and those that are missing. They are known by what they hold, not by their names. */
export function diffIndexes(now: TableNow): readonly Step[] {
  const { plan, actual } = now;
  const wanted = new Map<string | null, IndexPlan>();
  for (const index of plan.indexes) {
    wanted.set(indexContent(index.name), index);
    // Under the former names of its columns it is the same index.
    wanted.set(indexContent(formerName(now, index)), index);
  }
  const steps: Step[] = [];
  const present = new Set<string>();
  for (const { name, isValid } of actual.indexes) {
    const content = indexContent(name);
    if (content === null) continue;
    const match = wanted.get(content);
    if (match === undefined || !isValid || present.has(match.name)) {
      steps.push(dropIndex(now, name));
      continue;
    }
    present.add(match.name);
    if (match.name !== name) steps.push(renameIndex(now, name, match.name));
  }
  const missing = plan.indexes.filter(({ name }) => !present.has(name));
  return [...steps, ...missing.map((index) => addIndex(now, index))];
}

function formerName(now: TableNow, { name, isUnique, definition }: IndexPlan): string {
  const former = now.plan.columns.reduce((text, column) => {
    const present = presentColumn(now, column);
    return present === null || present === column.name
      ? text
      : text.replaceAll(quoteName(column.name), quoteName(present));
  }, definition);
  return former === definition ? name : indexName(now.plan.name, isUnique ? 'u' : 'i', former);
}

function addIndex(now: TableNow, index: IndexPlan): Step {
  const { plan, place } = now;
  const says = describeIndex(plan.name, index);
  const step = { says, index: { table: plan.name, index } };
  const { unique } = index;
  if (unique === undefined) return makeStep(plan, { ...step, name: `index_${index.fields.join('_')}` });
  const name = `unique_${index.fields.join('_')}`;
  const areThere = unique.keys.every((key) => now.actual.columns.some((column) => column.name === key));
  if (!areThere) return makeStep(plan, { ...step, name });
  return makeStep(plan, {
    ...step,
    name,
    kind: 'blocked',
    says: `${plan.name} 中已有重复的 ${index.fields.join('、')}，不能建立唯一约束`,
    against: { sql: duplicateRows(place, unique), whenNone: 'additive' },
  });
}

function dropIndex({ plan }: TableNow, name: string): Step {
  return makeStep(plan, {
    name: `unindex_${name}`,
    says: `删除 ${plan.name} 上不再需要的索引 ${name}`,
    sql: `drop index ${quoteName(name)}`,
    makesWay: true,
  });
}

function renameIndex({ plan }: TableNow, from: string, to: string): Step {
  return makeStep(plan, {
    name: `reindex_${to}`,
    says: `索引 ${from} 改名为 ${to}`,
    sql: `alter index ${quoteName(from)} rename to ${quoteName(to)}`,
  });
}
