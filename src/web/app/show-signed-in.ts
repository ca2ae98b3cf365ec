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
  if (hasLightHome() && location.pathname === ADDRESS.home) {
    askForFace();
    const { showFace } = await loadChunk(() => import('#web/features/face/show-face.tsx'));
    return showFace();
  }
  return openShell();
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
