import type { FollowDefinition, MakeDefinition, OthersDefinition } from './effects-definition.ts';
import { type PathPlace, resolveFieldPath, targetPlace } from './field-path.ts';
import type { Action, Catalog, Resource } from './resource.ts';

/**
 * What the definitions themselves run and write, in the form in which code declares it too: `export_contract!start` (an
 * action), `shipment.forwarder_id`, `shipment.items.quantity` (a field), `shipment.status:approved` (a state).
 */
export function touchedNames(catalog: Catalog): ReadonlySet<string> {
  const touched = new Set<string>();
  for (const resource of Object.values(catalog.resources)) touchedBy(resource, catalog, touched);
  return touched;
}

/** True when an action (`!start`), field (`.atd`) or state is among the touched names: by itself, with all of its resource (`invoice_check.*`), or that of every resource (`*!void`). */
export function isTouched(touched: ReadonlySet<string>, resource: string, name: string): boolean {
  if (touched.has(`${resource}${name}`) || touched.has(`*${name}`)) return true;
  return name.startsWith('.') && touched.has(`${resource}.*`);
}

function touchedBy(resource: Resource, catalog: Catalog, touched: Set<string>): void {
  const key = resource.resource;
  const add = (...names: readonly (string | undefined)[]): void => {
    for (const name of names) if (name !== undefined) touched.add(`${key}.${name}`);
  };
  for (const entry of allFollows(resource)) touchedByFollow(resource, catalog, entry, touched);
  for (const action of Object.values(resource.lifecycle?.actions ?? {}))
    touchedByAction(key, action, touched);
  for (const make of Object.values(resource.makes)) touchedByMake(make, touched);
  const { amendment, secondPerson, tree, account, uploads, reads } = resource;
  // What waits is written down as it was asked for.
  if (secondPerson !== undefined) touched.add(`${secondPerson.in}.*`).add(`${secondPerson.in}!submit`);
  if (amendment !== undefined) {
    touched.add(`${amendment.of}!${amendment.open}`).add(`${amendment.of}!${amendment.close}`);
    for (const name of amendment.fields) touched.add(`${amendment.of}.${name}`);
    add(amendment.stage, ...(amendment.snapshots ?? []));
    for (const column of Object.keys(resource.fields[amendment.changes]?.fields ?? {}))
      add(`${amendment.changes}.${column}`);
  }
  add(tree?.path, tree?.depth, uploads?.field, reads);
  // An account that is missing is opened with its key.
  add(account?.balance, account?.held, account?.available, ...(account?.key ?? []));
  touchedByBooks(resource, add, touched);
}

/** Ledgers and books of vouchers are written by the engine, whole. */
function touchedByBooks(
  { fields, ledger, voucherBook }: Resource,
  add: (...names: readonly string[]) => void,
  touched: Set<string>,
): void {
  if (ledger !== undefined) add('*');
  if (voucherBook === undefined) return;
  add('*');
  const { period } = voucherBook;
  const to = period === undefined ? undefined : fields[period.field]?.to;
  if (period !== undefined && typeof to === 'string')
    for (const name of [period.month, period.from, period.to]) touched.add(`${to}.${name}`);
}

function allFollows(resource: Resource): readonly FollowDefinition[] {
  const { then, lifecycle } = resource;
  const ofActions = Object.values(lifecycle?.actions ?? {}).flatMap((action) => [
    ...(action.then ?? []),
    ...(action.approval?.then ?? []),
    ...(action.approval?.onRelease ?? []),
  ]);
  return [...then.create, ...then.update, ...then.save, ...then.delete, ...ofActions];
}

function touchedByAction(key: string, action: Action, touched: Set<string>): void {
  for (const name of Object.keys(action.set ?? {})) touched.add(`${key}.${name}`);
  for (const [lines, values] of Object.entries(action.add ?? {}))
    for (const column of Object.keys(values)) touched.add(`${key}.${lines}.${column}`);
}

function touchedByMake(make: MakeDefinition, touched: Set<string>): void {
  const [key = ''] = make.to.split('.');
  if (make.do !== undefined) touched.add(`${key}!${make.do}`);
  for (const name of [...namesOf(make.same), ...Object.keys({ ...make.map, ...make.find })])
    touched.add(`${make.to}.${name}`);
  for (const [lines, entry] of Object.entries(make.lines ?? {}))
    for (const name of [...namesOf(entry.same), ...Object.keys({ ...entry.map, ...entry.find })])
      touched.add(`${make.to}.${lines}.${name}`);
}

/** `*` copies nothing that only the system writes. */
function namesOf(same: MakeDefinition['same']): readonly string[] {
  return Array.isArray(same) ? same : [];
}

function touchedByFollow(
  resource: Resource,
  catalog: Catalog,
  entry: FollowDefinition,
  touched: Set<string>,
): void {
  const target = targetOf(resource, catalog, entry);
  if (target === null) return;
  if (entry.do !== undefined) touched.add(`${target}!${entry.do}`);
  for (const name of Object.keys(entry.set ?? {})) touched.add(`${target}.${name}`);
  for (const [lines, values] of Object.entries(entry.add ?? {}))
    for (const column of Object.keys(values)) touched.add(`${target}.${lines}.${column}`);
}

/** What an entry writes: `shipment`, `supplier.banks`, `*`; null where only the record knows. */
function targetOf(
  resource: Resource,
  catalog: Catalog,
  { of, to, each }: OthersDefinition & { readonly each?: string },
): string | null {
  if (of !== undefined) return of;
  if (to === undefined) return each === undefined ? resource.resource : `${resource.resource}.${each}`;
  const place: PathPlace = { resource, catalog, ...(each === undefined ? {} : { lines: each }) };
  const resolved = resolveFieldPath(place, to);
  if (resolved.kind !== 'field') return null;
  const { field } = resolved;
  if (field.type === 'lines') return `${resource.resource}.${field.name}`;
  return typeof field.to === 'string' && targetPlace(field.to, catalog) !== null ? field.to : null;
}
