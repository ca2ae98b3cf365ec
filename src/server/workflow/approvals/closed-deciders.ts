import { among } from '#server/kernel/db/among.ts';
import type { ClosedDecider } from '#server/records/following.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { matchFlow } from './approval-flow.ts';
import { closedHolders, resolveLevels } from './find-approvers.ts';

/**
 * Who could decide on a record that nobody decides on, if the account had not been closed: role, scope and right are those
 * that its approval asks for. When it was closed is read from the audit. Who was never in force is nobody's decider.
 */
export async function closedDeciders(
  db: Reader,
  call: Call,
  submitted: { readonly record: OpenRecord; readonly action: string },
): Promise<readonly ClosedDecider[]> {
  const { record, action } = submitted;
  const matched = await matchFlow(db, call, { record, action });
  if (matched === null) return [];
  const asked = { record, submitterId: call.caller.subject.id };
  const levels = await resolveLevels(db, call, { ...asked, levels: matched.flow.levels });
  const ids = new Set<string>();
  for (const { source, persons } of levels)
    if (persons.length === 0)
      for (const { id } of await closedHolders(db, call, { ...asked, source })) ids.add(id);
  if (ids.size === 0) return [];
  const rows = await db.query(CLOSINGS, [[...ids], call.caller.context.today], 'closings_of_people');
  return rows.flatMap(closedDecider);
}

function closedDecider(row: Readonly<Record<string, unknown>>): readonly ClosedDecider[] {
  const closings = (['disabled', 'left'] as const).flatMap((how) => {
    const on = row[`${how}_on`];
    return typeof on === 'string' ? [{ how, on }] : [];
  });
  // Closed twice is closed since the first time. New people wait disabled, and were closed by nobody.
  const [first] = closings.sort((a, b) => (a.on < b.on ? -1 : 1));
  const isNew = row['is_active'] !== true && typeof row['disabled_on'] !== 'string';
  if (first === undefined || isNew) return [];
  return [{ id: String(row['id']), name: textOf(row['name'] ?? ''), ...first }];
}

/** The day in the company of the last audit row of a person that says so. */
function lastDay(condition: string): string {
  return `(select (max(a.at) at time zone 'Asia/Shanghai')::date from sys_audit a
    where a.resource = any(erp_resource_names('person')) and a.record_id = p.id and ${condition})`;
}

/** A last day counts when it comes, and not before the day on which it was written down. */
const LEFT_WRITTEN = lastDay(`a.action <> 'create' and a.changes @> '[{"field": "leave_date"}]'::jsonb`);

/** Since when accounts are closed, for each way that holds now: by state, by last day. */
const CLOSINGS = `select p.id, p.name, p.status = 'active' as is_active,
    case when p.status <> 'active' then ${lastDay(`a.from_status = 'active' and a.to_status <> 'active'`)}::text end as disabled_on,
    case when p.leave_date <= $2::date and (p.leave_date > (p.created_at at time zone 'Asia/Shanghai')::date or ${LEFT_WRITTEN} is not null)
      then greatest(p.leave_date, ${LEFT_WRITTEN})::text end as left_on
  from person p where p.id = ${among('$1')} order by p.name, p.id`;
