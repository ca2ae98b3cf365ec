import type { RecordLimits } from '#contract/chain.ts';
import type { PlanLimit } from '#contract/plan.ts';
import { canSee } from '#engine/access/resource-access.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { limitBreach, limitCurrency, limitFigure } from '#engine/record/check-limit.ts';
import { linesOf, lineScope } from '#engine/record/record-lines.ts';
import type { LimitDefinition } from '#engine/schema/effects-definition.ts';
import { compareDecimals } from '#engine/values/decimal.ts';
import { AppError } from '#server/kernel/errors.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { attachReferences } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';

/** So many are listed: those nearest to their bound. */
const MOST = 12;

/** The limits of a record with their figures as they stand, as far as the caller may see them. */
export async function recordLimits(call: Call, id: string): Promise<RecordLimits> {
  const { resource, services, catalog, caller } = call;
  const record = isRecordId(id) ? await readStored(callersReader(call), call, id) : null;
  if (record === null) throw new AppError('NOT_FOUND');
  await attachReferences(services.db, {
    catalog,
    resource,
    records: [record],
    withPaths: true,
    withLabels: true,
    company: caller.subject.co_code,
  });
  const scope = recordScope(call, record);
  const label = recordLabel(resource, record);
  const found = resource.limits.flatMap((limit) => figuresOf(call, limit, { scope, id, label }));
  const sorted = found.toSorted((a, b) => rank(b) - rank(a));
  return { limits: sorted.slice(0, MOST), unseen: Math.max(0, sorted.length - MOST) };
}

function figuresOf(
  call: Call,
  limit: LimitDefinition,
  of: { readonly scope: Scope; readonly id: string; readonly label: string },
): readonly PlanLimit[] {
  const { each } = limit;
  if (each === undefined) return shown(call, limit, { ...of, line: null });
  return linesOf(of.scope.record, each).flatMap((line, index) =>
    shown(call, limit, { ...of, scope: lineScope(of.scope, each, line), line: index + 1 }),
  );
}

function shown(
  call: Call,
  limit: LimitDefinition,
  of: { readonly scope: Scope; readonly id: string; readonly label: string; readonly line: number | null },
): readonly PlanLimit[] {
  const figure = limitFigure(limit, of.scope);
  const { resource } = call;
  const lines = limit.each === undefined ? undefined : resource.fields[limit.each];
  if (figure === null || figure.field.includes('.')) return [];
  if (!isLimitOpen(call, limit, figure.field)) return [];
  const field = (lines === undefined ? resource.fields : (lines.fields ?? {}))[figure.field];
  const isBroken = limitBreach(limit, of.scope) !== null;
  return [
    {
      resource: resource.resource,
      title: resource.title,
      id: of.id,
      label: of.label,
      line: of.line,
      field: field?.title ?? '',
      message: limit.message,
      operator: figure.operator,
      figure: figure.figure,
      bound: figure.bound,
      currency: limitCurrency(limit, figure.field, of.scope),
      was: null,
      level: isBroken ? (limit.level ?? 'error') : 'ok',
    },
  ];
}

/** Whether the caller may see a limit's figure, the field that it is of, and what its bound is taken from. */
export function isLimitOpen(call: Call, limit: LimitDefinition, field: string): boolean {
  const [name = ''] = field.split('.');
  const path = limit.each === undefined ? name : `${limit.each}.${name}`;
  return canSee(call.access, path) && isBoundOpen(call, limit);
}

/** False where the bound is taken from a field, or from a record, that the caller does not read. */
function isBoundOpen({ resource, access }: Call, { each, assert }: LimitDefinition): boolean {
  const text = JSON.stringify(assert);
  const words = new Set(text.match(/\w+/g));
  const own = Object.keys(resource.fields);
  const ofLine = each === undefined ? [] : Object.keys(resource.fields[each]?.fields ?? {});
  return (
    resource.paths.every((path) => !access.hiddenPaths.has(path) || !text.includes(path)) &&
    own.every((name) => !words.has(name) || ofLine.includes(name) || canSee(access, name)) &&
    ofLine.every((name) => !words.has(name) || canSee(access, `${String(each)}.${name}`))
  );
}

/** Broken ones first, then those that have used most of their bound; for the order only. */
function rank({ figure, bound, level }: PlanLimit): number {
  if (level !== 'ok') return Number.POSITIVE_INFINITY;
  if (figure === null || bound === null || compareDecimals(bound, '0') === 0) return 0;
  return Number(figure) / Number(bound);
}
