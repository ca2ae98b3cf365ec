import type { Page } from 'playwright/test';
import { encodeGbk } from '#server/kernel/encode-gbk.ts';
import {
  approved,
  change,
  create,
  expect,
  expectStatus,
  type Fields,
  find,
  list,
  newest,
  recordOf,
  run,
} from './support/flow-api.ts';
import {
  act,
  fillIn,
  formField,
  idInFront,
  pickIn,
  save,
  shot,
  show,
  showRecord,
  staff,
} from './support/flow-desk.ts';
import { test } from './support/test.ts';

type Desks = Awaited<ReturnType<typeof staff<'tr' | 'fn' | 'fn2'>>>;

const today = (): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date());
const plain = (day: string): string => day.replaceAll('-', '').slice(2);

/** What one run has and no other: references of the bank, and amounts that nobody else receives. */
const stamp = Date.now();
const reference = (place: number): string => `BF${stamp}${place}`;
const cents = (place: number): string => `${1000 + place}.${String(stamp % 97).padStart(2, '0')}`;

async function accountIn(page: Page, currency: string): Promise<Fields> {
  return newest(page, 'company_bank_account', { currency: { eq: currency }, status: { eq: 'active' } });
}

/** Money of a partner on the account of the company, as finance has booked it. */
async function received({ fn, fn2 }: Desks, account: Fields, place: number): Promise<string> {
  const partner = await newest(fn, 'partner', { status: { eq: 'active' } });
  const { id } = await create(fn, 'domestic_receipt', {
    ...{ kind: 'topup', partner_id: partner['id'], payer_kind: 'partner', payer_name: partner['name'] },
    ...{ bank_account_id: account['id'], value_date: today(), amount: cents(place) },
    bank_ref: reference(place),
  });
  await approved(fn, 'domestic_receipt', String(id), [fn2]);
  return String(id);
}

/** Foreign money that the bank has credited. */
async function credited({ fn }: Desks, account: Fields, place: number): Promise<void> {
  const country = await newest(fn, 'country', { name: { eq: '德国' } });
  await create(fn, 'receipt', {
    ...{ bank_account_id: account['id'], currency: account['currency'], value_date: today() },
    ...{ gross_amount: cents(place), payer_name: 'FLOW GMBH', payer_country_id: country['id'] },
    bank_ref: reference(place),
  });
}

interface File {
  readonly name: string;
  readonly text: string | Buffer;
}

/** A new statement with a file of the bank, not saved yet. */
async function newStatement(page: Page, account: Fields, file: File): Promise<void> {
  await show(page, '/index/djbj?resource=bank_statement');
  await pickIn(page, '银行账户', String(account['account_no']));
  await give(page, file);
}

async function give(page: Page, { name, text }: File): Promise<void> {
  const field = formField(page, '对账单文件');
  const buffer = typeof text === 'string' ? Buffer.from(text) : text;
  await field.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });
  await expect(field.getByText(name)).toBeVisible();
  await expect(field.locator('.ant-progress')).toHaveCount(0);
}

/** Saves what the server will not take, and reads what it says. */
async function isRefused(page: Page, message: RegExp): Promise<void> {
  await page.keyboard.press('Control+s');
  await expect(page.getByText(message).filter({ visible: true }).first()).toBeVisible();
}

const statesOf = async (page: Page, id: string): Promise<readonly unknown[]> =>
  list((await recordOf(page, 'bank_statement', id))['lines']).map((line) => line['match_state']);

test('a table of the bank, in GBK and by the format kept for it, is compared with the book', async ({
  browser,
}) => {
  const desks = await staff(browser, ['tr', 'fn', 'fn2']);
  const { tr, fn } = desks;
  const account = await accountIn(tr, 'CNY');
  const receipts = [await received(desks, account, 1), await received(desks, account, 2)];
  const closing = String((await recordOf(tr, 'company_bank_account', String(account['id'])))['balance']);

  await test.step('treasury writes down how this bank names its columns', async () => {
    await show(tr, '/index/djbj?resource=bank_format');
    await fillIn(tr, { 格式名称: `流程格式${stamp}` });
    await pickIn(tr, '银行', String((account['_labels'] as Fields)['bank_id']));
    const titles = { 日期列名: '记账日', 收入列名: '贷方发生额', 支出列名: '借方发生额', 余额列名: '结存' };
    await fillIn(tr, { ...titles, 流水号列名: '业务流水', 对方户名列名: '对手户名', 摘要列名: '附言' });
    await shot(tr, 'bank-format');
    await save(tr);
  });

  const [one, two] = [cents(1), cents(2)];
  const heads = '记账日,贷方发生额,借方发生额,结存,业务流水,对手户名,附言';
  const fee = (Number(closing) - 20).toFixed(2);
  const before = (Number(closing) - Number(two)).toFixed(2);
  const rows = [
    `${today()},${one},,${before},${reference(1)},,转入`,
    `${today()},"${two}",,${closing},网银${stamp},,转入`,
    `${today()},,20.00,${fee},F${stamp},,账户管理费`,
  ];
  const table = (...lines: readonly string[]): File => ({
    name: '网银明细.csv',
    text: encodeGbk(['账号,…', heads, ...lines].join('\r\n')),
  });

  const id =
    await test.step('a file with broken lines is refused with their rows, the right one is read', async () => {
      const broken = [rows[0]?.replace(today(), '2026-02-30') ?? '', rows[1]?.replace(two, '一千') ?? ''];
      await newStatement(tr, account, table(...broken));
      await test.step('the file is read in the page, and a program is refused for good', async () => {
        await tr
          .getByRole('button', { name: /网银明细\.csv/ })
          .filter({ visible: true })
          .first()
          .click();
        const shown = tr.getByRole('dialog', { name: '网银明细.csv' });
        await expect(shown.locator('pre')).toContainText('记账日,贷方发生额');
        await shown.getByText('关闭', { exact: true }).click();
        const field = formField(tr, '对账单文件');
        await field
          .locator('input[type=file]')
          .setInputFiles({ name: '网银.exe', mimeType: 'text/plain', buffer: Buffer.from('MZ\0\0') });
        const refused = field.getByRole('status').filter({ hasText: '不支持的文件类型' });
        await expect(refused).toBeVisible();
        await expect(refused.getByRole('button', { name: '重试' })).toHaveCount(0);
        await refused.getByRole('button', { name: '知道了' }).click();
        await expect(refused).toHaveCount(0);
      });
      await isRefused(tr, /对账单有 2 行无法读取：第3行：日期“2026-02-30”无法识别/);
      await shot(tr, 'bank-broken');
      await expect(tr.getByText('第4行：金额无法识别').filter({ visible: true }).first()).toBeVisible();
      await tr.getByRole('button', { name: '移除网银明细.csv' }).click();
      await give(tr, table(...rows));
      await save(tr);
      const made = await idInFront(tr);
      expect(await statesOf(tr, made)).toEqual(['matched', 'proposed', 'open']);
      await shot(tr, 'bank-read');
      return made;
    });

  await test.step('the same file again brings nothing', async () => {
    await newStatement(tr, account, table(...rows));
    await isRefused(tr, /对账单中的流水均已导入/);
  });

  await test.step('what the machine proposes is taken, the fee stays open, the day gets its balance', async () => {
    await showRecord(tr, 'bank_statement', id);
    await act(tr, '采纳建议');
    expect(await statesOf(tr, id)).toEqual(['matched', 'matched', 'open']);
    await act(tr, '确认');
    await expectStatus(tr, 'bank_statement', id, 'confirmed');
    await shot(tr, 'bank-confirmed');
    await show(tr, '/zjgl/yhye');
    await tr.getByRole('tab', { name: '未达账项' }).click();
    await expect(tr.getByText(`F${stamp}`).filter({ visible: true }).first()).toBeVisible();
    await shot(tr, 'bank-open-items');
  });

  await test.step('the balance is checked when the difference is explained', async () => {
    const day = { account_id: { eq: account['id'] }, balance_date: { eq: today() } };
    const balance = String((await newest(fn, 'bank_balance', day))['id']);
    await showRecord(fn, 'bank_balance', balance);
    await fn.getByRole('button', { name: '核对', exact: true }).click();
    await expect(fn.getByText('账面与对账单有差异，请在备注中注明未达账项').first()).toBeVisible();
    await shot(fn, 'bank-difference');
    await change(fn, 'bank_balance', balance, { remark: '账户管理费 20.00 元次日入账' });
    await showRecord(fn, 'bank_balance', balance);
    await act(fn, '核对');
    await expectStatus(fn, 'bank_balance', balance, 'done');
    // As it was for whoever comes next: the day goes on, and so does the book.
    await run(fn, 'bank_balance', balance, { action: 'uncheck' });
    await change(fn, 'bank_balance', balance, { remark: null });
  });

  for (const receipt of receipts)
    await run(fn, 'domestic_receipt', receipt, { action: 'reverse', opinion: '流程试验' });
});

test('MT940 and camt.053 come as they are, each at its own account only', async ({ browser }) => {
  const desks = await staff(browser, ['tr', 'fn', 'fn2']);
  const { tr } = desks;
  const [yen, pound] = [await accountIn(tr, 'SGD'), await accountIn(tr, 'GBP')];
  await credited(desks, yen, 3);
  await credited(desks, pound, 4);
  const day = plain(today());
  const comma = (amount: string): string => amount.replace('.', ',');
  const after = async ({ id }: Fields): Promise<string> =>
    String((await recordOf(tr, 'company_bank_account', String(id)))['balance']);
  const opened = async (account: Fields, amount: string): Promise<string> =>
    (Number(await after(account)) - Number(amount)).toFixed(2);

  const swift: File = {
    name: 'MT940.sta',
    text: [
      '{4:',
      `:20:ST${day}`,
      `:25:ICBKCNBJ/${String(yen['account_no'])}`,
      ':28C:1/1',
      `:60F:C${day}SGD${comma(await opened(yen, cents(3)))}`,
      `:61:${day}${day.slice(2)}C${comma(cents(3))}NTRF${reference(3)}`,
      ':86:/ORDP/NAME/FLOW GMBH',
      `:62F:C${day}SGD${comma(await after(yen))}`,
      '-}',
    ].join('\r\n'),
  };
  await newStatement(tr, pound, swift);
  await isRefused(tr, new RegExp(`对账单的账号 .*${String(yen['account_no'])} 与所选账户不符`));
  await shot(tr, 'bank-other-account');
  await pickIn(tr, '银行账户', String(yen['account_no']));
  await save(tr);
  const first = await idInFront(tr);
  expect(await statesOf(tr, first)).toEqual(['matched']);
  await act(tr, '确认');
  await expectStatus(tr, 'bank_statement', first, 'confirmed');

  const balance = async (code: string, amount: string): Promise<string> =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${today()}</Dt></Dt></Bal>`;
  await newStatement(tr, pound, {
    name: 'camt053.xml',
    text: `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><Othr><Id>${String(pound['account_no'])}</Id></Othr></Id><Ccy>GBP</Ccy></Acct>
${await balance('OPBD', await opened(pound, cents(4)))}
${await balance('CLBD', await after(pound))}
<Ntry><Amt Ccy="GBP">${cents(4)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${today()}</Dt></BookgDt>
<AcctSvcrRef>${reference(4)}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>FLOW GMBH</Nm></Pty></Dbtr></RltdPties></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>`,
  });
  await save(tr);
  const second = await idInFront(tr);
  expect(await statesOf(tr, second)).toEqual(['matched']);
  await act(tr, '确认');
  await shot(tr, 'bank-camt');
  // The bank and the book say the same of that day.
  for (const [account, statement] of [
    [yen, first],
    [pound, second],
  ] as const) {
    const filters = { account_id: { eq: account['id'] }, balance_date: { eq: today() } };
    const [told] = await find(tr, 'bank_balance', filters);
    expect([statement, told?.['statement'], told?.['difference']]).toEqual([
      statement,
      await after(account),
      '0.00',
    ]);
  }
});
