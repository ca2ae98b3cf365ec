import { ADDRESS } from '#web/data/addresses.ts';
import { requestOf } from '#web/data/call-address.ts';
import { callApi } from '#web/data/http.ts';
import type { Person } from '#contract/sign-in.ts';
import { storePerson } from '#web/data/stored-person.ts';
import { showSignedIn } from '#web/app/show-signed-in.ts';
import { sealForTransport } from '#web/data/transport-cipher.ts';
import type { LoginTab } from '#engine/values/login-form.ts';

/** Sends the credentials by the tab's call (spec section 7). */
export function signIn(tab: LoginTab, account: string, password: string): Promise<Person> {
  const sealed = sealForTransport(password);
  if (tab === 'management')
    return callApi('POST /sys/login', { body: { personid: account, password: sealed } });
  if (tab === 'mobile')
    return callApi('POST /sys/loginByMobile', { body: { psMobile: account, password: sealed } });
  return callApi('POST /sys/loginByAgcustMobileNo', { body: { personid: account, password: sealed } });
}

/** What stands there when a code was asked for: nobody learns whether the account is there. */
export function codeSentNote(about: 'password' | 'progress'): string {
  return about === 'progress' ? '有注册记录时，验证码会发到该手机' : '账号与手机号相符时，验证码会发到该手机';
}

const FORWARDED = ['code', 'isp', 'appid', 'cwStatus', 'otherCode'] as const;

/** The login that a link with `code` carries; null when the address has none. The server judges the code. */
export function codeLogin(query: URLSearchParams): Readonly<Record<string, string>> | null {
  if ((query.get('code') ?? '') === '') return null;
  const given = FORWARDED.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { personid: decodedId(query.get('id') ?? ''), ...Object.fromEntries(given) };
}

export function signInByCode(login: Readonly<Record<string, string>>): Promise<Person> {
  return callApi('POST /sys/loginByAgcustMobileNo', { body: login });
}

/** Where 统一身份登录 begins; one comes back to the login page, with what one wanted. */
export function oidcAddress(search: string): string {
  const wanted = wantedAddress(search);
  const query = wanted === ADDRESS.home ? {} : { back: wanted };
  return `/erp/api${requestOf('GET /sys/oidc/begin', { query }).path}`;
}

/** Whether one comes back from the identity provider: the server tells what came of it, once. */
export function isBackFromProvider(search: string): boolean {
  return new URLSearchParams(search).has('oidc');
}

/** The login page's address without that: a reload must not ask again. */
export function withoutProvider(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('oidc');
  return query.size === 0 ? ADDRESS.login : `${ADDRESS.login}?${query.toString()}`;
}

export function signInByProvider(): Promise<Person> {
  return callApi('POST /sys/oidc/finish');
}

/** A link carries the id as Base64 (also in its URL form); anything else is taken as it is. */
export function decodedId(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /^[\w.@-]+$/.test(decoded) ? decoded : text;
  } catch {
    return text;
  }
}

/** A partner with one account needs no picker; some servers open the session at once, others want the position said. */
export async function enterDirectly(person: Person): Promise<void> {
  if (person.menuList.length > 0) return enterShell(person);
  const roleIdList = person.roleList.map((role) => role.roleId);
  enterShell(
    await callApi('POST /sys/setPosition', {
      body: { id: person.id, roleId: roleIdList[0] ?? '', roleIdList, saleId: null },
      headers: { Authorization: person.authorization },
    }),
  );
}

/** Keeps the person and opens the page one wanted, else the home page. */
export function enterShell(person: Person): void {
  storePerson(person);
  sessionStorage.setItem('login-message', '登录成功！');
  history.replaceState(null, '', wantedAddress(location.search));
  // Without the shell's program the address stands already: the browser's own reload asks for it again.
  showSignedIn().catch(() => location.reload());
}

/** Where `back` leads: inside this site and never to a login page. */
export function wantedAddress(search: string): string {
  const back = new URLSearchParams(search).get('back');
  const isOwn = back !== null && /^\/(?![/\\])/.test(back) && !/^\/(login|Register)?($|\?)/.test(back);
  return isOwn ? back : ADDRESS.home;
}
