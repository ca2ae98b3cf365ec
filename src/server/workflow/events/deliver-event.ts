import type { EventWords } from '#server/records/following.ts';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { isRehearsal } from '#server/records/call/rehearsal.ts';
import type { Services } from '#server/records/services.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { canSendSms, smsAfterCommit } from '#server/workflow/notices/sms-outbox.ts';
import type { EventSource } from './event-source.ts';
import { fillTemplate } from './event-words.ts';
import { type GatheredEvent, MOST_TOLD_ALONE, takeGathered } from './gathered-events.ts';

export const NOBODY: ReadonlySet<string> = new Set();

/** An event as some of its receivers are told it. */
export interface Delivery {
  readonly event: string;
  readonly source: EventSource;
  readonly to: readonly string[];
  readonly company: string;
  /** Of which the texts were made. */
  readonly words: EventWords;
  readonly title: string;
  readonly content: string;
  readonly resource?: string;
  readonly recordId?: string;
  /** A page that the notice opens, of what is no record's. */
  readonly link?: string;
  readonly private?: ReadonlyMap<string, string>;
}

/** Tells it by the channels of its source; gives the ids of those who get a short message. */
export async function deliver(tx: Tx, services: Services, delivery: Delivery): Promise<ReadonlySet<string>> {
  const { source, company, resource, recordId, event, to, title, content } = delivery;
  const reached = source.channels.has('sms') ? await sendByPhone(tx, services, delivery) : NOBODY;
  // What is only tried out is told to nobody.
  if (isRehearsal(tx)) return reached;
  if (source.channels.has('live') || source.channels.has('center'))
    await services.notices.notify(tx, {
      event,
      to,
      title,
      content,
      coCode: company,
      level: source.level,
      isLive: source.channels.has('live'),
      ...(delivery.link === undefined ? placeOf(services, resource, recordId) : { link: delivery.link }),
    });
  return reached;
}

/** Tells what writes of many records have gathered: a few one by one, more in one notice that leads to their list. */
export async function tellGathered(
  tx: Tx,
  services: Services,
  gathered: readonly GatheredEvent[] = takeGathered(tx),
): Promise<void> {
  for (const { first, count } of gathered) {
    const [one] = first;
    if (one === undefined) continue;
    if (count <= MOST_TOLD_ALONE) for (const each of first) await deliver(tx, services, each);
    else await deliver(tx, services, manyAsOne(one, count));
  }
}

function manyAsOne(one: Delivery, count: number): Delivery {
  const { recordId: _recordId, ...rest } = one;
  const many = `${one.words['no'] ?? ''} 等${count}条`;
  const title = fillTemplate(one.source.title, { ...one.words, no: many, name: many });
  return { ...rest, title, content: `一次写入共${count}条，其中第一条：${one.content}` };
}

function placeOf(
  services: Services,
  resource: string | undefined,
  recordId: string | undefined,
): { readonly resource?: string; readonly recordId?: string; readonly link?: string } {
  if (resource === undefined) return {};
  if (recordId === undefined) return { resource, ...listOf(services, resource) };
  return { resource, recordId, ...linkOf(services, resource, recordId) };
}

function listOf(services: Services, key: string): { readonly link?: string } {
  const route = staffPages(services, key).find(({ kind }) => kind === 'list')?.route;
  return route === undefined ? {} : { link: route };
}

function staffPages(services: Services, key: string): readonly PageDefinition[] {
  return (currentCatalog(services).resources[key]?.pages ?? []).filter(
    ({ audience }) => audience !== 'partner',
  );
}

/** Where the staff see a record: its details, else its form. */
function linkOf(services: Services, key: string, id: string): { readonly link?: string } {
  const pages = staffPages(services, key);
  const route = ['details', 'edit'].flatMap(
    (kind) => pages.find((page) => page.kind === kind)?.route ?? [],
  )[0];
  return route === undefined ? {} : { link: `${route}?id=${id}` };
}

/** So many people at most get one message each: an event is no newsletter. */
const MAX_SMS = 50;

/**
 * By their mobile numbers, when the write is committed: to the accounts of the customer where the event is told to it,
 * else to the employees, who have the pop-up besides.
 */
async function sendByPhone(
  tx: Tx,
  services: Services,
  { source, to, title, content, private: own }: Delivery,
): Promise<ReadonlySet<string>> {
  // The event stands without its message; who needs that to go on at all asks for it himself.
  if (!canSendSms(services)) {
    services.log.warn({ title }, 'no sms provider: an event reaches nobody by phone');
    return new Set();
  }
  const rows = await tx.query<{ id: string; mobile: string }>(
    `select id, mobile from partner__accounts where id = any($1::uuid[]) and mobile is not null
     union all select id, mobile from person where id = any($1::uuid[]) and mobile is not null and not $2 limit ${MAX_SMS}`,
    [to, source.parts.has('partner')],
    'event_phones',
  );
  for (const { id, mobile } of rows) {
    const text = [`${title}：${content}`, own?.get(id) ?? ''].filter((part) => part !== '').join('。');
    smsAfterCommit({ tx, services }, { to: mobile, text });
  }
  return new Set(rows.map(({ id }) => id));
}
