import { expect, find, list, newest, recordOf } from './support/flow-api.ts';
import { act, save, show, staff } from './support/flow-desk.ts';
import { test } from './support/test.ts';

/** Codes of no goods: what is imported here changes nothing that is traded. */
const CHAPTER = `99${String(Date.now()).slice(-4)}`;
const codeOf = (place: number) => `${CHAPTER}${String(place).padStart(4, '0')}`;
const HEAD = '商品代码,商品名称,计量单位,征税率,退税率,起始日期,截止日期,特殊商品标识';

test('the rate library and the elements are checked and imported by the administrator; what changed stands in a report, the rates in versions', async ({
  browser,
}) => {
  const { ad, dc } = await staff(browser, ['ad', 'dc']);
  const [first, second] = [codeOf(1), codeOf(2)];

  const importOf = async (files: Readonly<Record<string, readonly string[]>>): Promise<string> => {
    await show(ad, '/baseinfo/hscodedr');
    await ad.getByRole('button', { name: '新增', exact: true }).click();
    for (const [title, lines] of Object.entries(files)) {
      const field = ad
        .locator('.form-field', { has: ad.locator(`label[title="${title}"]`) })
        .filter({ visible: true });
      await field.locator('input[type=file]').setInputFiles({
        ...{ name: `${title}.csv`, mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${lines.join('\r\n')}`) },
      });
      await expect(field.getByText(`${title}.csv`)).toBeVisible();
      await expect(field.locator('.ant-progress')).toHaveCount(0);
    }
    await save(ad);
    const made = String((await newest(ad, 'hs_code_import', {}))['id']);
    await show(ad, `/index/dj?resource=hs_code_import&id=${made}`);
    await act(ad, '检查');
    await expect
      .poll(async () => (await recordOf(ad, 'hs_code_import', made))['status'], { timeout: 60_000 })
      .toBe('looked');
    return made;
  };

  await test.step('a small library with every kind of fault: what can be read is taken, what cannot is told', async () => {
    const made = await importOf({
      退税率文库: [
        HEAD,
        `${first},测试阀门,千克,13%,13%,20240101,20241130,`,
        `${first},测试阀门,千克,13%,9%,20241201,99991231,`,
        `${second},测试水泵,台,0.13,0.13,2024-01-01,,`,
        `${codeOf(3)},说了两遍,千克,13,13,20240101,,`,
        `${codeOf(3)},说了两遍,千克,13,9,20240101,,`,
        `${codeOf(4)},没有这一天,千克,13,13,20240230,,`,
        `12345,编码不对,千克,13,13,20240101,,`,
      ],
      申报要素表: ['商品编码,申报要素', `${second},1:品名;2:品牌类型;3:用途`],
    });
    expect(await recordOf(ad, 'hs_code_import', made)).toMatchObject({
      new_count: 3,
      element_count: 1,
      fault_count: 4,
      changed_count: 0,
    });
    expect(await find(dc, 'hs_code', { code: { eq: first } })).toHaveLength(0);
    await act(ad, '导入');
    await expect
      .poll(async () => (await recordOf(ad, 'hs_code_import', made))['status'], { timeout: 60_000 })
      .toBe('done');
    expect(await recordOf(ad, 'hs_code_import', made)).toMatchObject({
      new_count: 3,
      element_count: 1,
      fault_count: 4,
    });
    const { report } = await recordOf(ad, 'hs_code_import', made);
    const text = await ad.evaluate(
      async (id) => {
        const headers = { Authorization: localStorage.getItem('authorization') ?? '' };
        return (await fetch(`/erp/api/files/${id}`, { headers })).text();
      },
      String(list(report)[0]),
    );
    for (const line of [
      `${first},新增,2024-01-01,2024-11-30,退税率,,13`,
      '起始日期“20240230”不是日期',
      '12345,未导入',
    ])
      expect(text).toContain(line);
    const versions = await find(dc, 'hs_code', { code: { eq: first } });
    expect(versions.map(({ refund_rate: rate }) => Number(rate)).toSorted((a, b) => a - b)).toEqual([9, 13]);
    expect((await find(dc, 'hs_code', { code: { eq: second } }))[0]?.['elements']).toBe('品名;品牌类型;用途');
    expect(await find(dc, 'hs_code', { code: { eq: codeOf(3) } })).toHaveLength(0);
  });

  await test.step('a library of 13,000 lines is looked through while its person waits, and may be left at that', async () => {
    const lines = Array.from(
      { length: 13_000 },
      (_entry, place) => `98${String(place).padStart(8, '0')},货物${place},千克,13,13,20240101,,`,
    );
    const made = await importOf({ 退税率文库: [HEAD, ...lines] });
    expect(await recordOf(ad, 'hs_code_import', made)).toMatchObject({ new_count: 13_000, fault_count: 0 });
    await act(ad, '重新上传');
    expect(await find(dc, 'hs_code', { code: { eq: '9800000001' } })).toHaveLength(0);
  });
});
