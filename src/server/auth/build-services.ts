import type { AppServices } from './app-services.ts';
import { createSessionStore } from './session-store.ts';
import { staffSubjects } from './subject.ts';
import { createNoticeService } from '#server/kernel/notices/notice-service.ts';
import { createFileService } from '#server/records/files/file-service.ts';
import { buildFollowing } from '#server/workflow/following.ts';

/** What every operation works with, over an open database, its definitions and bus: for the server and for commands. */
export function buildServices(
  opened: Pick<
    AppServices,
    'config' | 'db' | 'reader' | 'walled' | 'definitions' | 'log' | 'clock' | 'bus' | 'rules'
  >,
): AppServices {
  const { config, db, definitions, bus, clock } = opened;
  const sessions = createSessionStore({ db, definitions, bus, clock });
  return {
    ...opened,
    sessions,
    files: createFileService(config, { db, clock }),
    notices: createNoticeService({ db, bus, clock }),
    following: buildFollowing({
      endSessions: (tx, people, exceptId) => sessions.revokePeople(tx, people, exceptId),
      subjectsOf: (database, personId) => staffSubjects(database, personId, clock()),
    }),
  };
}
