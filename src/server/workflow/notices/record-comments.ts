import { v7 as uuid } from 'uuid';
import type { Comment } from '#contract/comments.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Row } from '#server/kernel/db/database.ts';
import { rowText } from '#server/kernel/db/row-text.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { type Call, openCall } from '#server/records/call/open-call.ts';
import { keepAnswer } from '#server/records/write/keep-answer.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';

interface Place {
  readonly resource: string;
  readonly id: string;
}

const MOST = 500;

/** The comments of a record that the caller may read, oldest first. @throws NOT_FOUND */
export async function commentsOf(
  services: Services,
  caller: Caller,
  place: Place,
): Promise<readonly Comment[]> {
  await requireReadable(services, caller, place);
  const rows = await services.db.query(
    `select id, person_id, person_name, content, mentions, created_at from sys_comment
     where resource = $1 and record_id = $2 order by created_at, id limit ${MOST}`,
    [place.resource, place.id],
  );
  return rows.map(commentOf);
}

/** Adds a comment; colleagues of the company who are mentioned get a notice. @throws NOT_FOUND */
export async function addComment(
  services: Services,
  caller: Caller,
  { place, content, mentions }: { readonly place: Place } & Pick<Comment, 'content' | 'mentions'>,
): Promise<Comment> {
  const { call, record } = await requireReadable(services, caller, place);
  const { subject } = caller;
  const comment: Comment = {
    id: uuid(),
    person_id: subject.id,
    person_name: subject.name,
    content,
    mentions,
    created_at: services.clock().toISOString(),
  };
  await services.db.transaction(async (tx) => {
    await tx.execute(
      `insert into sys_comment (id, co_code, resource, record_id, person_id, person_name, content, mentions, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        comment.id,
        subject.co_code,
        place.resource,
        place.id,
        subject.id,
        subject.name,
        content,
        mentions,
        comment.created_at,
      ],
    );
    await keepAnswer(tx, caller, comment);
    const colleagues = await tx.query(
      `select id from person where id = any($1::uuid[]) and co_code = $2 and status = 'active' and id <> $3`,
      [mentions, subject.co_code, subject.id],
    );
    await emitEvent(tx, call, {
      event: 'COMMENT_MENTION',
      record,
      to: colleagues.map((row) => rowText(row, 'id')),
      opinion: content.slice(0, 200),
      company: subject.co_code,
    });
  });
  return comment;
}

function commentOf(row: Row): Comment {
  const mentions: unknown = row['mentions'];
  return {
    id: rowText(row, 'id'),
    person_id: rowText(row, 'person_id'),
    person_name: rowText(row, 'person_name'),
    content: rowText(row, 'content'),
    mentions: Array.isArray(mentions) ? mentions.map(String) : [],
    created_at: rowText(row, 'created_at'),
  };
}

/** A record that the caller may read. @throws NOT_FOUND */
async function requireReadable(
  services: Services,
  caller: Caller,
  { resource, id }: Place,
): Promise<{ readonly call: Call; readonly record: OpenRecord }> {
  const call = openCall(services, caller, resource, 'read');
  const record = isRecordId(id) ? await readStored(services.db, call, id) : null;
  if (record === null) throw new AppError('NOT_FOUND');
  return { call, record };
}
