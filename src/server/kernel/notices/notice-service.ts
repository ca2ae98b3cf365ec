import { among } from '#server/kernel/db/among.ts';
import { v7 as uuid } from 'uuid';
import type { Notice, NoticePage, NoticeTab } from '#contract/notices.ts';
import type { Database, Queryable, Row } from '#server/kernel/db/database.ts';
import type { MessageBus } from '#server/kernel/db/message-bus.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';

/** What happened, and who is told. */
export interface Notification {
  /** Event code of setup/message-events.json. */
  readonly event: string;
  /** Ids of people or partner accounts; doubles count once. */
  readonly to: readonly string[];
  readonly title: string;
  readonly content: string;
  readonly coCode: string;
  readonly level?: string;
  /** False: it waits in the message centre and no window pops up (default true). */
  readonly isLive?: boolean;
  readonly resource?: string;
  readonly recordId?: string;
  /** The address in the app that shows the record. */
  readonly link?: string;
}

export interface NoticeService {
  /** Writes a row for each receiver in the caller's transaction; streams are told when it commits. */
  readonly notify: (tx: Queryable, notification: Notification) => Promise<void>;
  readonly query: (
    personId: string,
    page: NoticePage,
  ) => Promise<{ records: readonly Notice[]; total: number }>;
  readonly countUnread: (personId: string) => Promise<number>;
  /** True when the notice is the person's. Doing it twice changes nothing. */
  readonly mark: (personId: string, id: string, as: 'read' | 'archived') => Promise<boolean>;
  readonly markAllRead: (personId: string) => Promise<number>;
  /** What these people were told of a record needs nobody's attention any more: it counts as read, in the caller's transaction. */
  readonly settle: (
    tx: Queryable,
    told: { readonly recordId: string; readonly events: readonly string[]; readonly to: readonly string[] },
  ) => Promise<void>;
  /** Notices by id, with their receivers, for the streams. */
  readonly load: (ids: readonly string[]) => Promise<readonly { personId: string; notice: Notice }[]>;
  /**
   * What a stream may have missed since an event id, in pages, oldest first: what is unread, of the last day, a thousand
   * at most. It reaches back two minutes before that event, since a long transaction, or a process whose clock is
   * behind, commits an earlier id later: the browser knows what it has seen.
   */
  readonly since: (personId: string, lastId: string) => AsyncIterable<readonly Notice[]>;
}

/** Topic whose ids are notice ids. */
export const NOTICE_WRITTEN = 'notice';

const REPLAY_PAGE = 200;
const MAX_REPLAY_PAGES = 5;
const REPLAY_AGE_MS = 24 * 3_600_000;
/** No transaction of a request lives longer. */
const OVERLAP_MS = 120_000;

/** Notices as rows, one a receiver. */
export function createNoticeService(surroundings: {
  readonly db: Database;
  readonly bus: MessageBus;
  readonly clock: () => Date;
}): NoticeService {
  const { db, bus, clock } = surroundings;
  return {
    notify: async (tx, notification) => {
      const to = [...new Set(notification.to)];
      if (to.length === 0) return;
      const ids = to.map(() => uuid());
      await tx.execute(
        `insert into sys_notice (id, person_id, co_code, event, level, title, content, resource, record_id, created_at, is_live, link)
         select unnest($1::uuid[]), unnest($2::uuid[]), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12`,
        [
          ids,
          to,
          notification.coCode,
          notification.event,
          notification.level ?? 'info',
          notification.title.slice(0, 80),
          notification.content,
          notification.resource ?? null,
          notification.recordId ?? null,
          clock().toISOString(),
          notification.isLive ?? true,
          notification.link ?? null,
        ],
        'notice_insert',
      );
      if (notification.isLive !== false) await bus.publish(tx, NOTICE_WRITTEN, ids);
    },
    query: async (personId, { tab, keyword, currentPage, pageSize }) => {
      const where = `person_id = $1 and ${TAB_CONDITIONS[tab]}
        and ($2 = '' or position(lower($2) in lower(title || ' ' || coalesce(content, ''))) > 0)`;
      const [records, counts] = await Promise.all([
        db.query(
          `select * from sys_notice where ${where} order by created_at desc, id desc limit $3 offset $4`,
          [personId, keyword, pageSize, (currentPage - 1) * pageSize],
        ),
        db.query(`select count(*)::int as total from sys_notice where ${where}`, [personId, keyword]),
      ]);
      return { records: records.map(readNotice), total: Number(counts[0]?.['total'] ?? 0) };
    },
    countUnread: async (personId) => {
      const rows = await db.query(
        'select count(*)::int as total from sys_notice where person_id = $1 and read_at is null and archived_at is null',
        [personId],
        'notice_unread',
      );
      return Number(rows[0]?.['total'] ?? 0);
    },
    mark: async (personId, id, as) => {
      const now = clock().toISOString();
      const column = as === 'archived' ? 'archived_at' : 'read_at';
      const touched = await db.execute(
        `update sys_notice set ${column} = coalesce(${column}, $3) where id = $1 and person_id = $2`,
        [id, personId, now],
      );
      return touched > 0;
    },
    markAllRead: (personId) =>
      db.execute('update sys_notice set read_at = $2 where person_id = $1 and read_at is null', [
        personId,
        clock().toISOString(),
      ]),
    settle: async (tx, { recordId, events, to }) => {
      if (to.length === 0) return;
      await tx.execute(
        `update sys_notice set read_at = $4 where person_id = ${among('$1')} and record_id = $2 and event = ${among('$3', 'text')}
           and read_at is null and archived_at is null`,
        [to, recordId, events, clock().toISOString()],
        'notice_settle',
      );
    },
    load: async (ids) => {
      const rows = await db.query(`select * from sys_notice where id = ${among('$1')}`, [ids], 'notice_load');
      return rows.map((row) => ({ personId: rowText(row, 'person_id'), notice: readNotice(row) }));
    },
    since: async function* (personId, lastId) {
      const now = clock().getTime();
      let after = idBefore(lastId, now);
      for (let page = 0; page < MAX_REPLAY_PAGES; page += 1) {
        const rows = await db.query(
          `select * from sys_notice where person_id = $1 and id > $2 and id <> $3 and created_at > $4
             and read_at is null and archived_at is null and is_live order by id limit ${REPLAY_PAGE}`,
          [personId, after, lastId, new Date(now - REPLAY_AGE_MS).toISOString()],
          'notice_since',
        );
        if (rows.length > 0) yield rows.map(readNotice);
        if (rows.length < REPLAY_PAGE) return;
        after = rowText(rows[rows.length - 1] ?? {}, 'id');
      }
    },
  };
}

/** The first id of the time that lies an overlap before that of an id; ids begin with their milliseconds. */
function idBefore(id: string, now: number): string {
  const at = Math.min(now, Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
  const from = Math.max(0, at - OVERLAP_MS)
    .toString(16)
    .padStart(12, '0');
  return `${from.slice(0, 8)}-${from.slice(8)}-0000-0000-000000000000`;
}

const TAB_CONDITIONS: Readonly<Record<NoticeTab, string>> = {
  unread: 'read_at is null and archived_at is null',
  read: 'read_at is not null and archived_at is null',
  archived: 'archived_at is not null',
  all: 'archived_at is null',
};

function readNotice(row: Row): Notice {
  const text = (name: string): string | null => rowTextOrNull(row, name);
  return {
    id: rowText(row, 'id'),
    event: rowText(row, 'event'),
    level: text('level'),
    title: rowText(row, 'title'),
    content: rowText(row, 'content'),
    resource: text('resource'),
    record_id: text('record_id'),
    link: text('link'),
    read_at: text('read_at'),
    archived_at: text('archived_at'),
    created_at: rowText(row, 'created_at'),
  };
}
