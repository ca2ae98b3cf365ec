import { requestOf } from '#web/data/call-address.ts';
import { callApi } from '#web/data/http.ts';
import { keyedWrite } from '#web/data/keyed-write.ts';
import type { RegistrationForm } from '#trade/registration.ts';

/** Sends a code to the number. */
export async function sendRegistrationCode(mobile: string): Promise<void> {
  await callApi('POST /sys/erpSendSmsCode', { body: { iphone: mobile } });
}

/** The company of this address, as the list of service companies names it; null when it is not among them. */
export async function serviceCompany(coCode: string): Promise<string | null> {
  const regions = await callApi('POST /sys/erpServiceRegion');
  return regions.find(({ value }) => value === coCode)?.label ?? null;
}

/**
 * Registers, or corrects the rejected application `again`; the partner then waits for review. Sent under a key: the code
 * is used up by the first try, and its answer may be lost.
 */
export async function register(
  form: RegistrationForm & { readonly coName: string; readonly again?: string },
): Promise<void> {
  await keyedWrite({ method: 'post', path: requestOf('POST /sys/erpRegisterAgcust', {}).path, body: form });
}
