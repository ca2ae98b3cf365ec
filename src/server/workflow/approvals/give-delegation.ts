import type { DelegationForm, Delegations } from '#contract/approval.ts';
import { addDays, isDate } from '#engine/values/dates.ts';
import { lockName } from '#server/kernel/db/lock-name.ts';
import { AppError } from '#server/kernel/errors.ts';
import { pageRoute } from '#server/records/definitions/page-route.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';
import type { Reader, Tx } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { keepAnswer } from '#server/records/write/keep-answer.ts';
import { writeAudit } from '#server/records/write/write-audit.ts';
import { tellPeople } from '#server/workflow/events/emit-event.ts';
import { approvedKinds } from './approved-kinds.ts';
import { kindTitles, listDelegations } from './delegations.ts';
import { activePeople, peopleNamed } from './find-approvers.ts';

/** Of the parameters: so many days a delegation lasts at most. */
const LONGEST = 'DELEGATION_MAX_DAYS';
const SHIPPED_LONGEST = '90';

/** What is given: to whom, from one day to another, of which kinds of documents (null: of all). */
export interface GivenDelegation {
  readonly to: string;
  readonly from: string;
  readonly until: string;
  readonly kinds: readonly string[] | null;
}

/** Lets another person of the company decide the caller's tasks from one day to another. */
export async function createDelegation(
  services: Services,
  caller: Caller,
  asked: DelegationForm,
): Promise<Delegations> {
  const { today } = caller.context;
  const kinds = asked.kinds === undefined || asked.kinds.length === 0 ? null : [...new Set(asked.kinds)];
  const given = { to: asked.to, from: asked.valid_from ?? today, until: asked.valid_to, kinds };
  requirePeriod(caller, given, { from: 'valid_from', until: 'valid_to' });
  return services.db.transaction(async (tx) => {
    const name = await requireColleague(tx, caller, given.to);
    await requireRights(tx, services, caller, { ...given, name });
    await insertDelegation(tx, services, caller, { ...given, at: 'valid_from' });
    const answer = await listDelegations(tx, services, caller);
    await keepAnswer(tx, caller, answer);
    return answer;
  });
}

/** Ends a delegation that the caller gave. @throws NOT_FOUND */
export async function revokeDelegation(services: Services, caller: Caller, id: string): Promise<void> {
  const now = services.clock();
  await services.db.transaction(async (tx) => {
    const [row] = await tx.query(
      `update sys_delegation set revoked_at = $3 where id::text = $1 and from_person = $2::uuid and revoked_at is null
       returning to_person, valid_from::text, valid_to::text, kinds`,
      [id, caller.subject.id, now.toISOString()],
    );
    if (row === undefined) throw new AppError('NOT_FOUND');
    const ended = {
      to: String(row['to_person']),
      from: String(row['valid_from']),
      until: String(row['valid_to']),
      kinds: Array.isArray(row['kinds']) ? row['kinds'].map(String) : null,
    };
    await note(tx, services, caller, { ...ended, action: 'end_entrust', event: 'DELEGATION_ENDED' });
    await keepAnswer(tx, caller, null);
  });
}

/**
 * Writes a delegation, its audit row and the notice to who received it. Of two that say the same the second is refused
 * beside the field `at`.
 */
export async function insertDelegation(
  tx: Tx,
  services: Services,
  caller: Caller,
  { at, ...given }: GivenDelegation & { readonly at: string },
): Promise<void> {
  const { subject } = caller;
  await lockName(tx, `delegation ${subject.id}`);
  await requireNew(tx, caller, given, at);
  const now = services.clock();
  await tx.query(
    `insert into sys_delegation (id, co_code, from_person, to_person, valid_from, valid_to, kinds, created_at)
     values ($1, $2, $3, $4, $5::date, $6::date, $7::text[], $8)`,
    [
      uuidv7(now),
      subject.co_code,
      subject.id,
      given.to,
      given.from,
      given.until,
      given.kinds,
      now.toISOString(),
    ],
  );
  await note(tx, services, caller, { ...given, action: 'entrust', event: 'DELEGATION_GIVEN' });
}

/** Days that a delegation may cover, its faults beside the fields that are named. */
export function requirePeriod(
  { context }: Caller,
  { from, until }: Pick<GivenDelegation, 'from' | 'until'>,
  at: { readonly from: string; readonly until: string },
): void {
  if (!isDate(from)) throw refusal(at.from, '日期格式不正确');
  if (!isDate(until)) throw refusal(at.until, '日期格式不正确');
  if (from < context.today) throw refusal(at.from, '开始日期不能早于今天');
  if (until < from) throw refusal(at.until, '结束日期不能早于开始日期');
  const longest = Number(context.params[LONGEST] ?? SHIPPED_LONGEST);
  const last = addDays(from, longest);
  if (until > last) throw refusal(at.until, `委托最长${longest}天，结束日期不能晚于${last}`);
}

/** Somebody a task may be handed to: active, of the company, somebody else. */
export async function requireDelegate(db: Reader, caller: Caller, to: string): Promise<void> {
  if (!IS_ID.test(to)) throw refusal('to', '请选择转审人');
  if (to === caller.subject.id) throw refusal('to', '不能转给本人');
  if ((await nameOf(db, caller, to)) === null) throw refusal('to', '转审人不存在或已停用');
}

const IS_ID = /^[0-9a-f-]{36}$/;

async function requireColleague(db: Reader, caller: Caller, to: string): Promise<string> {
  if (!IS_ID.test(to)) throw refusal('to', '请选择受托人');
  if (to === caller.subject.id) throw refusal('to', '不能委托给本人');
  const name = await nameOf(db, caller, to);
  if (name === null) throw refusal('to', '受托人已停用，或不是本公司的同事');
  return name;
}

async function nameOf(db: Reader, { subject, context }: Caller, id: string): Promise<string | null> {
  const [person] = await activePeople(db, { company: subject.co_code, today: context.today }, [id]);
  return person?.name ?? null;
}

/** Both need the right to approve: nobody gives what he has not, and a delegate decides by a right of his own. */
async function requireRights(
  db: Reader,
  services: Services,
  caller: Caller,
  { to, name, kinds }: GivenDelegation & { readonly name: string },
): Promise<void> {
  const own = await approvedKinds(db, services, caller.subject.id);
  if (own.length === 0) throw refusal('to', '您没有审核权限，无需委托');
  const foreign = (kinds ?? []).filter((kind) => !own.includes(kind));
  if (foreign.length > 0) throw refusal('kinds', `您没有审核权限：${kindTitles(services, foreign)}`);
  const theirs = new Set(await approvedKinds(db, services, to));
  const closed = (kinds ?? own).filter((kind) => !theirs.has(kind));
  if (kinds === null && closed.length === own.length)
    throw refusal('to', `${name}没有您所审核单据的审核权限，不能受托`);
  if (kinds !== null && closed.length > 0)
    throw refusal('kinds', `${name}没有审核权限：${kindTitles(services, closed)}`);
}

/** @throws BAD_REQUEST where the same colleague decides the same on one of these days already */
async function requireNew(db: Reader, caller: Caller, given: GivenDelegation, at: string): Promise<void> {
  const [same] = await db.query(
    `select d.valid_from::text, d.valid_to::text, t.name from sys_delegation d left join person t on t.id = d.to_person
     where d.from_person = $1::uuid and d.to_person = $2::uuid and d.revoked_at is null
       and d.valid_from <= $4::date and d.valid_to >= $3::date
       and (d.kinds is null or $5::text[] is null or d.kinds && $5::text[]) order by d.valid_from limit 1`,
    [caller.subject.id, given.to, given.from, given.until, given.kinds],
  );
  if (same === undefined) return;
  const days = `${textOf(same['valid_from'])} 至 ${textOf(same['valid_to'])}`;
  throw refusal(at, `已委托${textOf(same['name'] ?? '')}审核（${days}），日期重叠`);
}

/** What becomes of a delegation stands in the history of who gave it, and its receiver is told. */
async function note(
  tx: Tx,
  services: Services,
  caller: Caller,
  { to, from, until, kinds, action, event }: GivenDelegation & Noted,
): Promise<void> {
  const [person] = await peopleNamed(tx, [to]);
  const what = `${from} 至 ${until}，${kinds === null ? '全部单据' : kindTitles(services, kinds)}`;
  await writeAudit(
    tx,
    { caller, at: services.clock() },
    {
      resource: 'person',
      record_id: caller.subject.id,
      co_code: caller.subject.co_code,
      action,
      opinion: `${person?.name ?? ''}：${what}`.slice(0, 500),
    },
  );
  await tellPeople(tx, services, {
    event,
    to: [to],
    company: caller.subject.co_code,
    words: { person: caller.subject.name, opinion: what },
    link: pageRoute(services.definitions, OWN_PAGE),
  });
}

/** Where one sees one's delegations. */
const OWN_PAGE = 'self';

interface Noted {
  readonly action: 'entrust' | 'end_entrust';
  readonly event: 'DELEGATION_GIVEN' | 'DELEGATION_ENDED';
}

function refusal(path: string, message: string): AppError {
  return new AppError('BAD_REQUEST', { message, problems: [{ path, code: 'delegation', message }] });
}
