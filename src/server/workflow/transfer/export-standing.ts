import type { Subject } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Builds the subject of a kept export as of now; null when the account or its role is gone. */
export type SubjectNow = (subject: Subject) => Promise<Subject | null>;

/** What rows and fields somebody sees by; what is served for whom changes by the day and is left out. */
const STANDING = [
  'id',
  'kind',
  'co_code',
  'role_code',
  'sales_id',
  'dept_code',
  'partner_id',
  'scope_override',
  'super_permission',
] as const satisfies readonly (keyof Subject)[];

/**
 * Lets somebody go on with an export who stands as whoever asked for it did: a file is what one role saw, and is not
 * handed to another role, nor written for a role that is lost.
 * @throws AppError FORBIDDEN
 */
export function requireSameStanding(asked: Subject, now: Subject | null): Subject {
  if (now === null || STANDING.some((name) => (now[name] ?? null) !== (asked[name] ?? null)))
    throw new AppError('FORBIDDEN', { message: '导出时的岗位或权限已变更，请以现在的岗位重新导出' });
  return now;
}
