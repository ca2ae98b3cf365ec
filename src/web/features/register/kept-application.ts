import type { RejectedRegistration } from '#contract/forgotten.ts';
import { ADDRESS } from '#web/data/addresses.ts';

const KEY = 'rejected-application';

/** Opens the registration form with a rejected application: it stays in this window, and the address says which it is. */
export function correctApplication(rejected: RejectedRegistration): void {
  sessionStorage.setItem(KEY, JSON.stringify(rejected));
  location.assign(`${ADDRESS.register}?again=${encodeURIComponent(rejected.again)}`);
}

/** The application that the address of the registration page names; without one nothing stays in the window. */
export function keptApplication(search: string): RejectedRegistration | null {
  const kept = readKept();
  if (kept !== null && kept.again === new URLSearchParams(search).get('again')) return kept;
  forgetApplication();
  return null;
}

/** Once it is sent, or another page wants the form for somebody else. */
export function forgetApplication(): void {
  sessionStorage.removeItem(KEY);
}

function readKept(): RejectedRegistration | null {
  try {
    // Only this program writes it: what anybody changed by hand is judged by the server like whatever is typed.
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as RejectedRegistration | null;
  } catch {
    return null;
  }
}
