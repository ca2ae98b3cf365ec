/** What is kept locally after login (spec section 3): person, authorization, name, roleName, personid, deptCode, menuList. */
import { ADDRESS } from '#web/data/addresses.ts';
import type { MenuEntry } from '#contract/shape.ts';
import type { Person } from '#contract/sign-in.ts';
import { isLeavingWithDrafts, keepForLeaving, stayWithDrafts } from './draft-events.ts';

const listeners = new Set<() => void>();
let cached: { readonly text: string; readonly person: Person } | null = null;

/** Keeps the person of a full session. */
export function storePerson(person: Person): void {
  localStorage.setItem('person', JSON.stringify(person));
  localStorage.setItem('authorization', person.authorization);
  localStorage.setItem('name', person.name);
  localStorage.setItem('roleName', person.roleList[0]?.roleName ?? '');
  localStorage.setItem('personid', person.personid);
  localStorage.setItem('deptCode', person.coDeptnameCode);
  localStorage.setItem('menuList', JSON.stringify(person.menuList));
  tell();
}

/** The stored person, null before login or when the store was tampered with. */
export function storedPerson(): Person | null {
  const text = localStorage.getItem('person');
  if (text === null) return null;
  if (cached?.text === text) return cached.person;
  try {
    const value: unknown = JSON.parse(text);
    if (!isPerson(value)) return null;
    cached = { text, person: value };
    return cached.person;
  } catch {
    return null;
  }
}

/** Whether all is there that pages take for granted. */
function isPerson(value: unknown): value is Person {
  if (typeof value !== 'object' || value === null) return false;
  const parts = new Map<string, unknown>(Object.entries(value));
  const texts = ['personid', 'name'].map((name) => parts.get(name));
  const lists = ['roleList', 'menuList'].map((name) => parts.get(name));
  return texts.every((text) => typeof text === 'string') && lists.every((list) => Array.isArray(list));
}

export function storedAuthorization(): string | null {
  return localStorage.getItem('authorization');
}

export function storedMenu(): readonly MenuEntry[] {
  return storedPerson()?.menuList ?? [];
}

/** Going to the login page clears all local storage (spec section 4, step 1). */
export function clearStored(): void {
  localStorage.clear();
  tell();
}

/** What the login page says when one was sent there. */
export const LOGIN_REASON_KEY = 'login-reason';
let isLeaving = false;

/** Somebody logs out: what is still under way may be refused from now on, and nobody is sent back here for it. */
export function expectRefusals(): void {
  isLeaving = true;
}

/** The session is gone: on to the login page with the unsaved work kept, and back here afterwards. */
export function leaveForLogin(): void {
  const isLoginPage = location.pathname === '/' || location.pathname === ADDRESS.login;
  if (isLeaving) return;
  if (isLoginPage) return clearStored();
  isLeaving = true;
  // Where drafts cannot be kept somebody may choose to stay: the next refused call asks again.
  setTimeout(() => (isLeaving = false), 3_000);
  sessionStorage.setItem(LOGIN_REASON_KEY, '登录已失效，请重新登录');
  const back = encodeURIComponent(location.pathname + location.search);
  const ended = storedAuthorization();
  // Pages keep their work while their person is still known.
  void keepForLeaving().then(() => {
    const now = storedAuthorization();
    // Another window has signed in meanwhile: its session must not go with this one.
    if (now !== null && now !== ended) return stayWithDrafts();
    // Without a person nothing is shown: who may choose to stay keeps it, and the login page clears it all the same.
    if (isLeavingWithDrafts()) clearStored();
    location.assign(`${ADDRESS.login}?back=${back}`);
  });
}

/**
 * Another window of this browser signed in anew: the same position goes on with the new session, another one starts over.
 * One that logged out, or went to the login page, ended the session of all.
 */
export function followOtherWindows(): () => void {
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

function follow(event: StorageEvent): void {
  if (event.key === null || (event.key === 'authorization' && event.newValue === null))
    return leaveForLogin();
  if (event.key !== 'person' || event.newValue === null) return;
  const before = cached?.person ?? null;
  const now = storedPerson();
  if (before === null || now === null) return;
  if (before.id === now.id && before.roleId === now.roleId && before.saleId === now.saleId) tell();
  else location.assign(ADDRESS.home);
}

/** Somebody signed in in another window, while this one asks for it. */
export function onSignedInElsewhere(listener: () => void): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key === 'person' && newValue !== null) listener();
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

export function subscribePerson(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The name of the chosen role, else of the first one. */
export function roleNameOf(person: Pick<Person, 'roleId' | 'roleList'>): string {
  const role = person.roleList.find((item) => item.roleId === person.roleId) ?? person.roleList[0];
  return role?.roleName ?? '';
}

function tell(): void {
  for (const listener of listeners) listener();
}
