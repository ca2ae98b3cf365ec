import { type PathPlace, targetPlace } from '../schema/field-path.ts';
import { filterReads } from '../schema/filter-reads.ts';
import { formulaReads } from '../schema/formula-reads.ts';
import type { PostingDefinition } from '../schema/ledger-definition.ts';
import type { Catalog, Field, Resource } from '../schema/resource.ts';
import { accountNamed } from './account-name.ts';

/**
 * Whether what a posting reads can move with the entries before it in the same write: balances, figures over ledgers and
 * formulas above them. Only then each of its entries waits for the one before; else all are written together.
 */
export function readsLedger(posting: PostingDefinition, resource: Resource, catalog: Catalog): boolean {
  const place: PathPlace = { resource, catalog, lines: posting.each };
  const by = typeof posting.type === 'object' ? [posting.type.by] : [];
  const account = posting.account === undefined || posting.account.startsWith('@') ? [] : [posting.account];
  const values = [posting.amount, posting.date, ...by, ...account, ...Object.values(posting.set ?? {})];
  const named = accountNamed(posting.account ?? '', catalog);
  const force = typeof posting.force === 'object' ? posting.force : undefined;
  const filters = [posting.when, force].flatMap((filter) => Object.values(filterReads(filter)).flat());
  const reads = [...values, ...Object.values(named?.values ?? {})]
    .filter((value) => typeof value === 'string')
    .flatMap(formulaReads);
  return [...reads, ...filters].some((path) => isLedgerPath(path, place, new Set()));
}

/** Follows a path: true when it ends in, or passes over lines of, what moves with a ledger. */
function isLedgerPath(path: string, start: PathPlace, seen: Set<string>): boolean {
  let place = start;
  for (const name of path.split('.')) {
    if (name === 'parent' || name === 'record' || name === 'source') {
      place = name === 'parent' ? { resource: place.resource, catalog: place.catalog } : place;
      continue;
    }
    const field = fieldAt(place, name);
    if (field === undefined) return false;
    if (isLedgerField(field, place, seen)) return true;
    if (field.type === 'lines') place = { ...place, lines: name };
    else if (field.type === 'reference' && typeof field.to === 'string') {
      const next = targetPlace(field.to, place.catalog);
      if (next === null) return false;
      place = next;
    } else return false;
  }
  return false;
}

function fieldAt({ resource, lines }: PathPlace, name: string): Field | undefined {
  const fields = lines === undefined ? resource.fields : (resource.fields[lines]?.fields ?? {});
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function isLedgerField(field: Field, place: PathPlace, seen: Set<string>): boolean {
  const key = `${place.resource.resource}.${place.lines ?? ''}.${field.name}`;
  if (seen.has(key)) return false;
  seen.add(key);
  const { account } = place.resource;
  if (account !== undefined && [account.balance, account.held, account.available].includes(field.name))
    return true;
  if (field.rollup !== undefined) return isLedgerRollup(field, place, seen);
  if (field.formula === undefined) return false;
  // A stored formula moves only when its own record is computed again: when that keeps a figure over a ledger.
  if (field.frozen !== undefined || !keepsLedgerFigure(place, seen)) return false;
  return formulaReads(field.formula).some((path) => isLedgerPath(path, place, seen));
}

function isLedgerRollup(field: Field, place: PathPlace, seen: Set<string>): boolean {
  const { of = '', sum, max, min, avg } = field.rollup ?? {};
  const source = targetPlace(of, place.catalog);
  if (source === null) return false;
  if (source.resource.ledger !== undefined) return true;
  return [sum, max, min, avg].some((path) => path !== undefined && isLedgerPath(path, source, seen));
}

function keepsLedgerFigure({ resource, catalog }: PathPlace, seen: Set<string>): boolean {
  return Object.values(resource.fields).some(
    (field) =>
      (field.rollup !== undefined && isLedgerRollup(field, { resource, catalog }, seen)) ||
      Object.values(field.fields ?? {}).some(
        (cell) =>
          cell.rollup !== undefined && isLedgerRollup(cell, { resource, catalog, lines: field.name }, seen),
      ) ||
      (resource.account !== undefined && field.name === resource.account.balance),
  );
}
