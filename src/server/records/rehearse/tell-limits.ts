import type { Plan, PlanLimit } from '#contract/plan.ts';
import { compareDecimals, isPlainDecimal } from '#engine/values/decimal.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { JudgedLimit } from '#server/records/follow/write-outcome.ts';
import type { WriteSession } from '#server/records/follow/write-session.ts';
import { isLimitOpen } from '#server/records/follow/record-limits.ts';
import { namesFor } from './shown-name.ts';
import { type Listed, listed } from './tell-records.ts';

/** Limits whose figure moves, those that refuse first. A figure that may not be seen is left out, with its record. */
export async function tellLimits(
  tx: Tx,
  call: Call,
  { limits }: Pick<WriteSession, 'limits'>,
): Promise<Listed<Plan['limits'][number]>> {
  // Asked again (as if approved) the later answer is the telling one.
  const last = new Map(limits.map((limit) => [keyOf(limit), limit]));
  const judged = [...last.values()].toSorted(
    (a, b) => Number(b.isBroken) - Number(a.isBroken) || fullness(b) - fullness(a),
  );
  const nameOf = await namesFor(tx, call, judged);
  const told = judged.flatMap((limit) => {
    const limited = openAnyCall(call.services, call.caller, limit.resource);
    const name = nameOf(limit);
    const isShown = name.id !== null && isLimitOpen(limited, limit.limit, limit.field);
    if (!isShown && !limit.isBroken) return [];
    return [limitOf(limit, { name, isShown, title: titleOf(limited, limit) })];
  });
  return listed(told, judged.length);
}

/** What the field of a limit is called, of the head or of the lines that it is asked of. */
function titleOf({ resource }: Call, { limit, field }: JudgedLimit): string {
  const [name = ''] = field.split('.');
  const fields = limit.each === undefined ? resource.fields : resource.fields[limit.each]?.fields;
  return fields?.[name]?.title ?? '';
}

function limitOf(
  limit: JudgedLimit,
  shown: {
    readonly name: Pick<PlanLimit, 'resource' | 'title' | 'id' | 'label'>;
    readonly isShown: boolean;
    readonly title: string;
  },
): PlanLimit {
  const { name, isShown, title } = shown;
  return {
    resource: name.resource,
    title: name.title,
    id: isShown ? name.id : null,
    label: isShown ? name.label : null,
    line: limit.line === null ? null : limit.line + 1,
    field: isShown ? title : '',
    message: limit.message,
    operator: limit.operator,
    figure: isShown ? limit.figure : null,
    bound: isShown ? limit.bound : null,
    currency: isShown ? limit.currency : null,
    was: isShown ? limit.was : null,
    level: !limit.isBroken ? 'ok' : limit.isWarning ? 'warning' : 'error',
  };
}

function keyOf({ resource, id, line, message }: JudgedLimit): string {
  return [resource, id, line, message].join('|');
}

/** How near to its bound a figure is, for the order only. */
function fullness({ figure, bound }: JudgedLimit): number {
  if (!isPlainDecimal(figure) || !isPlainDecimal(bound) || compareDecimals(bound, '0') === 0) return 0;
  return Number(figure) / Number(bound);
}
