import { v7 as uuid } from 'uuid';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { type Call, openCall } from '#server/records/call/open-call.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { keepAnswer } from '#server/records/write/keep-answer.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { Caller } from '#server/records/services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { RESOURCE_KEY, UUID } from '#contract/common.ts';
import { rowText } from '#server/kernel/db/row-text.ts';

const PARAMS = {
  type: 'object',
  required: ['resource', 'id'],
  properties: { resource: RESOURCE_KEY, id: { type: 'string', maxLength: 100 } },
} as const;

const COMMENT = {
  type: 'object',
  required: ['content'],
  properties: {
    content: { type: 'string', minLength: 1, maxLength: 2_000, pattern: '\\S' },
    mentions: { type: 'array', items: UUID, maxItems: 20, uniqueItems: true },
  },
  additionalProperties: false,
} as const;

/** Comments of a record, for staff who may read it; who is mentioned gets a notice. */
export function registerCommentRoutes(app: App, services: AppServices): void {
  const config = { permission: 'staff' } as const;
  app.get('/comments/:resource/:id', { config, schema: { params: PARAMS } }, async (request) => {
    const { resource, id } = request.params;
    await requireReadable(services, callerOf(request), { resource, id });
    const rows = await services.db.query(
      `select id, person_id, person_name, content, mentions, created_at from sys_comment
       where resource = $1 and record_id = $2 order by created_at, id limit 500`,
      [resource, id],
    );
    return answer(rows);
  });
  app.post(
    '/comments/:resource/:id',
    { config, schema: { params: PARAMS, body: COMMENT } },
    async (request) => {
      const caller = callerOf(request);
      const { resource, id } = request.params;
      const { call, record } = await requireReadable(services, caller, { resource, id });
      const { content, mentions = [] } = request.body;
      const { subject } = caller;
      const comment = {
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
            resource,
            id,
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
      return answer(comment, '评论成功');
    },
  );
}

/** A record that the caller may read. @throws NOT_FOUND */
async function requireReadable(
  services: AppServices,
  caller: Caller,
  { resource, id }: { readonly resource: string; readonly id: string },
): Promise<{ readonly call: Call; readonly record: OpenRecord }> {
  const call = openCall(services, caller, resource, 'read');
  const record = isRecordId(id) ? await readStored(services.db, call, id) : null;
  if (record === null) throw new AppError('NOT_FOUND');
  return { call, record };
}
