import type { Browser } from 'playwright/test';
import { aShipment, day, QUANTITY } from './support/bought-shipment.ts';
import { expect, expectStatus, type Fields, find, list, newest, recordOf } from './support/flow-api.ts';
import {
  act,
  actOnChosen,
  agree,
  chooseInList,
  fillCell,
  fillIn,
  gridOf,
  idInFront,
  pickIn,
  save,
  show,
  showRecord,
  staff,
  uploadToCell,
} from './support/flow-desk.ts';
import { test } from './support/test.ts';

/** What differs from one run to the next: numbers are registered once. */
const SERIAL = Date.now();
const desks = (browser: Browser) => staff(browser, ['sp', 'dm', 'tm', 'dc', 'fn']);

test('goods bought out are booked, stored, declared and sail; invoice, refund and filing follow until the money of the state is there', async ({
  browser,
}) => {
  const desk = await desks(browser);
  const { purchase, shipment } = await aShipment(desk);
  const id = String(shipment['id']);

  const logistics = await test.step('the documents clerk books space from the shipment', async () => {
    await show(desk.dc, `/details/listdetails?id=${id}`);
    await desk.dc.getByRole('button', { name: '物流订舱' }).click();
    await expect(desk.dc.getByRole('note', { name: '来源' })).toContainText(String(shipment['shipment_no']));
    await fillIn(desk.dc, { '船公司/承运人': 'COSCO', 船名航次: 'PACIFIC HERON/23E' });
    const containers = await gridOf(desk.dc, '集装箱');
    await desk.dc.locator('.line-grid', { has: containers }).getByRole('button', { name: '添加行' }).click();
    await fillCell(containers, '柜号', 'CSQU3054383');
    await save(desk.dc);
    const made = await idInFront(desk.dc);
    await act(desk.dc, '订舱');
    await act(desk.dc, '配舱', { '订舱号(SO)': `SO${SERIAL}` });
    await expectStatus(desk.dc, 'logistics_order', made, 'confirmed');
    return made;
  });

  await test.step('the goods come into the warehouse and leave it; trade management approves both', async () => {
    await show(desk.sp, `/qymanage/cghtdetails?id=${String(purchase['id'])}`);
    await desk.sp.getByRole('button', { name: '进仓', exact: true }).click();
    await expect(desk.sp.getByRole('note', { name: '来源' })).toContainText(String(purchase['purchase_no']));
    await fillIn(desk.sp, { 送货人: '李师傅', 车牌号: '浙B12345', 验收人: '王敏' });
    await fillCell(await gridOf(desk.sp, '商品明细'), '件数', '10');
    await save(desk.sp);
    const stored = await idInFront(desk.sp);
    await act(desk.sp, '提交');
    await agree(desk.tm, 'warehouse_entry', stored);
    await expectStatus(desk.sp, 'warehouse_entry', stored, 'stored');
    expect(stockOf(await recordOf(desk.sp, 'purchase_contract', String(purchase['id'])))).toBe('100.0000');

    await show(desk.dc, `/details/listdetails?id=${id}`);
    await desk.dc.getByRole('button', { name: '出仓', exact: true }).click();
    await expect(desk.dc.getByRole('note', { name: '来源' })).toContainText(String(shipment['shipment_no']));
    await fillIn(desk.dc, { '仓库/交货地': '北仑保税仓' });
    await save(desk.dc);
    const issued = await idInFront(desk.dc);
    await act(desk.dc, '提交');
    await agree(desk.tm, 'warehouse_entry', issued);
    await expectStatus(desk.dc, 'warehouse_entry', issued, 'issued');
    expect(stockOf(await recordOf(desk.sp, 'purchase_contract', String(purchase['id'])))).toBe('0.0000');
  });

  const draft = await newest(desk.dc, 'customs_declaration', { shipment_id: { eq: id } });
  const declaration = String(draft['id']);

  await test.step('the clerk completes the declaration that the approval made; customs accept and release it', async () => {
    await showRecord(desk.dc, 'customs_declaration', declaration);
    await desk.dc.getByRole('button', { name: '编辑', exact: true }).click();
    await pickIn(desk.dc, '出境关别', '宁波');
    await fillIn(desk.dc, { 运输工具名称及航次号: 'PACIFIC HERON/23E', 提运单号: `PHLN${SERIAL}` });
    const [item] = list((await recordOf(desk.dc, 'customs_declaration', declaration))['items']);
    await fillCell(await gridOf(desk.dc, '商品项'), '商品编号', String(item?.['hs_code']).padEnd(10, '0'));
    await save(desk.dc);
    await act(desk.dc, '发送');
    await act(desk.dc, '接单', { 海关编号: `310120${String(SERIAL).slice(-12)}` });
    await act(desk.dc, '放行');
    await expectStatus(desk.dc, 'customs_declaration', declaration, 'released');
    await expectStatus(desk.dc, 'shipment', id, 'declared');
  });

  await test.step('the box is loaded and sails; the shipment has day and bill of lading from there, and customs close', async () => {
    await show(desk.dc, `/wlgl/wldddetails?id=${logistics}`);
    await act(desk.dc, '装柜');
    await act(desk.dc, '进港');
    await act(desk.dc, '开航', { 实际开船: day(0), 提单号: `PHLN${SERIAL}` });
    await show(desk.dc, `/details/listdetails?id=${id}`);
    await act(desk.dc, '出运');
    const sailed = await recordOf(desk.dc, 'shipment', id);
    expect([sailed['status'], sailed['atd'], sailed['bl_no'], sailed['vessel']]).toEqual([
      'shipped',
      day(0),
      `PHLN${SERIAL}`,
      'PACIFIC HERON',
    ]);
    await showRecord(desk.dc, 'customs_declaration', declaration);
    await act(desk.dc, '结关');
    await expectStatus(desk.dc, 'customs_declaration', declaration, 'closed');
  });

  const row = await newest(desk.fn, 'tax_refund', { declaration_id: { eq: declaration } });
  const refund = String(row['id']);
  expect([row['status'], row['expected'], row['invoices_complete']]).toEqual(['collecting', '0.00', false]);

  const invoice =
    await test.step('finance registers the supplier’s invoice from the shipment, verifies, matches and ticks it', async () => {
      const net = String(purchase['net_amount']);
      const tax = (Number(purchase['total_amount']) - Number(net)).toFixed(2);
      const number = String(SERIAL).padStart(20, '2');
      await show(desk.fn, '/qymanage/hkfpdj');
      await pickIn(desk.fn, '发票类型', '数电发票(增值税专用发票)');
      await pickIn(desk.fn, '销售方', String((purchase['_labels'] as Fields)['supplier_id']));
      await fillIn(desk.fn, { 发票号码: number, 不含税金额: net, 税额: tax });
      const items = await gridOf(desk.fn, '发票明细');
      await desk.fn.locator('.line-grid', { has: items }).getByRole('button', { name: '添加行' }).click();
      for (const [column, value] of Object.entries({
        货物名称: '*塑料制品*衣架',
        单位: '个',
        数量: QUANTITY,
        单价: (Number(net) / Number(QUANTITY)).toFixed(6),
        金额: net,
        税率: '13',
        税额: tax,
      }))
        await fillCell(items, column, value);
      const matches = await gridOf(desk.fn, '配单明细');
      await desk.fn.locator('.line-grid', { has: matches }).getByRole('button', { name: '选取' }).click();
      const picker = desk.fn.getByRole('dialog', { name: /^从明细单选取/ });
      await picker.getByLabel('查找').fill(String(shipment['shipment_no']));
      await expect(picker.locator('.ant-table-row')).toHaveCount(1);
      await picker.getByLabel('查找').press('Enter');
      await expect(picker.getByRole('status')).toContainText('已选 1 行');
      await picker.getByLabel('查找').press('Control+Enter');
      await expect(picker).toBeHidden();
      await fillCell(matches, '配单金额', net);
      await save(desk.fn);
      const made = await idInFront(desk.fn);

      await show(desk.fn, '/cyfp');
      await desk.fn.getByLabel('发票类型').selectOption('31');
      const registered = await recordOf(desk.fn, 'goods_invoice', made);
      await desk.fn.getByLabel('受票方税号').fill(String(registered['purchaser_tax_no']));
      await desk.fn.getByLabel('发票号码').fill(number);
      await desk.fn.getByLabel('开票日期').fill(day(0));
      await desk.fn.getByLabel('价税合计').fill(String(registered['total_amount']));
      await desk.fn.getByRole('button', { name: '查验' }).click();
      await expect(desk.fn.getByText('查验成功!')).toBeVisible();

      await show(desk.fn, `/qymanage/hkfpxq?id=${made}`);
      await act(desk.fn, '查验');
      await act(desk.fn, '配单');
      const joined = await recordOf(desk.fn, 'tax_refund', refund);
      expect([joined['invoices_complete'], joined['expected']]).toEqual([
        true,
        (Number(net) * 0.13).toFixed(2),
      ]);
      await act(desk.fn, '勾选', { 勾选用途: '退税', 勾选属期: day(0).slice(0, 7).replace('-', '') });
      await expectStatus(desk.fn, 'goods_invoice', made, 'certified');
      return made;
    });

  await test.step('the refund is complete and goes into the declaration of the month, chosen in the list', async () => {
    await chooseInList(desk.fn, '/zjc/tsktz', refund);
    await actOnChosen(desk.fn, '批量齐套');
    await expectStatus(desk.fn, 'tax_refund', refund, 'ready');
    await chooseInList(desk.fn, '/zjc/tsktz', refund);
    await actOnChosen(desk.fn, '批量申报', { 申报年月: day(0).slice(0, 7).replace('-', '') });
    const declared = await recordOf(desk.fn, 'tax_refund', refund);
    expect([declared['status'], list(declared['items'])[0]?.['relation_seq']]).toEqual([
      'declared',
      `${String(declared['refund_no'])}-1`,
    ]);
    await expectStatus(desk.fn, 'goods_invoice', invoice, 'declared');
  });

  await test.step('the clerk files the documents of the export within fifteen days', async () => {
    const filing = await newest(desk.dc, 'document_filing', { shipment_id: { eq: id } });
    expect([filing['status'], filing['missing_docs'], filing['due_date']]).toEqual(['pending', 3, day(15)]);
    await show(desk.dc, `/details/dzbanewxq?id=${String(filing['id'])}`);
    await desk.dc.getByRole('button', { name: '编辑', exact: true }).click();
    const papers = await gridOf(desk.dc, '备案单证');
    for (const [place, name] of ['购销合同.pdf', '海运提单.pdf', '代理报关委托书.pdf'].entries())
      await uploadToCell(desk.dc, papers, { column: '文件', line: place + 1, name });
    await save(desk.dc);
    await act(desk.dc, '备案');
    await expectStatus(desk.dc, 'document_filing', String(filing['id']), 'filed');
    await show(desk.fn, `/details/dzbanewxq?id=${String(filing['id'])}`);
    await act(desk.fn, '核查', { 核查记录: '三类单证齐全，与报关单一致' });
    await expectStatus(desk.fn, 'document_filing', String(filing['id']), 'checked');
  });

  await test.step('the tax office agrees to all of it; the money comes, and stands in the pool of the shipment', async () => {
    await showRecord(desk.fn, 'tax_refund', refund);
    const { expected } = await recordOf(desk.fn, 'tax_refund', refund);
    await desk.fn.locator('.details-actions').getByRole('button', { name: '核准', exact: true }).click();
    const amend = desk.fn.locator('.ant-drawer').filter({ hasText: '退税明细' }).last();
    await fillCell(amend.getByRole('grid', { name: '退税明细' }), '核准退税额', String(expected));
    await amend.locator('.form-bar-row').getByRole('button', { name: '核准', exact: true }).click();
    await expectStatus(desk.fn, 'tax_refund', refund, 'approved');
    const account = await newest(desk.fn, 'company_bank_account', {
      currency: { eq: 'CNY' },
      status: { eq: 'active' },
    });
    await act(desk.fn, '到账', { 退税账户: String(account['account_no']), 银行流水号: `TS${SERIAL}` });
    await expectStatus(desk.fn, 'tax_refund', refund, 'received');
    await expectStatus(desk.fn, 'goods_invoice', invoice, 'refunded');
    const entries = await find(desk.fn, 'fund_ledger_entry', {
      shipment_id: { eq: id },
      entry_type: { eq: 'REBATE_RCV' },
    });
    expect(entries.map(({ amount }) => amount)).toEqual([expected]);
  });
});

/** What lies in the warehouse of the one line. */
function stockOf(purchase: Fields): unknown {
  return list(purchase['items'])[0]?.['stock'];
}
