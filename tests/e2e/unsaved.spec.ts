import { expect, type Page } from 'playwright/test';
import { leaveDialog } from './support/leave-dialog.ts';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

interface Record_ {
  readonly id: string;
  readonly version: number;
}
interface Found {
  readonly data: { readonly records: readonly Record_[] };
}

const question = (page: Page) =>
  page.getByRole('dialog').filter({ hasText: '内容尚未保存，确定关闭吗？' }).filter({ visible: true });
const mark = (page: Page) => page.getByTitle('有未保存的修改');

/** Some record in this state. */
async function oneOf(page: Page, resource: string, status: string): Promise<Record_> {
  const { body } = await callApi<Found>(page, 'POST', `/data/${resource}/query`, {
    filters: { status: { eq: status } },
    pageSize: 1,
  });
  const [record] = body.data.records;
  if (record === undefined) throw new TypeError(`no ${resource} is ${status}`);
  return record;
}

/** What of the pattern the drafts in this browser say, in order. */
async function keptTexts(page: Page, pattern: RegExp): Promise<readonly string[]> {
  const drafts = await page.evaluate(
    () =>
      new Promise<readonly string[]>((resolve, reject) => {
        const opened = indexedDB.open('erp-drafts');
        opened.addEventListener('error', () => reject(opened.error));
        opened.addEventListener('success', () => {
          const all = opened.result.transaction('drafts').objectStore('drafts').getAll();
          all.addEventListener('success', () => resolve(all.result.map((draft) => JSON.stringify(draft))));
        });
      }),
  );
  return drafts.flatMap((draft) => pattern.exec(draft)?.[0] ?? []).toSorted();
}

test('an amendment closes only after a question, and comes back as a draft, beside what was changed since', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const { id, version } = await oneOf(page, 'buyer', 'active');
  const show = async () => {
    await open(page, `/customer/buyerdetails?id=${id}`);
    await page.getByRole('button', { name: '变更', exact: true }).click();
  };
  await show();
  const drawer = page.getByRole('dialog').filter({ has: page.getByLabel('原因') });
  // Nothing typed: nothing asked.
  await drawer.getByRole('button', { name: '取消' }).click();
  await expect(drawer).toBeHidden();

  await show();
  await drawer.getByLabel('城市').fill('Kumasi');
  await drawer.getByLabel('原因').fill('客户搬迁');
  await expect(mark(page)).toBeVisible();
  // In a cell Esc gives up what was typed in it, and never more.
  await drawer.getByRole('button', { name: '添加行' }).click();
  const cell = drawer.getByRole('grid').getByRole('textbox').first();
  await cell.fill('BOC');
  for (let times = 0; times < 3; times += 1) await cell.press('Escape');
  await expect(cell).toHaveValue('');
  await expect(question(page)).toBeHidden();
  const ways = {
    X: () => drawer.getByRole('button', { name: '关闭' }).click(),
    取消: () => drawer.getByRole('button', { name: '取消' }).click(),
    Esc: async () => {
      await drawer.getByLabel('城市').focus();
      await page.keyboard.press('Escape');
    },
  };
  for (const leave of Object.values(ways)) {
    await leave();
    await question(page).waitFor();
    await leaveDialog(question(page), /继续编辑/);
  }
  await expect(drawer.getByLabel('城市')).toHaveValue('Kumasi');
  await ways.X();
  await question(page).waitFor();
  await leaveDialog(question(page), /^关 ?闭$/);
  await expect(mark(page)).toBeHidden();

  const changed = await callApi(page, 'PATCH', `/data/buyer/${id}`, { version, remark: `AT ${Date.now()}` });
  expect(changed.status).toBe(200);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await show();
  await expect(drawer).toContainText('此后单据已被修改过，恢复时逐项比较');
  await drawer.getByRole('button', { name: '恢复', exact: true }).click();
  const versions = page.getByRole('dialog').filter({ hasText: '单据在别处已被修改' });
  await expect(versions).toContainText('Kumasi');
  await versions.getByRole('button', { name: '按选择继续编辑' }).click();
  await expect(drawer.getByLabel('城市')).toHaveValue('Kumasi');
  await expect(drawer.getByLabel('原因')).toHaveValue('客户搬迁');
});

test('a copy stands in a tab of its own, and an offered draft outlives what is typed beside it', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const { id } = await oneOf(page, 'buyer', 'active');
  await open(page, '/customer/buyeredit');
  const name = page.getByLabel(/英文名称/).filter({ visible: true }).first(); // prettier-ignore
  await name.fill('OFFERED LTD');
  await expect.poll(() => keptTexts(page, /OFFERED LTD|TYPED SINCE LTD/)).toEqual(['OFFERED LTD']);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  const discard = page.getByRole('button', { name: '丢弃', exact: true });
  await expect(discard).toBeVisible();
  await name.fill('TYPED SINCE LTD');
  const both = ['OFFERED LTD', 'TYPED SINCE LTD'];
  await expect.poll(() => keptTexts(page, /OFFERED LTD|TYPED SINCE LTD/)).toEqual(both);
  await discard.click();
  await expect.poll(() => keptTexts(page, /OFFERED LTD|TYPED SINCE LTD/)).toEqual(['TYPED SINCE LTD']);
  await open(page, `/customer/buyeredit?copy=${id}`);
  await expect(name).not.toHaveValue('TYPED SINCE LTD');
  await page.goBack();
  await expect(name).toHaveValue('TYPED SINCE LTD');
});

test('a comment and the reason in a dialog mark the tab, and are left only after a question', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const { body } = await callApi<{ readonly data: Record_ }>(page, 'POST', '/data/export_contract', {});
  await open(page, `/details/wxhtxq?id=${body.data.id}`);
  const comment = page.getByLabel('评论', { exact: true });
  await comment.fill('等客户确认');
  await expect(mark(page)).toBeVisible();
  // Behind another page it is as unsaved as before.
  await page.getByRole('tab', { name: '首页' }).click();
  await expect(mark(page)).toBeVisible();
  // No draft keeps it: a new build says so, and the browser asks; so it does when the session ends.
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.route('**/build.json', (route) => route.fulfill({ json: { stamp: 'another' } }));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const notice = page.getByRole('alert').filter({ hasText: '系统已更新' });
  await expect(notice).toContainText('意见、评论等请先提交');
  await notice.click();
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await page.evaluate(() => void window.dispatchEvent(new StorageEvent('storage', { key: null })));
  await expect.poll(() => asked).toEqual(['beforeunload', 'beforeunload']);
  await page.goBack();
  await page.getByRole('button', { name: /^关闭/ }).last().click();
  const tabQuestion = page.getByRole('dialog').filter({ hasText: '意见、评论等会丢失' });
  await tabQuestion.getByRole('button', { name: '回去保存' }).click();
  await expect(comment).toHaveValue('等客户确认');
  // What is typed on while it is being sent is not sent yet.
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/erp/api/comments/**', async (route) => {
    if (route.request().method() === 'POST') await arrived;
    await route.continue();
  });
  await page.getByRole('button', { name: '发表', exact: true }).click();
  await comment.fill('等客户确认，明天回复');
  arrive();
  await expect(page.locator('.comments')).toContainText('等客户确认');
  await expect(comment).toHaveValue('等客户确认，明天回复');
  await comment.fill('');
  await expect(mark(page)).toBeHidden();

  await page.getByRole('button', { name: '作废', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '作废' });
  await dialog.getByLabel('原因').fill('客户取消');
  await expect(mark(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await question(page).waitFor();
  await leaveDialog(question(page), /继续编辑/);
  await expect(dialog.getByLabel('原因')).toHaveValue('客户取消');
  await dialog.getByRole('button', { name: '取消' }).click();
  await question(page).waitFor();
  await leaveDialog(question(page), /^关 ?闭$/);
  await expect(dialog).toBeHidden();
  await expect(mark(page)).toBeHidden();
});
