import { digitsOf } from '#engine/fields/decimal-value.ts';
import type { RollupDefinition } from '#engine/schema/definition.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { roundDecimal } from '#engine/values/decimal.ts';

/** A field that keeps a figure over other records: of a head, or a column of its lines. */
export interface RollupField {
  readonly owner: Resource;
  readonly lines: string | null;
  readonly field: Field;
  readonly rollup: RollupDefinition;
}

/** The figures that are kept over a resource or its lines. */
export function rollupsOver(catalog: Catalog, key: string): readonly RollupField[] {
  const known = found.get(catalog);
  if (known !== undefined) return known.get(key) ?? [];
  const byResource = new Map<string, RollupField[]>();
  for (const owner of Object.values(catalog.resources))
    for (const kept of rollupFieldsOf(owner)) {
      const of = kept.rollup.of.split('.')[0] ?? '';
      byResource.set(of, [...(byResource.get(of) ?? []), kept]);
    }
  found.set(catalog, byResource);
  return byResource.get(key) ?? [];
}

const found = new WeakMap<Catalog, ReadonlyMap<string, readonly RollupField[]>>();

/** The figures that a resource keeps. */
export function rollupFieldsOf(owner: Resource): readonly RollupField[] {
  const known = keptFigures.get(owner) ?? findFigures(owner);
  keptFigures.set(owner, known);
  return known;
}

const keptFigures = new WeakMap<Resource, readonly RollupField[]>();

function findFigures(owner: Resource): readonly RollupField[] {
  const kept = (lines: string | null, field: Field): readonly RollupField[] =>
    field.rollup === undefined ? [] : [{ owner, lines, field, rollup: field.rollup }];
  return Object.values(owner.fields).flatMap((field) => [
    ...kept(null, field),
    ...Object.values(field.fields ?? {}).flatMap((cell) => kept(field.name, cell)),
  ]);
}

/** `paid_amount`, or `items.shipped_quantity`. */
export function rollupName({ lines, field }: RollupField): string {
  return lines === null ? field.name : `${lines}.${field.name}`;
}

/** The fields of the summed rows by which they belong to an owner. */
export function rollupKeys(rollup: RollupDefinition): readonly string[] {
  return typeof rollup.by === 'string' ? [rollup.by] : Object.keys(rollup.by);
}

/** A comparison of the summed rows with a field of their owner: `where: { business_date: { lt: { "=": "source.day" } } }`. */
interface RollupBound {
  readonly theirs: string;
  readonly sign: '<' | '<=' | '>' | '>=';
  readonly own: string;
}

const SIGNS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** The bounds that a figure takes from its owner; all of them hold. */
export function rollupBounds({ where = {} }: RollupDefinition): readonly RollupBound[] {
  return Object.entries(where).flatMap(([theirs, comparison]) =>
    typeof comparison !== 'object' || Array.isArray(comparison)
      ? []
      : Object.entries(SIGNS).flatMap(([operator, sign]) => {
          const value: unknown = Reflect.get(comparison, operator);
          const formula = typeof value === 'object' && value !== null && '=' in value ? value['='] : null;
          const own =
            typeof formula === 'string' ? /^source\.([a-z][a-z0-9_]*)$/.exec(formula)?.[1] : undefined;
          return own === undefined ? [] : [{ theirs, sign, own }];
        }),
  );
}

/** The value of a figure over nothing: zero for sums and counts, empty for extremes. */
export function emptyRollup(field: Field): unknown {
  if (field.rollup?.count === true) return 0;
  if (field.rollup?.sum === undefined) return null;
  return field.type === 'integer' ? 0 : roundDecimal('0', digitsOf(field).scale);
}
