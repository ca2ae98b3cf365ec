import { expect, type Page } from 'playwright/test';

export const PASSWORD = 'Demo-2026';
/** Secret of the silent login (ERP_TOKEN_SECRET) of the server under test. */
export const TOKEN_SECRET = 'secret-of-browser-tests';

/** Address of the running server. */
export function baseUrl(): string {
  return process.env['E2E_URL'] ?? '';
}

/** Logs in on the management tab and takes the first role (or the named one). */
export async function signIn(page: Page, personid: string, roleName?: string): Promise<void> {
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
