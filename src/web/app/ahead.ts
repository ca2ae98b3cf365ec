/**
 * A small program of its own beside the large one (`scripts/start-ahead.ts` puts it into the page): what a signed-in person
 * needs after React is on its way before React has come, one round trip sooner on a slow line.
 */
import { ADDRESS, PUBLIC_PATHS } from '#web/data/addresses.ts';
import { storedAuthorization } from '#web/data/stored-person.ts';
import { isGuardedAtOnce } from './guard.ts';
import { loadSignedInAhead } from './show-signed-in.ts';

const OUTSIDE: ReadonlySet<string> = new Set(['/', ADDRESS.login, ADDRESS.register, ...PUBLIC_PATHS]);
const { pathname, search } = location;

if (storedAuthorization() !== null && !OUTSIDE.has(pathname) && isGuardedAtOnce(new URLSearchParams(search)))
  loadSignedInAhead();
