import { among } from '#server/kernel/db/among.ts';
import type { Delegation, DelegationForm } from '#contract/approval.ts';
import { AppError } from '#server/kernel/errors.ts';
import { isDate } from '#engine/values/dates.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { inForce } from './approve-right.ts';
import { activePeople } from './find-approvers.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** The delegations that the person gave or received and that have not ended. */
export async function listDelegations(services: Services, caller: Caller): Promise<readonly Delegation[]> {
  const rows = await services.db.query(
    `select d.id, d.from_person, f.name as from_name, d.to_person, t.name as to_name, d.valid_from::text, d.valid_to::text
     from sys_delegation d left join person f on f.id = d.from_person left join person t on t.id = d.to_person
     where d.revoked_at is null and d.valid_to >= $2::date and (d.from_person = $1::uuid or d.to_person = $1::uuid)
     order by d.valid_from, d.id`,
    [caller.subject.id, caller.context.today],
  );
  return rows.map((row) => ({
    id: String(row['id']),
    from_person: String(row['from_person']),
    from_name: textOf(row['from_name'] ?? ''),
    to_person: String(row['to_person']),
    to_name: textOf(row['to_name'] ?? ''),
    valid_from: String(row['valid_from']),
    valid_to: String(row['valid_to']),
  }));
}

/** Lets another person of the company decide the caller's tasks from one day to another. */
export async function createDelegation(
  services: Services,
  caller: Caller,
  asked: DelegationForm,
): Promise<readonly Delegation[]> {
  const from = asked.valid_from ?? caller.context.today;
  if (!isDate(from) || !isDate(asked.valid_to))
    throw new AppError('BAD_REQUEST', {
      message: '日期格式不正确',
      problems: [{ path: 'valid_to', code: 'date', message: '日期格式不正确' }],
    });
  if (asked.valid_to < from || asked.valid_to < caller.context.today)
    throw new AppError('BAD_REQUEST', {
      message: '结束日期不能早于开始日期或今天',
      problems: [{ path: 'valid_to', code: 'range', message: '结束日期过早' }],
    });
  await requireDelegate(services.db, caller, asked.to);
  await insertDelegation(services.db, services, caller, { to: asked.to, from, until: asked.valid_to });
  return listDelegations(services, caller);
}

/** Ends a delegation that the caller gave. */
export async function revokeDelegation(services: Services, caller: Caller, id: string): Promise<void> {
  const rows = await services.db.query(
    `update sys_delegation set revoked_at = $3 where id::text = $1 and from_person = $2::uuid and revoked_at is null returning id`,
    [id, caller.subject.id, services.clock().toISOString()],
  );
  if (rows.length === 0) throw new AppError('NOT_FOUND');
}

export async function insertDelegation(
  tx: Reader,
  services: Pick<Services, 'clock'>,
  caller: Caller,
  given: { readonly to: string; readonly from: string; readonly until: string },
): Promise<void> {
  const now = services.clock();
  await tx.query(
    `insert into sys_delegation (id, co_code, from_person, to_person, valid_from, valid_to, created_at) values ($1, $2, $3, $4, $5::date, $6::date, $7)`,
    [
      uuidv7(now),
      caller.subject.co_code,
      caller.subject.id,
      given.to,
      given.from,
      given.until,
      now.toISOString(),
    ],
  );
}

/** Whom a person decides for today, besides for itself: a delegation ends with who gave it. */
export async function delegatorsOf(db: Reader, personId: string, today: string): Promise<readonly string[]> {
  const rows = await db.query(
    `select distinct d.from_person from sys_delegation d join person p on p.id = d.from_person
     where d.to_person::text = $1 and d.revoked_at is null and $2::date between d.valid_from and d.valid_to and ${inForce('$2')}`,
    [personId, today],
    'delegators',
  );
  return rows.map((row) => String(row['from_person']));
}

/** Who decides for these people today. */
export async function delegatesOf(
  db: Reader,
  personIds: readonly string[],
  today: string,
): Promise<readonly string[]> {
  const rows = await db.query(
    `select distinct d.to_person from sys_delegation d where d.from_person = ${among('$1')} and d.revoked_at is null and $2::date between d.valid_from and d.valid_to`,
    [personIds, today],
    'delegates',
  );
  return rows.map((row) => String(row['to_person']));
}

/** Somebody a task may be handed to: active, of the company, somebody else. */
export async function requireDelegate(db: Reader, caller: Caller, to: string): Promise<void> {
  if (!/^[0-9a-f-]{36}$/.test(to)) throw delegateRefusal('请选择转审人');
  if (to === caller.subject.id) throw delegateRefusal('不能转给本人');
  const [person] = await activePeople(db, { company: caller.subject.co_code, today: caller.context.today }, [
    to,
  ]);
  if (person === undefined) throw delegateRefusal('转审人不存在或已停用');
}

function delegateRefusal(message: string): AppError {
  return new AppError('BAD_REQUEST', { message, problems: [{ path: 'to', code: 'delegate', message }] });
}
