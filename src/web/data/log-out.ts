import { ADDRESS } from './addresses.ts';
import { callApi } from './http.ts';
import { clearStored, expectRefusals } from './stored-person.ts';

/**
 * Ends the session on the server and here, whether or not the server answers. Gives where the caller goes: the login page,
 * of who came by the identity provider by way of that, so that the session there ends too.
 */
export async function logOut(): Promise<string> {
  expectRefusals();
  const answer = await callApi('POST /sys/logout').catch(() => null);
  clearStored();
  return answer?.next ?? ADDRESS.login;
}
