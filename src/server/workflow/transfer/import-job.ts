import type { Subject } from '#engine/schema/resource.ts';
import { openCall } from '#server/records/call/open-call.ts';
import type { Services } from '#server/records/services.ts';
import { commitImport } from './commit-import.ts';
import { requireSameStanding, type SubjectNow } from './export-standing.ts';
import { IS_FREE } from './import-progress.ts';

const RESUME_TASK = 'resume_imports';
/** Whoever sees his commit fail tries it again himself meanwhile. */
const LEFT_ALONE = '2 minutes';
/** What cannot be finished in so long, or so many times (it may be what ends the process), is left to the person. */
const TRIED_FOR = '2 days';
const TRIES = 3;

/** What the worker does for imports. */
export function importTasks(
  services: Services,
  subjectNow: SubjectNow,
): Readonly<Record<string, () => Promise<void>>> {
  return { [RESUME_TASK]: () => resumeImports(services, subjectNow) };
}

/** Every five minutes imports that stopped halfway are looked for. */
export const IMPORT_SCHEDULE = [
  { task: RESUME_TASK, pattern: '*/5 * * * *', isMadeUpFor: false, isAlone: true },
] as const;

/**
 * Finishes imports that were begun and then left: the process died between two stretches, and nobody tried again. It is
 * done as the person who asked, as long as he stands as he did.
 */
export async function resumeImports(services: Services, subjectNow: SubjectNow): Promise<void> {
  const left = await services.db.query<{ id: string; resource: string; subject: Subject }>(
    `select id::text as id, resource, subject from sys_import
     where status = 'checked' and done <> '{}' and resumed < ${TRIES} and ${IS_FREE}
       and claimed_at < now() - interval '${LEFT_ALONE}' and created_at > now() - interval '${TRIED_FOR}'
     order by claimed_at`,
  );
  for (const { id, resource, subject: asked } of left)
    try {
      await services.db.execute('update sys_import set resumed = resumed + 1 where id = $1', [id]);
      const subject = requireSameStanding(asked, await subjectNow(asked));
      const context = services.definitions.contextFor(subject, services.clock());
      const caller = { subject, sessionId: '', requestId: id, address: '', context };
      await commitImport(openCall(services, caller, resource, 'import'), id);
    } catch (error) {
      services.log.warn({ err: error, import: id }, 'an import that stopped halfway was not finished');
    }
}
