import type { RollupDefinition } from './definition.ts';
import { targetPlace } from './field-path.ts';
import { filterReads } from './filter-reads.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { lintUnstoredSource } from './lint-unstored.ts';
import type { JsonPath } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

/** Checks a figure over other records: what it is over, by which field, one measure. */
export function lintRollup(
  context: ResourceLint,
  path: JsonPath,
  { rollup, lines }: { readonly rollup: RollupDefinition; readonly lines: string | undefined },
): void {
  const target = targetPlace(rollup.of, context.catalog);
  if (target === null) {
    context.report(
      [...path, 'of'],
      `未知资源 "${rollup.of}"${suggestion(rollup.of, Object.keys(context.catalog.resources))}`,
    );
    return;
  }
  if (typeof rollup.by === 'string') context.field([...path, 'by'], rollup.by, target);
  else
    for (const [theirs, own] of Object.entries(rollup.by)) {
      context.field([...path, 'by', theirs], theirs, target, 'key');
      context.formula([...path, 'by', theirs], own, context.typeScope(context.place(lines)));
    }
  const measures = (['sum', 'max', 'min', 'avg'] as const).filter((key) => rollup[key] !== undefined);
  if (measures.length + (rollup.count === true ? 1 : 0) !== 1)
    context.report(path, '汇总须有 sum、count、max、min、avg 之一');
  for (const key of measures) {
    const name = rollup[key];
    if (name === undefined) continue;
    context.field([...path, key], name, target);
    lintUnstoredSource(context, [...path, key], name, target);
  }
  for (const name of filterReads(rollup.where).fields)
    lintUnstoredSource(context, [...path, 'where', name], name, target);
  lintFilter(context, [...path, 'where'], rollup.where, {
    place: target,
    record: null,
    source: lines === undefined ? context.place() : undefined,
  });
}
