import type { MakeDefinition } from '#engine/schema/effects-definition.ts';
import { parsedFormula } from '#engine/schema/formula-reads.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';

/**
 * One head of what several sources give: what all agree on. What must be filled in has to be the same everywhere, but for
 * sentences that the make puts together (`text(…)`): these are said one after the other. Anything else that differs is
 * left to the person. @throws RULE_REFUSED with the fields that differ
 */
export function mergeHeads(
  target: Resource,
  source: Resource,
  heads: readonly OpenRecord[],
  { map = {} }: Pick<MakeDefinition, 'map'>,
): OpenRecord {
  const [first = {}, ...others] = heads;
  const names = new Set(heads.flatMap((head) => Object.keys(head)));
  const differing = [...names].filter((name) =>
    others.some((head) => JSON.stringify(head[name] ?? null) !== JSON.stringify(first[name] ?? null)),
  );
  const refused = differing.filter((name) => {
    const field = target.fields[name];
    return field?.required === true && field.to !== source.resource && !isSentence(map[name]);
  });
  if (refused.length > 0) {
    const titles = refused.map((name) => target.fields[name]?.title ?? name).join('、');
    throw new AppError('RULE_REFUSED', { message: `所选${source.title}的${titles}不同，不能合为一份` });
  }
  return Object.fromEntries(
    [...names].map((name) => {
      if (!differing.includes(name)) return [name, first[name] ?? null];
      const field = target.fields[name];
      const isSaid = field?.required === true && isSentence(map[name]);
      return [name, isSaid ? allSaid(field, heads, name) : null];
    }),
  );
}

function isSentence(formula: unknown): boolean {
  const parsed = typeof formula === 'string' ? parsedFormula(formula) : null;
  return parsed?.kind === 'call' && parsed.name === 'text';
}

/** What each of them says, once; null, for the person to say, where that is too long. */
function allSaid({ max }: Field, heads: readonly OpenRecord[], name: string): string | null {
  const sentences = heads.flatMap((head) => (typeof head[name] === 'string' ? [head[name]] : []));
  const said = [...new Set(sentences)].join('；');
  return typeof max === 'number' && said.length > max ? null : said;
}
