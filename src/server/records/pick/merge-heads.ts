import type { Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';

/**
 * One head of what several sources give: what all agree on. What must be filled in has to be the same everywhere; anything
 * else that differs is left to the person. @throws RULE_REFUSED with the fields that differ
 */
export function mergeHeads(target: Resource, source: Resource, heads: readonly OpenRecord[]): OpenRecord {
  const [first = {}, ...others] = heads;
  const names = new Set(heads.flatMap((head) => Object.keys(head)));
  const differing = [...names].filter((name) =>
    others.some((head) => JSON.stringify(head[name] ?? null) !== JSON.stringify(first[name] ?? null)),
  );
  const refused = differing.filter((name) => {
    const field = target.fields[name];
    return field?.required === true && field.to !== source.resource;
  });
  if (refused.length > 0) {
    const titles = refused.map((name) => target.fields[name]?.title ?? name).join('、');
    throw new AppError('RULE_REFUSED', { message: `所选${source.title}的${titles}不同，不能合为一份` });
  }
  return Object.fromEntries(
    [...names].map((name) => [name, differing.includes(name) ? null : (first[name] ?? null)]),
  );
}
