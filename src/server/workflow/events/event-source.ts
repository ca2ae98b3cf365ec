import { SHIPPED_CHANNELS } from '#server/records/read/shipped-defaults.ts';
import type { EventDefinition } from '#engine/schema/setup-files.ts';
import type { Services } from '#server/records/services.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import type { Reader, Tx } from '#server/records/call/statement.ts';

/** How an event is told. */
export interface EventSource {
  readonly title: string;
  /** Null: a sentence of the record. */
  readonly content: string | null;
  /** Instead of `content`, for accounts of the partner. */
  readonly partnerContent?: string;
  readonly level: string;
  /** Role codes. */
  readonly roles: readonly string[];
  /** `owner`, `previous_owner`, `service`, `handler`, `manager`, `submitter`, `partner`. */
  readonly parts: ReadonlySet<string>;
  /** `live`, `center`, `sms`. */
  readonly channels: ReadonlySet<string>;
}

const MESSAGE_SOURCE = 'message_source';
const ROLE_CODE = /^[A-Z]{2}$/;

/**
 * How an event is told: as the file says, where no row of the notice sources says otherwise. Null when an administrator
 * has switched it off. Receivers that a row cannot name stay those of the file, and where the program names the
 * receivers a row does not.
 */
export async function readEventSource(
  tx: Pick<Tx, 'query'>,
  services: Services,
  event: string,
): Promise<EventSource | null> {
  const shipped = services.definitions.setup().events[event] ?? { title: event };
  const file = fileSource(shipped);
  if (currentCatalog(services).resources[MESSAGE_SOURCE] === undefined) return file;
  const row = await readRow(tx, event);
  if (row === undefined) return file;
  if (row['status'] !== 'active') return null;
  const told = {
    ...(shipped.partnerContent === undefined ? {} : { partnerContent: shipped.partnerContent }),
    title: text(row['title_tpl']) ?? file.title,
    content: text(row['content_tpl']),
    level: text(row['level']) ?? file.level,
    channels: new Set(texts(row['channel'])),
  };
  if (shipped.isAddressed === true) return { ...file, ...told };
  const parts = new Set([
    ...[...file.parts].filter((part) => part !== 'owner' && part !== 'partner'),
    ...(row['receiver_owner'] === true ? ['owner'] : []),
    ...(row['receiver_partner'] === true ? ['partner'] : []),
  ]);
  return { ...told, roles: texts(row['roles']), parts };
}

async function readRow(db: Reader, event: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [row] = await db.query(
    `select s.status, s.title_tpl, s.content_tpl, s.level, s.receiver_owner, s.receiver_partner, s.channel,
       array(select r.code from role r where r.id = any(s.receiver_roles)) as roles
     from message_source s where s.event_code = $1 and s.is_deleted = false limit 1`,
    [event],
    'event_source',
  );
  return row;
}

function fileSource({
  title,
  content,
  partnerContent,
  level,
  to = [],
  channel,
}: EventDefinition): EventSource {
  return {
    ...(partnerContent === undefined ? {} : { partnerContent }),
    title,
    content: content ?? null,
    level: level ?? 'info',
    roles: to.filter((name) => ROLE_CODE.test(name)),
    parts: new Set(to.filter((name) => !ROLE_CODE.test(name))),
    channels: new Set(channel ?? SHIPPED_CHANNELS),
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
