import { AppError } from '#server/kernel/errors.ts';
import { statesOf } from '#engine/schema/state-groups.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { bind, quoteName, type Reader } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import { readableAmong } from './check-blockers.ts';
import type { OtherRecord } from './find-others.ts';

const MAX_NAMED = 20;

/**
 * The other amendments that hold the target of this one open: not finished, and either never handed in or waiting for
 * their approval. What was sent back has let its target go.
 */
export async function otherOpenAmendments(
  db: Reader,
  { resource, catalog }: Call,
  record: OpenRecord,
): Promise<readonly OtherRecord[]> {
  const { amendment, lifecycle } = resource;
  if (amendment === undefined || lifecycle === undefined) return [];
  const waiting = Object.values(lifecycle.actions).flatMap(({ to, approval }) =>
    approval === undefined ? [] : [to],
  );
  const values: unknown[] = [];
  const conditions = [
    'not t.is_deleted',
    `t.co_code = ${bind(values, record['co_code'])}`,
    `t.${quoteName(amendment.by)} = ${bind(values, record[amendment.by])}`,
    `t.id <> ${bind(values, record['id'])}`,
    `t.status <> all(${bind(values, statesOf(['@final', '@dead'], lifecycle.groups))})`,
  ];
  if (resource.fields['submitted_at'] !== undefined)
    conditions.push(`(t.submitted_at is null or t.status = any(${bind(values, waiting)}))`);
  const label = labelExpression(catalog, resource.resource, 't');
  const rows = await db.query(
    `select t.id, ${label} as label from ${tableOf(resource)} t where ${conditions.join(' and ')} order by t.id limit ${MAX_NAMED}`,
    values,
  );
  return rows.map((row) => ({
    resource: resource.resource,
    id: String(row['id']),
    label: typeof row['label'] === 'string' ? row['label'] : '',
  }));
}

/** Refuses a second open amendment of one target, which must be locked; the other is named to whoever may read it. */
export async function refuseSecondAmendment(
  db: Reader,
  call: Call,
  { record, target }: { readonly record: OpenRecord; readonly target: string },
): Promise<void> {
  const others = await otherOpenAmendments(db, call, record);
  if (others.length === 0) return;
  const message = `${target}已有未完成的${call.resource.title}`;
  throw new AppError('RULE_REFUSED', {
    message,
    problems: [
      {
        path: call.resource.amendment?.by ?? '',
        code: 'blocked',
        message,
        detail: { count: others.length, records: await readableAmong(db, call, others) },
      },
    ],
  });
}
