import type { Catalog, Resource } from '#engine/schema/resource.ts';

/**
 * The order in which records of different resources are locked: those that refer before those they refer to (split,
 * receipt, shipment, contract), accounts behind documents and masters, a circle by name. Fixed for a catalog.
 */
export function lockRank(catalog: Catalog, resource: string): number {
  const known = ranks.get(catalog) ?? rankAll(catalog);
  ranks.set(catalog, known);
  return known.get(resource) ?? Number.MAX_SAFE_INTEGER;
}

const ranks = new WeakMap<Catalog, ReadonlyMap<string, number>>();

function rankAll(catalog: Catalog): ReadonlyMap<string, number> {
  const referring = new Map<string, Set<string>>();
  for (const resource of Object.values(catalog.resources)) referring.set(resource.resource, new Set());
  for (const resource of Object.values(catalog.resources))
    for (const target of targetsOf(resource))
      if (target !== resource.resource) referring.get(target)?.add(resource.resource);
  const order = new Map<string, number>();
  const open = new Set([...referring.keys()].sort());
  while (open.size > 0) {
    const next = nextOf(open, referring);
    order.set(next, order.size);
    open.delete(next);
  }
  return afterAccounts(catalog, order);
}

/** The first of the open ones that no open one refers to; in a circle the one with the fewest. */
function nextOf(open: ReadonlySet<string>, referring: ReadonlyMap<string, ReadonlySet<string>>): string {
  let best = '';
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of open) {
    const count = [...(referring.get(name) ?? [])].filter((other) => open.has(other)).length;
    if (count >= fewest) continue;
    best = name;
    fewest = count;
  }
  return best;
}

function afterAccounts(catalog: Catalog, order: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const size = order.size;
  return new Map(
    [...order].map(([name, rank]) => [
      name,
      catalog.resources[name]?.account === undefined ? rank : rank + size,
    ]),
  );
}

function targetsOf(resource: Resource): readonly string[] {
  const fields = Object.values(resource.fields).flatMap((field) => [
    field,
    ...Object.values(field.fields ?? {}),
  ]);
  return fields.flatMap(({ type, to, standard }) =>
    type === 'reference' && typeof to === 'string' && !standard ? [to.split('.')[0] ?? to] : [],
  );
}
