import { among } from '#server/kernel/db/among.ts';
import type { EventWords, RecordEvent, ToldPeople } from '#server/records/following.ts';
import type { Services } from '#server/records/services.ts';
import { holdersOf, receiversOf } from './event-receivers.ts';
import { deliver, NOBODY } from './deliver-event.ts';
import { readEventSource } from './event-source.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { fillTemplate, recordWords } from './event-words.ts';
import { isGathered } from './gathered-events.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { readOnce } from '#server/records/call/read-once.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';

/**
 * Tells people of an event, in the transaction: nobody hears of what was rolled back, nor of what one did oneself. An
 * active row of the notice sources wins over the file. Gives who was told.
 */
export async function emitEvent(tx: Tx, call: Call, told: RecordEvent): Promise<ToldPeople> {
  const { resource, services, caller } = call;
  const { record } = told;
  const source = await readOnce(tx, `source ${told.event}`, () => readEventSource(tx, services, told.event));
  if (source === null) return NOBODY_TOLD;
  const company = told.company ?? textOf(record['co_code'] ?? caller.subject.co_code);
  const named = told.to ?? (await receiversOf(tx, call, { source, told: { ...told, company } }));
  const to = [...new Set([...named, ...(told.also ?? [])])].filter(
    (id) =>
      IS_ID.test(id) && (id !== caller.subject.id || told.to !== undefined) && told.except?.has(id) !== true,
  );
  if (to.length === 0) return NOBODY_TOLD;
  const templates = [source.title, source.content ?? ''];
  const words = {
    ...(await recordWords(tx, call, { record, templates })),
    opinion: told.opinion ?? '',
    ...told.words,
  };
  const partners = await accountsAmong(tx, call, to);
  const byPhone = new Set<string>();
  for (const side of [
    { to: to.filter((id) => !partners.has(id)), content: source.content, words },
    {
      to: to.filter((id) => partners.has(id)),
      content: source.partnerContent ?? source.content,
      words: { ...words, ...UNNAMED, ...partnersTitle(call, told) },
    },
  ])
    if (side.to.length > 0) {
      const delivery = {
        event: told.event,
        source,
        to: side.to,
        company,
        words: side.words,
        title: fillTemplate(source.title, side.words),
        content: side.content === null ? sentenceOf(side.words) : fillTemplate(side.content, side.words),
        resource: resource.resource,
        recordId: String(record['id']),
        ...(told.private === undefined ? {} : { private: told.private }),
      };
      if (isGathered(tx, delivery)) continue;
      for (const id of await deliver(tx, services, delivery)) byPhone.add(id);
    }
  return { people: new Set(to), byPhone };
}

const NOBODY_TOLD: ToldPeople = { people: NOBODY, byPhone: NOBODY };

/** What a document is called to customers, unless the event says it in words of its own. */
function partnersTitle({ resource }: Call, { words }: RecordEvent): EventWords {
  return resource.partnerTitle === undefined || words?.['title'] !== undefined
    ? {}
    : { title: resource.partnerTitle };
}

/** Of the house nobody is named to customers, and no opinion is told. */
const UNNAMED = { person: '我司', opinion: '' } as const;

/** Those of some receivers who are customers. */
async function accountsAmong(
  tx: Tx,
  { services }: Pick<Call, 'services'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (currentCatalog(services).resources['partner']?.fields['accounts'] === undefined) return NOBODY;
  return readOnce(tx, `accounts among ${ids.join()}`, async () => {
    const rows = await tx.query(
      `select id from partner__accounts where id = ${among('$1')}`,
      [ids],
      'told_accounts',
    );
    return new Set(rows.map(({ id }) => String(id)));
  });
}

/** Tells the holders of the roles that an event names, company by company, of something that is no record's. */
export async function emitSystemEvent(
  tx: Tx,
  services: Services,
  told: {
    readonly event: string;
    readonly companies: readonly string[];
    readonly words: EventWords;
    /** A record that the notice opens. */
    readonly about?: { readonly resource: string; readonly recordId: string };
  },
): Promise<void> {
  const source = await readEventSource(tx, services, told.event);
  if (source === null) return;
  const title = fillTemplate(source.title, told.words);
  const content = fillTemplate(source.content ?? source.title, told.words);
  for (const company of told.companies) {
    const to = await holdersOf(tx, company, source.roles);
    if (to.length > 0)
      await deliver(tx, services, {
        event: told.event,
        source,
        to,
        company,
        words: told.words,
        title,
        content,
        ...told.about,
      });
  }
}

/** Tells some people of something that is no record's; the notice opens a page. */
export async function tellPeople(
  tx: Tx,
  services: Services,
  told: {
    readonly event: string;
    readonly to: readonly string[];
    readonly company: string;
    readonly words: EventWords;
    readonly link: string;
  },
): Promise<void> {
  const source = await readEventSource(tx, services, told.event);
  if (source === null) return;
  await deliver(tx, services, {
    ...told,
    source,
    title: fillTemplate(source.title, told.words),
    content: fillTemplate(source.content ?? source.title, told.words),
  });
}

const IS_ID = /^[0-9a-f-]{36}$/;

function sentenceOf({ title = '', no = '', opinion = '' }: EventWords): string {
  return `${title} ${no}${opinion === '' ? '' : `：${opinion}`}`.trim();
}
