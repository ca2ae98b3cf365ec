import { ADDRESS } from '#web/data/addresses.ts';
import { askForFace } from '#web/data/face-ahead.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { loadChunk } from '#web/faults/load-chunk.ts';

/** Whether the stored person's home page is the light one: customers', once they have a password of their own. */
export function hasLightHome(): boolean {
  const person = storedPerson();
  return person?.kind === 'partner' && !person.mustChangePassword;
}

/** Shows what a signed-in person asked for: customers' home page by itself, anything else in the shell. */
export async function showSignedIn(): Promise<void> {
  if (isAtLightHome()) {
    askForFace();
    const { showFace } = await loadChunk(() => import('#web/features/face/show-face.tsx'));
    return showFace();
  }
  return openShell();
}

/** Has on its way what `showSignedIn` will show; what does not come is asked for again then. */
export function loadSignedInAhead(): void {
  if (!isAtLightHome()) return loadShellAhead();
  askForFace();
  import('#web/features/face/show-face.tsx').catch(() => undefined);
}

/** Has the shell on its way before it is asked for; a line that fails is tried again by `openShell`. */
export function loadShellAhead(): void {
  import('./show-shell.tsx').catch(() => undefined);
}

/** The shell at the address that stands. */
export async function openShell(): Promise<void> {
  const { showShell } = await loadChunk(() => import('./show-shell.tsx'));
  showShell();
}

function isAtLightHome(): boolean {
  return hasLightHome() && location.pathname === ADDRESS.home;
}
