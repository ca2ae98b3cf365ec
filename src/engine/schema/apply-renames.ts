import type { Comparison, Filter, FilterValue } from './definition.ts';
import { fieldsAt, type PathPlace, targetPlace } from './field-path.ts';
import type { Field } from './resource.ts';

/** A name of the definitions that is another now. `resource` is called by its present name. */
export type Rename =
  | { readonly kind: 'resource'; readonly resource: string; readonly was: string; readonly name: string }
  | {
      readonly kind: 'field';
      readonly resource: string;
      /** Present name of the line list whose column it is; null for a field of the head. */
      readonly lines: string | null;
      readonly was: string;
      readonly name: string;
    }
  | { readonly kind: 'state'; readonly resource: string; readonly was: string; readonly name: string };

/**
 * A field path with the present names, over references too; parts that no rename speaks of stay.
 * @example renamePath({ resource: note, catalog }, 'buyer_id.tel', [tel is phone in buyer]) // 'buyer_id.phone'
 */
export function renamePath(place: PathPlace, path: string, renames: readonly Rename[]): string {
  return walk(place, path, renames).path;
}

/** A filter with the present names of fields and states. What is no filter comes back as it is. */
export function renameInFilter(place: PathPlace, filter: Filter, renames: readonly Rename[]): Filter {
  if (!isObject(filter)) return filter;
  const entries = Object.entries(filter).map(([key, part]) => {
    if ((key === 'and' || key === 'or') && isFilterList(part))
      return [key, part.map((inner) => renameInFilter(place, inner, renames))];
    const end = walk(place, key, renames);
    return [end.path, isComparison(part) ? renameValues(part, end, { place, renames }) : part];
  });
  return Object.fromEntries(entries);
}

/** A template (`{no}：{buyer}`, `{co}{pay_type}{seq:5}`) with the present names of the fields of a resource. */
export function renameInTemplate(template: string, resource: string, renames: readonly Rename[]): string {
  return template.replace(/\{([a-z_0-9]+)\}/g, (whole, word: string) => {
    const name = renamed(renames, { resource, lines: null, was: word });
    return name === null ? whole : `{${name}}`;
  });
}

interface PathEnd {
  readonly path: string;
  /** Resource and name of the field at the end, null where the path cannot be followed. */
  readonly resource: string | null;
  readonly field: string | null;
}

function walk(start: PathPlace, path: string, renames: readonly Rename[]): PathEnd {
  let place: PathPlace | null = start;
  let end: { resource: string; field: string } | null = null;
  const parts = path.split('.').map((part, index, all) => {
    const isPrefix = (part === 'record' && index === 0) || (part === 'parent' && place?.lines !== undefined);
    if (isPrefix && index < all.length - 1) {
      if (part === 'parent' && place !== null) place = { resource: place.resource, catalog: place.catalog };
      return part;
    }
    if (place === null) return part;
    const at = { resource: place.resource.resource, lines: place.lines ?? null };
    const name = renamed(renames, { ...at, was: part }) ?? part;
    const fields = fieldsAt(place);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    end = field === undefined ? null : { resource: at.resource, field: name };
    place = field === undefined ? null : beyond(place, field);
    return name;
  });
  const found = end as { resource: string; field: string } | null;
  return { path: parts.join('.'), resource: found?.resource ?? null, field: found?.field ?? null };
}

function beyond(place: PathPlace, field: Field): PathPlace | null {
  if (field.type === 'lines') return { resource: place.resource, catalog: place.catalog, lines: field.name };
  return typeof field.to === 'string' ? targetPlace(field.to, place.catalog) : null;
}

function renamed(
  renames: readonly Rename[],
  asked: { readonly resource: string; readonly lines: string | null; readonly was: string },
): string | null {
  const found = renames.find(
    (rename) =>
      rename.kind === 'field' &&
      rename.resource === asked.resource &&
      rename.lines === asked.lines &&
      rename.was === asked.was,
  );
  return found?.name ?? null;
}

function renameValues(
  comparison: Comparison,
  end: PathEnd,
  { place, renames }: { readonly place: PathPlace; readonly renames: readonly Rename[] },
): Comparison {
  const states = new Map(
    renames.flatMap((rename) =>
      rename.kind === 'state' && rename.resource === end.resource && end.field === 'status'
        ? [[rename.was, rename.name] as const]
        : [],
    ),
  );
  const value = (given: FilterValue): FilterValue => {
    if (typeof given === 'string') return states.get(given) ?? given;
    if (isValueList(given)) return given.map(value);
    if (isObject(given) && '$' in given && typeof given.$ === 'string' && /^(record|parent)\./.test(given.$))
      return { $: renamePath(place, given.$, renames) };
    return given;
  };
  return Object.fromEntries(
    Object.entries(comparison).map(([operator, given]) => [
      operator,
      given === undefined ? given : value(given),
    ]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilterList(part: unknown): part is readonly Filter[] {
  return Array.isArray(part);
}

function isComparison(part: unknown): part is Comparison {
  return isObject(part);
}

function isValueList(value: FilterValue): value is readonly FilterValue[] {
  return Array.isArray(value);
}
