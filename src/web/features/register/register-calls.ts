import { callApi } from '#web/data/http.ts';
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

/** Registers, or corrects the rejected application `again`; the partner then waits for review. */
export async function register(
  form: RegistrationForm & { readonly coName: string; readonly again?: string },
): Promise<void> {
  await callApi('POST /sys/erpRegisterAgcust', { body: form });
}
