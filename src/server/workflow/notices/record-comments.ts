import { v7 as uuid } from 'uuid';
import type { Colleague, Comment } from '#contract/comments.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Row } from '#server/kernel/db/database.ts';
import { rowText } from '#server/kernel/db/row-text.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { type Call, openCall } from '#server/records/call/open-call.ts';
import { keepAnswer } from '#server/records/write/keep-answer.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { keywordConditions } from '#server/records/list/keyword-conditions.ts';
import { peopleNamed } from '#server/workflow/approvals/find-approvers.ts';
import { inForce, peopleWithRight } from '#server/workflow/approvals/people-with-right.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';

interface Place {
  readonly resource: string;
  readonly id: string;
}

const MOST = 500;
/** Colleagues that are offered at once, and that are looked through for them. */
const OFFERED = 10;
const LOOKED_THROUGH = 200;

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
  const mentioned = rows.flatMap((row) => mentionsOf(row));
  const names = await namesOf(services, [...new Set(mentioned)]);
  return rows.map((row) => commentOf(row, names));
}

/** Colleagues of the company who may read the record, by name, number or initials: a mention shows it to nobody else. */
export async function mentionable(
  services: Services,
  caller: Caller,
  place: Place,
  keyword: string,
): Promise<readonly Colleague[]> {
  const { call, record } = await requireReadable(services, caller, place);
  const values: unknown[] = [caller.subject.co_code, caller.context.today, caller.subject.id];
  const typed = keyword.trim() === '' ? [] : keywordConditions(keyword.trim(), values);
  const rows = await services.db.query(
    `select t.id, t.name, t.personid, d.name as department from person t left join department d on d.id = t.dept_id
     join person p on p.id = t.id where ${['t.co_code = $1', inForce('$2'), 't.id <> $3::uuid', ...typed].join(' and ')}
     order by t.name, t.id limit ${LOOKED_THROUGH}`,
    values,
  );
  const found: Colleague[] = [];
  // A few at a time: mostly the first may read it.
  for (let from = 0; from < rows.length && found.length < OFFERED; from += OFFERED) {
    const some = rows.slice(from, from + OFFERED);
    const people = some.map((row) => rowText(row, 'id'));
    const readers = await peopleWithRight(services.db, call, { record, people, operation: 'read' });
    for (const row of some)
      if (readers.has(rowText(row, 'id')))
        found.push({
          id: rowText(row, 'id'),
          name: textOf(row['name'] ?? ''),
          personid: textOf(row['personid'] ?? ''),
          department: textOf(row['department'] ?? ''),
        });
  }
  return found.slice(0, OFFERED);
}

/** Adds a comment; colleagues of the company who are mentioned get a notice. @throws NOT_FOUND, BAD_REQUEST */
export async function addComment(
  services: Services,
  caller: Caller,
  { place, content, mentions }: { readonly place: Place } & Pick<Comment, 'content' | 'mentions'>,
): Promise<Comment> {
  const { call, record } = await requireReadable(services, caller, place);
  const { subject } = caller;
  const names = await requireReaders(services, call, { record, mentions });
  const comment: Comment = {
    id: uuid(),
    person_id: subject.id,
    person_name: subject.name,
    content,
    mentions,
    mention_names: mentions.map((id) => names.get(id) ?? ''),
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
    await emitEvent(tx, call, {
      event: 'COMMENT_MENTION',
      record,
      to: mentions.filter((id) => id !== subject.id),
      opinion: content.slice(0, 200),
      company: subject.co_code,
    });
  });
  return comment;
}

/** The names of those mentioned, who all may read the record: nobody is led to what is closed to him. @throws BAD_REQUEST */
async function requireReaders(
  services: Services,
  call: Call,
  { record, mentions }: { readonly record: OpenRecord; readonly mentions: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  if (mentions.length === 0) return new Map();
  const colleagues = await services.db.query(
    `select id from person where id = any($1::uuid[]) and co_code = $2`,
    [mentions, call.caller.subject.co_code],
  );
  const people = colleagues.map((row) => rowText(row, 'id'));
  const readers = await peopleWithRight(services.db, call, { record, people, operation: 'read' });
  const names = await namesOf(services, people);
  const closed = mentions.filter((id) => id !== call.caller.subject.id && !readers.has(id));
  if (closed.length === 0) return names;
  const who = closed.flatMap((id) => names.get(id) ?? []);
  const message = who.length === 0 ? '提及的同事不存在或已停用' : `${who.join('、')}无权查看此单据，不能提及`;
  throw new AppError('BAD_REQUEST', { message, problems: [{ path: 'mentions', code: 'mention', message }] });
}

async function namesOf(services: Services, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const people = ids.length === 0 ? [] : await peopleNamed(services.db, ids);
  return new Map(people.map(({ id, name }) => [id, name]));
}

function mentionsOf(row: Row): readonly string[] {
  const mentions: unknown = row['mentions'];
  return Array.isArray(mentions) ? mentions.map(String) : [];
}

function commentOf(row: Row, names: ReadonlyMap<string, string>): Comment {
  const mentions = mentionsOf(row);
  return {
    id: rowText(row, 'id'),
    person_id: rowText(row, 'person_id'),
    person_name: rowText(row, 'person_name'),
    content: rowText(row, 'content'),
    mentions: [...mentions],
    mention_names: mentions.map((id) => names.get(id) ?? ''),
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
