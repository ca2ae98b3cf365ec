import { expect, type Page } from 'playwright/test';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY } from '#server/kernel/config.ts';
import { serverUnderTest } from './server-under-test.ts';

export const PASSWORD = 'Demo-2026';

/** Address of the running server. */
export function baseUrl(): string {
  return serverUnderTest().url;
}

/** A person as the API answers one. */
interface SignedIn {
  readonly id: string;
  readonly authorization: string;
  readonly roleList: readonly { readonly roleId: string; readonly roleName: string }[];
  readonly salesManList: readonly { readonly id: string }[];
}

/** What the browser keeps of whoever has logged in; the pages find the rest in it. */
export interface Kept {
  readonly person: string;
  readonly authorization: string;
}

/**
 * Opens the home page as somebody who has logged in already with the first role (or the named one): the login page has
 * tests of its own.
 */
export async function signIn(page: Page, personid: string, roleName?: string): Promise<void> {
  const kept = await logIn(page, personid, roleName);
  // Any answer of the server makes the page one of its origin.
  await page.goto(`${baseUrl()}/health`);
  await page.evaluate((values) => {
    localStorage.clear();
    for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
  }, kept);
  await page.goto(`${baseUrl()}/index/index`);
  await page.getByRole('tab', { name: '首页' }).waitFor();
}

/** The calls of the login page: the password, then the first role (or the named one). */
export async function logIn(page: Page, personid: string, roleName?: string): Promise<Kept> {
  const call = async (address: string, data: object, authorization = ''): Promise<SignedIn> => {
    const headers = { Authorization: authorization };
    const ask = () => page.request.post(`${baseUrl()}/erp/api/sys/${address}`, { data, headers });
    let response = await ask();
    // A server that has just started on a busy machine may ask to come back in a moment.
    await expect(async () => {
      if (response.status() === 503) response = await ask();
      expect(response.status(), await response.text()).toBe(200);
    }).toPass();
    return ((await response.json()) as { readonly data: SignedIn }).data;
  };
  const password = sealEnvelope(PASSWORD, DEMO_AES_KEY);
  const known = await call('login', { personid, password });
  const role = known.roleList.find((one) => roleName === undefined || one.roleName === roleName);
  if (role === undefined) throw new TypeError(`${personid} is no ${roleName}`);
  const position = {
    id: known.id,
    roleId: role.roleId,
    roleIdList: known.roleList.map((one) => one.roleId),
    saleId: known.salesManList[0]?.id ?? null,
  };
  const person = await call('setPosition', position, known.authorization);
  return { person: JSON.stringify(person), authorization: person.authorization };
}

/** Logs in on the management tab of the login page and takes the first role (or the named one). */
export async function signInByHand(page: Page, personid: string, roleName?: string): Promise<void> {
  await page.goto(`${baseUrl()}/login`);
  // The browser remembers the way in that was used last.
  await page.getByRole('tab', { name: '管理登录' }).click();
  await page.getByLabel('用户名').fill(personid);
  await page.getByLabel('密码').fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '选择登录身份' });
  await dialog.waitFor();
  if (roleName !== undefined) {
    const select = dialog.locator('.ant-select', { has: page.getByLabel('角色') });
    if (!(await select.innerText()).includes(roleName)) {
      await select.locator('.ant-select-selector').click();
      await page.locator('.ant-select-item-option', { hasText: roleName }).click();
    }
  }
  // On a busy machine the dialog may still be growing under the pointer: the click goes beside the button.
  await expect(async () => {
    if (await dialog.isVisible())
      await dialog.getByRole('button', { name: '进入系统' }).click({ timeout: 5_000 });
    await page.getByRole('tab', { name: '首页' }).waitFor({ timeout: 10_000 });
  }).toPass();
}

/** Opens an address inside the running application, as a link would. */
export async function open(page: Page, address: string): Promise<void> {
  await page.evaluate((target) => {
    // Numbered and named as the router does: an entry without is taken for the first page, or for a Back to it.
    const { idx = 0 } = (history.state ?? {}) as { readonly idx?: number };
    history.pushState({ usr: null, key: crypto.randomUUID(), idx: idx + 1 }, '', target);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
}

/** Calls the API as the person who is logged in on the page. */
export async function callApi<T>(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: T }> {
  return page.evaluate(
    async ([verb, address, content]) => {
      const response = await fetch(`/erp/api${address}`, {
        method: verb,
        headers: {
          Authorization: localStorage.getItem('authorization') ?? '',
          'Content-Type': 'application/json',
        },
        ...(content === undefined ? {} : { body: JSON.stringify(content) }),
      });
      return { status: response.status, body: (await response.json()) as T };
    },
    [method, path, body] as const,
  );
}
