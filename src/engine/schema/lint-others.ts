import type { Filter } from './definition.ts';
import type { OthersDefinition } from './effects-definition.ts';
import { type PathPlace, resolveFieldPath, targetPlace } from './field-path.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { lintGivenValue } from './lint-formula.ts';
import type { JsonPath } from './source-file.ts';
import { suggestion } from './suggest-name.ts';
import type { Inputs } from './lint-effects.ts';

/** Where the records lie that a construct names; null after a fault. Of `*` only what all have is known: nothing is checked. */
export function othersPlaces(
  context: ResourceLint,
  path: JsonPath,
  others: OthersDefinition,
  source: PathPlace,
): readonly PathPlace[] | null {
  if (others.of === '*') {
    if (typeof others.by !== 'string') context.report([...path, 'by'], '"of": "*" 须有 "by": 字段');
    return [];
  }
  if (others.of !== undefined) return ofPlaces(context, path, { ...others, of: others.of }, source);
  if (others.to === undefined) return [source];
  const resolved = resolveFieldPath(source, others.to);
  if (resolved.kind === 'unknown') {
    context.report([...path, 'to'], `未知字段 "${others.to}"${suggestion(others.to, resolved.known)}`);
    return null;
  }
  if (resolved.kind === 'open') return [];
  const { field } = resolved;
  if (field.type === 'lines') return [context.place(field.name)];
  if (field.type === 'reference' && typeof field.to === 'string') {
    const target = targetPlace(field.to, context.catalog);
    return target === null ? [] : [target];
  }
  context.report([...path, 'to'], `"${others.to}" 不是引用，也不是明细`);
  return null;
}

function ofPlaces(
  context: ResourceLint,
  path: JsonPath,
  others: OthersDefinition & { readonly of: string },
  source: PathPlace,
): readonly PathPlace[] | null {
  const target = targetPlace(others.of, context.catalog);
  if (target === null) {
    const known = Object.keys(context.catalog.resources);
    context.report([...path, 'of'], `未知资源 "${others.of}"${suggestion(others.of, known)}`);
    return null;
  }
  if (others.by === undefined) {
    context.report(path, '"of" 须有 "by"');
    return null;
  }
  if (typeof others.by === 'string') lintTie(context, [...path, 'by'], others.by, target);
  else
    for (const [theirs, own] of Object.entries(others.by)) {
      lintTie(context, [...path, 'by', theirs], theirs, target);
      lintGivenValue(context, [...path, 'by', theirs], own, { place: source });
    }
  return [target];
}

/** What ties records is a column of theirs or of their lines, never something behind a reference. */
function lintTie(context: ResourceLint, path: JsonPath, name: string, target: PathPlace): void {
  const before = context.faults.length;
  context.field(path, name, target, path.at(-1) === 'by' ? 'value' : 'key');
  const [head = '', cell] = name.split('.');
  if (context.faults.length > before || cell === undefined || head === 'parent') return;
  if (target.resource.fields[head]?.type !== 'lines')
    context.report(path, `"${name}" 在引用的记录上，"by" 只认本单据与明细的字段，请改用 "where"`);
}

/** Checks the filter over other records that a construct names. */
export function lintOthersFilter(
  context: ResourceLint,
  path: JsonPath,
  where: Filter | undefined,
  at: {
    readonly target: PathPlace;
    readonly source: PathPlace;
    readonly inputs: Inputs;
  },
): void {
  lintFilter(context, path, where, {
    place: at.target,
    record: at.source,
    source: at.source,
    inputs: at.inputs,
  });
}
