import type { EvaluationContext } from '../schema/resource.ts';

/** Who acts when the system does: in no formula a person. */
export const SYSTEM_ID = '00000000-0000-0000-0000-000000000000';

/**
 * A value of the surroundings that needs no record: `today`, `now`, `user.x`, `input.x`, `param.X`, `company.x`; null when it is not
 * set. Undefined for a source that is not of the surroundings (`record.x`, `parent.x`).
 */
export function readContext(source: string, context: EvaluationContext): unknown {
  if (source === 'today') return context.today;
  if (source === 'now') return context.now;
  const dot = source.indexOf('.');
  const name = source.slice(dot + 1);
  switch (source.slice(0, Math.max(0, dot))) {
    case 'user':
      return source === 'user.id' && context.subject?.id === SYSTEM_ID ? null : member(context.subject, name);
    case 'input':
      return member(context.input, name);
    case 'company':
      return member(context.company, name);
    case 'param':
      return member(context.params, name);
    default:
      return undefined;
  }
}

function member(value: object | undefined, name: string): unknown {
  return value !== undefined && Object.hasOwn(value, name) ? (Reflect.get(value, name) ?? null) : null;
}
