import { callApi } from './http.ts';
import { clearStored, expectRefusals } from './stored-person.ts';

/** Ends the session on the server and here, whether or not the server answers. The caller goes to the login page. */
export async function logOut(): Promise<void> {
  expectRefusals();
  await callApi('POST /sys/logout').catch(() => undefined);
  clearStored();
}
