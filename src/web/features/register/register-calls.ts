import { http } from '#web/data/http.ts';
import type { RegistrationForm } from '#trade/registration.ts';

/** Sends a code to the number. */
export function sendRegistrationCode(mobile: string): Promise<void> {
  return http.post('/sys/erpSendSmsCode', { iphone: mobile });
}

/** The company of this address, as the list of service companies names it; null when it is not among them. */
export async function serviceCompany(coCode: string): Promise<string | null> {
  const regions =
    await http.post<readonly { readonly label: string; readonly value: string }[]>('/sys/erpServiceRegion');
  return regions.find(({ value }) => value === coCode)?.label ?? null;
}

/** Registers; the partner then waits for review. */
export function register(form: RegistrationForm & { readonly coName: string }): Promise<void> {
  return http.post('/sys/erpRegisterAgcust', form);
}
