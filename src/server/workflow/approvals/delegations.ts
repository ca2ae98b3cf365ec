import { among } from '#server/kernel/db/among.ts';
import type { Delegations } from '#contract/approval.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { approvedKinds } from './approved-kinds.ts';
import { inForce } from './people-with-right.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** A day, and the kind of document that is decided on it. */
export interface DecidedOn {
  readonly today: string;
  readonly kind: string;
}

/** The delegations that the person gave or received and that have not ended, and the kinds that it may give. */
export async function listDelegations(db: Reader, services: Services, caller: Caller): Promise<Delegations> {
  const rows = await db.query(
    `select d.id, d.from_person, f.name as from_name, d.to_person, t.name as to_name, d.valid_from::text, d.valid_to::text, d.kinds
     from sys_delegation d left join person f on f.id = d.from_person left join person t on t.id = d.to_person
     where d.revoked_at is null and d.valid_to >= $2::date and (d.from_person = $1::uuid or d.to_person = $1::uuid)
     order by d.valid_from, d.id`,
    [caller.subject.id, caller.context.today],
  );
  return {
    delegations: rows.map((row) => ({
      id: String(row['id']),
      from_person: String(row['from_person']),
      from_name: textOf(row['from_name'] ?? ''),
      to_person: String(row['to_person']),
      to_name: textOf(row['to_name'] ?? ''),
      valid_from: String(row['valid_from']),
      valid_to: String(row['valid_to']),
      kinds: kindsOf(row['kinds'])?.map((kind) => titledKind(services, kind)) ?? null,
    })),
    kinds: (await approvedKinds(db, services, caller.subject.id)).map((kind) => titledKind(services, kind)),
  };
}

/** The titles of kinds of documents, for messages: 外销合同、付款申请. */
export function kindTitles(services: Services, kinds: readonly string[]): string {
  return kinds.map((kind) => titledKind(services, kind).title).join('、');
}

/** Somebody for whom another decides: of these kinds, null of every kind. */
export interface Delegator {
  readonly id: string;
  readonly kinds: readonly string[] | null;
}

/** All for whom a person decides today, besides for itself: a delegation ends with who gave it, and is not handed on. */
export async function delegationsTo(
  db: Reader,
  personId: string,
  today: string,
): Promise<readonly Delegator[]> {
  const rows = await db.query(
    `select d.from_person, d.kinds from sys_delegation d join person p on p.id = d.from_person
     where d.to_person::text = $1 and d.revoked_at is null and $2::date between d.valid_from and d.valid_to and ${inForce('$2')}`,
    [personId, today],
    'delegations_to',
  );
  return rows.map((row) => ({ id: String(row['from_person']), kinds: kindsOf(row['kinds']) }));
}

/** Those of them for whom the person decides documents of a kind. */
export async function delegatorsOf(
  db: Reader,
  personId: string,
  { today, kind }: DecidedOn,
): Promise<readonly string[]> {
  const given = await delegationsTo(db, personId, today);
  return [...new Set(given.flatMap(({ id, kinds }) => (kinds === null || kinds.includes(kind) ? [id] : [])))];
}

/** Who decides documents of a kind for these people today. */
export async function delegatesOf(
  db: Reader,
  personIds: readonly string[],
  { today, kind }: DecidedOn,
): Promise<readonly string[]> {
  const rows = await db.query(
    `select distinct d.to_person from sys_delegation d where d.from_person = ${among('$1')} and d.revoked_at is null
       and $2::date between d.valid_from and d.valid_to and (d.kinds is null or $3 = any(d.kinds))`,
    [personIds, today, kind],
    'delegates',
  );
  return rows.map((row) => String(row['to_person']));
}

function kindsOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.map(String) : null;
}

function titledKind(services: Services, kind: string): { readonly resource: string; readonly title: string } {
  return { resource: kind, title: currentCatalog(services).resources[kind]?.title ?? kind };
}
