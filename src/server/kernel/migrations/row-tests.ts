import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import type { IndexPlan, TablePlan } from './schema-plan.ts';

/** Where the rows of a planned table are now: before its renames. */
export interface RowPlace {
  readonly plan: TablePlan;
  readonly table: string;
  readonly head: string;
  /** The column of the head that names a record. */
  readonly label: string;
}

const SHOWN = 5;

/** Complete records with a row (`t`: the head itself, or a line) to which `where` applies. */
export function completeRows(place: RowPlace, where: string): string {
  return labelled(place, `${place.plan.completeWhere} and ${where}`);
}

/** Records with any row to which `where` applies. */
export function anyRows(place: RowPlace, where: string): string {
  return labelled(place, where);
}

/** Records that a unique index would refuse: all but the first of each group of equals. */
export function duplicateRows(place: RowPlace, unique: NonNullable<IndexPlan['unique']>): string {
  const { plan, table, head, label } = place;
  const keys = unique.areNullsSame ? [] : unique.keys.map((key) => `${quoteName(key)} is not null`);
  const conditions = [...(unique.where === '' ? [] : [unique.where]), ...keys];
  const where = conditions.length === 0 ? 'true' : conditions.join(' and ');
  const equals = `select *, count(*) over (partition by ${unique.by.join(', ')}) as equals from ${quoteName(table)} where ${where}`;
  const own = plan.lines === undefined ? 'h.id = d.id' : 'h.id = d.parent_id';
  return answer(
    `select distinct h.id, h.${quoteName(label)}::text as label from (${equals}) d join ${quoteName(head)} h on ${own} where d.equals > 1`,
  );
}

function labelled({ plan, table, head, label }: RowPlace, where: string): string {
  const company = plan.head.company ? ' and t.co_code = h.co_code' : '';
  const from =
    plan.lines === undefined
      ? `${quoteName(head)} h cross join lateral (select h.*) t`
      : `${quoteName(head)} h join ${quoteName(table)} t on t.parent_id = h.id${company}`;
  return answer(`select distinct h.id, h.${quoteName(label)}::text as label from ${from} where ${where}`);
}

function answer(records: string): string {
  return `with found as (${records})
    select (select count(*)::int from found) as count,
      array(select coalesce(label, id::text) from found order by id limit ${SHOWN}) as first`;
}
