import { smsAfterCommit } from '../notices/sms-outbox.ts';
import type { OpenRecord } from './attach-references.ts';
import { recordLabel } from './label-expression.ts';
import type { Call } from './open-call.ts';
import { currentCatalog } from './overrides.ts';
import type { Reader, Tx } from './statement.ts';
import { textOf } from './text-of.ts';

/** What happened to a record, for the notices. */
export interface RecordEvent {
  readonly event: string;
  readonly record: OpenRecord;
  readonly opinion?: string | null;
  /** People to tell; default: whom the event's source names. */
  readonly to?: readonly string[];
  /** People to tell besides. */
  readonly also?: readonly string[];
  readonly previous?: OpenRecord;
}

/**
 * Tells people of an event, in the transaction: nobody hears of what was rolled back. An active row of the notice
 * sources wins over the file. Without receivers nothing is written.
 */
export async function emitEvent(tx: Tx, call: Call, told: RecordEvent): Promise<void> {
  const { resource, services, caller } = call;
  const { record } = told;
  const company = textOf(record['co_code'] ?? caller.subject.co_code);
  const source = await eventSource(tx, call, told.event);
  if (source === null) return;
  const named = told.to ?? (await receiversOf(tx, call, { source, told, company }));
  const to = [...new Set([...named, ...(told.also ?? [])])].filter((id) => /^[0-9a-f-]{36}$/.test(id));
  const others = to.filter((id) => id !== caller.subject.id || told.to !== undefined);
  if (others.length === 0) return;
  const label = recordLabel(resource, record);
  const words: Readonly<Record<string, string>> = {
    no: label,
    name: label,
    title: resource.title,
    amount: textOf(record['total_amount'] ?? record['amount']),
    person: caller.subject.name,
    opinion: told.opinion ?? '',
  };
  const opinion = told.opinion === undefined || told.opinion === null ? '' : `：${told.opinion}`;
  const title = fill(source.title, words);
  const content =
    source.content === null ? `${resource.title} ${label}${opinion}`.trim() : fill(source.content, words);
  if (source.channels.has('sms')) await sendByPhone(tx, call, { to: others, text: `${title}：${content}` });
  if (!source.channels.has('live') && !source.channels.has('center')) return;
  await services.notices.notify(tx, {
    event: told.event,
    to: others,
    title,
    content,
    coCode: company,
    level: source.level,
    isLive: source.channels.has('live'),
    resource: resource.resource,
    recordId: String(record['id']),
  });
}

/** So many people at most get one message each: an event is no newsletter. */
const MAX_SMS = 50;

/** When the write is committed: to employees and to the accounts of customers by their mobile numbers. */
async function sendByPhone(
  tx: Tx,
  { services }: Call,
  message: { readonly to: readonly string[]; readonly text: string },
): Promise<void> {
  const rows = await tx.query<{ mobile: string }>(
    `select mobile from person where id = any($1::uuid[]) and mobile is not null
     union select mobile from partner__accounts where id = any($1::uuid[]) and mobile is not null limit ${MAX_SMS}`,
    [message.to],
  );
  for (const { mobile } of rows) smsAfterCommit({ tx, services }, { to: mobile, text: message.text });
}

/** Ids of the active people of a company who hold one of these roles. */
async function holdersOf(db: Reader, company: string, roles: readonly string[]): Promise<readonly string[]> {
  if (roles.length === 0) return [];
  const rows = await db.query(
    `select p.id from person p where p.co_code = $1 and p.is_deleted = false and p.status = 'active'
       and exists (select 1 from role r where r.id = any(p.role_ids) and r.code = any($2::text[]) and r.is_deleted = false) order by p.id`,
    [company, roles],
    'holders',
  );
  return rows.map((row) => String(row['id']));
}

interface EventSource {
  readonly title: string;
  readonly content: string | null;
  readonly level: string;
  /** Role codes. */
  readonly roles: readonly string[];
  /** `owner`, `previous_owner`, `service`, `manager`, `submitter`, `partner`. */
  readonly parts: ReadonlySet<string>;
  /** `live`, `center`, `sms`. */
  readonly channels: ReadonlySet<string>;
}

const MESSAGE_SOURCE = 'message_source';
const SHIPPED_CHANNELS: ReadonlySet<string> = new Set(['live', 'center']);

/** How an event is told; null when an administrator has switched it off. */
async function eventSource(tx: Tx, call: Call, event: string): Promise<EventSource | null> {
  const file = fileSource(call, event);
  if (currentCatalog(call.services).resources[MESSAGE_SOURCE] === undefined) return file;
  const [row] = await tx.query(
    `select s.status, s.title_tpl, s.content_tpl, s.level, s.receiver_owner, s.receiver_partner, s.channel,
       array(select r.code from role r where r.id = any(s.receiver_roles)) as roles
     from message_source s where s.event_code = $1 and s.is_deleted = false limit 1`,
    [event],
    'event_source',
  );
  if (row === undefined) return file;
  if (row['status'] !== 'active') return null;
  return {
    title: text(row['title_tpl']) ?? file.title,
    content: text(row['content_tpl']),
    level: text(row['level']) ?? file.level,
    roles: texts(row['roles']),
    parts: new Set([
      ...[...file.parts].filter((part) => part !== 'owner' && part !== 'partner'),
      ...(row['receiver_owner'] === true ? ['owner'] : []),
      ...(row['receiver_partner'] === true ? ['partner'] : []),
    ]),
    channels: new Set(texts(row['channel'])),
  };
}

/** The file's entry: a title, or `{ title, content, level, to: ["FN", "owner", "partner", "submitter"] }`. */
function fileSource(call: Call, event: string): EventSource {
  const setup = call.services.definitions.setup();
  const entry = member(setup.files['message-events'], event);
  const to = texts(member(entry, 'to'));
  return {
    title: setup.events[event] ?? event,
    content: text(member(entry, 'content')),
    level: text(member(entry, 'level')) ?? 'info',
    roles: to.filter((name) => /^[A-Z]{2}$/.test(name)),
    parts: new Set(to.filter((name) => !/^[A-Z]{2}$/.test(name))),
    channels: SHIPPED_CHANNELS,
  };
}

interface Receiving {
  readonly source: EventSource;
  readonly told: RecordEvent;
  readonly company: string;
}

async function receiversOf(tx: Tx, call: Call, receiving: Receiving): Promise<readonly string[]> {
  const { source, told, company } = receiving;
  const { record, previous } = told;
  const ids = new Set<string>(await holdersOf(tx, company, source.roles));
  const add = (part: string, id: unknown): void => {
    if (source.parts.has(part) && typeof id === 'string') ids.add(id);
  };
  add('owner', record['sales_id']);
  add('previous_owner', previous?.['sales_id']);
  add('submitter', record['submitted_by']);
  add('service', record['service_id']);
  if (source.parts.has('manager'))
    for (const id of await managersOf(tx, company, record['dept_code'])) ids.add(id);
  if (source.parts.has('partner')) for (const id of await partnerAccountsOf(tx, call, record)) ids.add(id);
  return [...ids];
}

async function managersOf(tx: Tx, company: string, department: unknown): Promise<readonly string[]> {
  if (typeof department !== 'string') return [];
  const rows = await tx.query(
    `select d.manager_id as id from department d where d.co_code = $1 and d.code = $2 and d.manager_id is not null and d.is_deleted = false`,
    [company, department],
    'managers',
  );
  return rows.map((row) => String(row['id']));
}

/** The accounts of the partner that a record belongs to, or is. */
async function partnerAccountsOf(tx: Tx, call: Call, record: OpenRecord): Promise<readonly string[]> {
  const accounts = call.catalog.resources['partner']?.fields['accounts'];
  if (accounts === undefined) return [];
  const partner = record['partner_id'] ?? (call.resource.resource === 'partner' ? record['id'] : null);
  if (typeof partner !== 'string') return [];
  const rows = await tx.query(
    `select a.id from partner__accounts a where a.parent_id = $1::uuid and a.status = 'active'`,
    [partner],
    'partner_accounts',
  );
  return rows.map((row) => String(row['id']));
}

function fill(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
