import { filterToSql, type SqlEnv } from '#engine/filter/filter-to-sql.ts';
import { brokenFilter } from '#engine/record/broken-limit.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { LimitDefinition } from '#engine/schema/effects-definition.ts';
import type { PostingDefinition } from '#engine/schema/ledger-definition.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import type { BrokenSql, Invariant } from './check-invariants.ts';

/**
 * Every declared limit, looked for in all that is stored: a write judges only the records that it moves. What documents
 * claim is no invariant: its bound may have fallen since.
 */
export function limitInvariants(catalog: Catalog): readonly Invariant[] {
  return Object.values(catalog.resources).flatMap((resource) =>
    resource.limits
      .filter(({ level, claim }) => level !== 'warning' && claim !== true)
      .map((limit) => ({
        code: isOfRoom(limit, resource) ? 'INV-03' : '限额',
        title: limit.message,
        of: resource.resource,
        broken: brokenSql(limit, { resource, catalog }),
      })),
  );
}

/** Whether it is what an account must have left (flows INV-03). */
function isOfRoom({ assert }: LimitDefinition, { account }: Resource): boolean {
  return account?.available !== undefined && Object.hasOwn(assert, account.available);
}

function brokenSql(
  { each, when, assert }: LimitDefinition,
  { resource, catalog }: { readonly resource: Resource; readonly catalog: Catalog },
): BrokenSql {
  const filter: Filter = { and: [...(when === undefined ? [] : [when]), brokenFilter(assert)] };
  return ({ context, values }) => {
    const head: SqlEnv = { resource, catalog, context, values, alias: 't' };
    const alive = aliveSql(head);
    if (each === undefined) return [...alive, headSql(filter, head)].join(' and ');
    const lines = filterToSql(filter, { ...head, alias: 'l', lines: each, parentAlias: 't' });
    const rows = `select 1 from ${linesTableOf(resource, each)} l where l.co_code = t.co_code and l.parent_id = t.id`;
    return [...alive, `exists (${rows} and (${lines}))`].join(' and ');
  };
}

/** What is as if it had never been breaks nothing. */
function aliveSql(head: SqlEnv): readonly string[] {
  const dead = head.resource.lifecycle?.groups?.['dead'] ?? [];
  return dead.length === 0 ? [] : [filterToSql({ status: { nin: dead } }, head)];
}

/** An account may be beyond its bound by what was posted that asks for no room: interest, charges, fees. */
function headSql(filter: Filter, head: SqlEnv): string {
  const { resource, catalog, values } = head;
  const { ledger: key, available } = resource.account ?? {};
  const ledger = key === undefined ? undefined : catalog.resources[key];
  if (ledger?.ledger === undefined || available === undefined) return filterToSql(filter, head);
  const types = Object.values(catalog.resources)
    .flatMap(({ postings }) => postings)
    .filter(({ force }) => force !== undefined && force !== false)
    .flatMap(typesOf);
  const [account, amount, type] = [ledger.ledger.account, ledger.ledger.amount, ledger.ledger.net].map(
    quoteName,
  );
  values.push([...new Set(types)]);
  const forced = `select sum(e.${amount}) from ${tableOf(ledger)} e where e.${account} = t.id and e.${type} = any($${values.length}::text[])`;
  const room = `t.${quoteName(available)} - least(coalesce((${forced}), 0), 0)`;
  return `exists (select 1 from jsonb_populate_record(t, jsonb_build_object('${available}', ${room})) u
    where ${filterToSql(filter, { ...head, alias: 'u' })})`;
}

function typesOf({ type }: PostingDefinition): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : Object.values(type).flatMap(textsOf);
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
