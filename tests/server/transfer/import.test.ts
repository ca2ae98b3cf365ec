import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_FILE_BYTES } from '#engine/fields/file-rules.ts';
import type { FieldType } from '#engine/schema/definition.ts';
import type { Field } from '#engine/schema/resource.ts';
import { readCellValue } from '#server/workflow/transfer/cell-value.ts';
import type { ReadCell } from '#server/workflow/transfer/import-fault.ts';
import { readImportRows } from '#server/workflow/transfer/read-import-rows.ts';
import type { SheetColumn } from '#server/workflow/transfer/sheet-cell.ts';
import { workbookBytes } from '#server/workflow/transfer/write-workbook.ts';
import type { Example, Reply } from '../support/running-example.ts';
import { download, sheetText, startTransferExample, textsOf } from './transfer-example.ts';

let example: Example;
let sales: string;
let manager: string;
beforeAll(async () => {
  example = await startTransferExample();
  sales = await example.signIn('sp.aa', 'SP');
  manager = await example.signIn('tm.aa', 'TM');
});
afterAll(() => example.close());

interface Preview {
  readonly importId: string;
  readonly counts: { readonly create: number; readonly update: number; readonly error: number };
  readonly rows: readonly {
    row: number;
    kind: string;
    label: string;
    errors: { column: string; cell?: string; message: string }[];
  }[];
}
interface Item {
  readonly id: string;
  readonly version: number;
  readonly [field: string]: unknown;
}

const upload = (bytes: Uint8Array<ArrayBuffer>, name: string, token = manager): Promise<Reply> => {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  return example.call('POST', '/erp/api/data/trade_item/import', { token, body: form });
};
const checked = async (rows: string, token = manager): Promise<Preview> => {
  const reply = await upload(encode(rows), '数据.csv', token);
  expect(reply.body.msg).toBe('操作成功');
  return reply.body.data;
};
const commit = (importId: string, token = manager) =>
  example.call('POST', `/erp/api/data/trade_item/import/${importId}/commit`, { token, body: {} });
const create = (body: unknown) => example.call('POST', '/erp/api/data/trade_item', { token: manager, body });
const find = async (code: string): Promise<Item | undefined> => {
  const list: { records: Item[] } = (
    await example.call('POST', '/erp/api/data/trade_item/query', {
      token: manager,
      body: { filters: { code: { eq: code } } },
    })
  ).body.data;
  return list.records[0];
};
const encode = (content: string) => new TextEncoder().encode(content);
const field = (type: FieldType, more: Partial<Field> = {}): Field => ({
  name: 'x',
  title: '甲',
  type,
  required: false,
  standard: false,
  computed: false,
  ...more,
});
const read = (text: string, kind: ReadCell['kind'], of: Field) => readCellValue({ text, kind }, of);
function* blanks(megabytes: number): Generator<Buffer> {
  const block = Buffer.alloc(1024 * 1024, ' ');
  for (let count = 0; count < megabytes; count += 1) yield block;
}
const text = (title: string): SheetColumn => ({ title, format: { kind: 'text' }, width: 10 });

test('the template has the fields of the role, required ones marked, and what may be chosen', async () => {
  const file = await download(example, {
    method: 'GET',
    path: '/data/trade_item/import/template',
    token: sales,
  });
  const [titles] = await textsOf(file.bytes);
  expect(titles).toEqual(expect.arrayContaining(['编码*', '名称*', '数量', '等级', '负责人']));
  expect(titles).not.toEqual(expect.arrayContaining(['金额']));
  for (const closed of ['成本', '证件号', '创建时间']) expect(titles).not.toContain(closed);
  // Digits that are typed below a text's title stay as they are; a quantity is reckoned with.
  const columns = (await sheetText(file.bytes)).match(/<col [^>]+>/g) ?? [];
  const isText = (title: string) => columns[titles?.indexOf(title) ?? -1]?.includes('style="2"');
  expect([isText('编码*'), isText('负责人'), isText('数量')]).toEqual([true, true, false]);
});

test('what people write in cells is understood; defaults and formulas are those of a create', async () => {
  const preview = await checked(
    '编码*,名称,数量,单价,退税率,生产日期,检验时间,件数,等级,币种,负责人,公开,无关列\r\n' +
      'I-1,"带""引号"", 的名称","1,200.5",￥3.20,13%,2026/3/5,2026-3-5 9:05,7,二等,美元,sp.aa,是,x\r\n',
  );
  expect(preview).toMatchObject({
    counts: { create: 1, update: 0, error: 0 },
    rows: [{ row: 2, kind: 'create', label: '带"引号", 的名称' }],
    ignored: ['无关列'],
  });
  expect(await find('I-1')).toBeUndefined();
  expect((await commit(preview.importId)).body).toMatchObject({
    msg: '导入完成',
    data: { created: 1, updated: 0, skipped: 0 },
  });
  expect(await find('I-1')).toMatchObject({
    name: '带"引号", 的名称', quantity: '1200.5000', price: '3.20', amount: '3841.60', rate: '13.0000', made_on: '2026-03-05',
    seen_at: '2026-03-05T01:05:00.000Z', pieces: 7, grade: 'b', currency: 'USD', is_open: true, version: 1,
    _labels: { grade: '二等', owner_id: expect.any(String) },
  }); // prettier-ignore
  const audits = await example.server.services.db.query(
    `select opinion, co_code from sys_audit where resource = 'trade_item' and action = 'import'`,
  );
  expect(audits).toEqual([{ opinion: '导入文件“数据.csv”：新增1行，更新0行，未写入0行', co_code: 'AA' }]);
  const again = await commit(preview.importId);
  expect([again.status, again.body.msg]).toEqual([409, '该导入已处理']);
  expect((await commit(preview.importId, sales)).status).toBe(404);
});

test('a reference is found as people write it: a number in groups, or what stands beside its label', async () => {
  const [owner] = await example.server.services.db.query<{ id: string; name: string }>(
    `select id::text as id, name from person where personid = 'sp.aa'`,
  );
  await create({ code: 'KEY-100', name: '螺丝', quantity: '1', grade: 'a', owner_id: owner?.id });
  const preview = await checked(
    `编码,名称,同类\nR-1,甲,KEY 100\nR-2,乙,a · ${owner?.name}\nR-3,丙,螺丝（a / ${owner?.name}）\nR-4,丁,${owner?.name}\nR-5,戊,螺丝 ${owner?.name}\n`,
  );
  expect(preview.rows.map(({ errors }) => errors.length)).toEqual([0, 0, 0, 1, 0]);
});

test('a row whose unique value is stored is an update: filled cells replace, empty ones stay, history tells', async () => {
  await create({ code: 'U-1', name: '原名', quantity: '1200.5', grade: 'b' });
  const before = await find('U-1');
  const preview = await checked('编码,名称,件数,数量\nU-1,,9,\n');
  expect(preview).toMatchObject({ counts: { create: 0, update: 1, error: 0 } });
  await commit(preview.importId);
  expect(await find('U-1')).toMatchObject({
    name: before?.['name'],
    pieces: 9,
    quantity: '1200.5000',
    version: 2,
    grade: 'b',
  });
  const history = await example.call('GET', `/erp/api/data/trade_item/${before?.id}/history`, {
    token: manager,
  });
  expect(history.body.data).toMatchObject([{ action: 'update', opinion: '导入' }, { action: 'create' }]);
});

test('every bad row is told with its column, and none of them is written', async () => {
  const preview = await checked(
    [
      '编码,名称,数量,生产日期,等级,负责人,件数',
      'E-1,甲,0,,,,',
      'E-2,,5,,,,',
      'E-3,丙,五,2026-02-30,三等,没有这个人,1.5',
      'E-4,丁,1,,,,-1',
      'E-4,戊,1,,,,',
      'E-4,己,2,,,,',
    ].join('\n'),
  );
  expect(preview.counts).toEqual({ create: 1, update: 0, error: 5 });
  const messages = Object.fromEntries(
    preview.rows.map(({ row, errors }) => [
      row,
      errors.map(({ column, message }) => `${column}：${message}`),
    ]),
  );
  expect(messages).toEqual({
    2: ['数量：数量必须大于0'],
    3: ['名称：请填写名称'],
    4: [
      '数量：应为数字',
      '生产日期：日期格式不正确，应如 2026-03-31',
      '等级：“三等”不在可选范围内',
      '负责人：“没有这个人”不存在或不可选用',
      '件数：应为整数',
    ],
    5: ['件数：不能小于0'],
    6: [],
    7: ['编码：编码与第6行重复'],
  });
  const file = await download(example, {
    method: 'GET',
    path: `/data/trade_item/import/${preview.importId}/errors`,
    token: manager,
  });
  const rows = await textsOf(file.bytes);
  expect(rows[0]).toEqual(['编码', '名称', '数量', '生产日期', '等级', '负责人', '件数', '错误原因']);
  expect(rows[1]).toEqual(['E-1', '甲', '0', '', '', '', '', '数量必须大于0']);
  expect((await commit(preview.importId)).body.data).toMatchObject({ created: 1, updated: 0, skipped: 5 });
  expect(await find('E-1')).toBeUndefined();
});

test('of several files the first is taken, and the others are not read', async () => {
  const form = new FormData();
  form.append('file', new Blob([encode('名称\n甲\n')]), '数据.csv');
  form.append('file', new Blob([new Uint8Array(MAX_FILE_BYTES + 1)]), '大.csv');
  const path = '/erp/api/data/trade_draft/import';
  const reply = await example.call('POST', path, { token: manager, body: form });
  expect(reply.body.msg).toBe('操作成功');
  const { counts }: Preview = reply.body.data;
  expect(counts).toEqual({ create: 1, update: 0, error: 0 });
});

test('what a document is told by is not left out in a file; other gaps it may have as any draft', async () => {
  const kept = await example.call('POST', '/erp/api/data/trade_draft', {
    token: manager,
    body: { reason: '后补' },
  });
  expect(kept.status).toBe(200);
  const form = new FormData();
  form.append('file', new Blob([encode('名称,事由,加急\n甲,,否\n,缺名称,否\n乙,,是\n')]), '数据.csv');
  const reply = await example.call('POST', '/erp/api/data/trade_draft/import', {
    token: manager,
    body: form,
  });
  const { rows, counts }: Preview = reply.body.data;
  expect(counts).toEqual({ create: 2, update: 0, error: 1 });
  expect(
    rows.map(({ row, errors }) => [row, errors.map(({ column, message }) => `${column}：${message}`)]),
  ).toEqual([
    [2, []],
    [3, ['名称：请填写名称']],
    [4, []],
  ]);
});

test('what was taken back holds its key no longer: the same row comes in anew', async () => {
  const path = '/erp/api/data/trade_arrival';
  const make = async (body: object): Promise<Item> =>
    (await example.call('POST', path, { token: manager, body })).body.data;
  const kinds = async (rows: string): Promise<readonly string[]> => {
    const form = new FormData();
    form.append('file', new Blob([encode(`流水号,金额\n${rows}`)]), '到账.csv');
    const reply = await example.call('POST', `${path}/import`, { token: manager, body: form });
    const preview: Preview = reply.body.data;
    return preview.rows.map(({ kind }) => kind);
  };
  for (const action of ['void', 'reverse']) {
    const ref = `REF-${action}`;
    const { id, version } = await make({ bank_ref: ref, amount: '10' });
    expect(await kinds(`${ref},10\n`)).toEqual(['update']);
    const taken = await example.call('POST', `${path}/${id}/actions/${action}`, {
      token: manager,
      body: { version },
    });
    expect(taken.body.msg).toBe('操作成功');
    expect(await kinds(`${ref},10\n`)).toEqual(['create']);
    await make({ bank_ref: ref, amount: '12' });
    expect(await kinds(`${ref},11\n`)).toEqual(['update']);
  }
});

test('a role writes its own fields and rows only', async () => {
  await create({ code: 'O-1', name: '经理的' });
  const preview = await checked(
    '编码,名称,成本,证件号\nP-1,普通,5,110101199003074518\nO-1,别人的,,\n',
    sales,
  );
  expect(preview).toMatchObject({ ignored: ['成本', '证件号'], counts: { create: 1, update: 0, error: 1 } });
  expect(preview.rows[1]?.errors[0]?.message).toBe('记录已存在，但没有修改它的权限');
  await commit(preview.importId, sales);
  expect(await find('P-1')).toMatchObject({ cost: null, id_no: null });
  const finance = await example.signIn('fn.aa', 'FN');
  expect((await upload(encode('编码,名称\nX,x'), 'a.csv', finance)).status).toBe(403);
});

test('what changed since the check is skipped and told', async () => {
  await create({ code: 'C-1', name: '旧的' });
  const preview = await checked('编码,名称,件数\nC-1,,11\nN-1,新的,1\nN-2,新的二,1\n');
  const item = await find('C-1');
  await example.call('PATCH', `/erp/api/data/trade_item/${item?.id}`, {
    token: manager,
    body: { version: item?.version, pieces: 3 },
  });
  await example.call('POST', '/erp/api/data/trade_item', {
    token: manager,
    body: { code: 'N-1', name: '抢先' },
  });
  const done = await commit(preview.importId);
  expect(done.body.data).toMatchObject({
    created: 1,
    updated: 0,
    skipped: 2,
    rows: [
      { row: 2, errors: [{ message: '记录已被他人修改，请重新导入' }] },
      { row: 3, errors: [{ message: '编码已存在' }] },
    ],
  });
  expect([await find('C-1'), await find('N-1')]).toMatchObject([{ pieces: 3 }, { name: '抢先' }]);
});

test('files that cannot be imported are refused with the reason', async () => {
  const broken = await workbookBytes([{ name: '表', columns: [text('编码')], rows: [['1']] }]);
  const attempts: [Uint8Array<ArrayBuffer>, string, string][] = [
    [encode(''), '空.csv', '请选择文件|文件是空的'],
    [encode('\n\n'), '空.csv', '文件是空的'],
    [encode('编码,名称\n'), '空.csv', '文件中没有数据行'],
    [encode('甲\n1\n'), '头.csv', '没有找到可识别的表头，请使用导入模板'],
    [encode('编码,编码\n1,2\n'), '头.csv', '表头“编码”出现了多次'],
    [encode('编码,名称\n"1,2\n'), '引号.csv', '未闭合的引号'],
    [encode('%PDF-1.4'), 'a.pdf', '请上传 xlsx 或 csv 文件'],
    [encode('编码'), 'a.xlsx', '文件已损坏或不是有效的 xlsx 文件'],
    [new Uint8Array(broken.subarray(0, broken.length - 40)), 'a.xlsx', '文件已损坏或不是有效的 xlsx 文件'],
    [new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), 'a.xls', '请另存为 xlsx'],
  ];
  for (const [bytes, name, reason] of attempts) {
    const reply = await upload(bytes, name);
    expect([name, reply.status, reply.body.msg]).toEqual([name, 400, expect.stringMatching(reason)]);
  }
});

test('gbk files and spreadsheets with numbers and dates are read', async () => {
  // 编码,名称 \n G-1,中文
  const gbk = new Uint8Array([
    0xb1, 0xe0, 0xc2, 0xeb, 0x2c, 0xc3, 0xfb, 0xb3, 0xc6, 0x0a, 0x47, 0x2d, 0x31, 0x2c, 0xd6, 0xd0, 0xce,
    0xc4, 0x0a,
  ]);
  const preview: Preview = (await upload(gbk, 'gbk.csv')).body.data;
  expect(preview.rows).toMatchObject([{ row: 2, kind: 'create', label: '中文' }]);
  const bytes = await workbookBytes([
    {
      name: '表',
      columns: [
        text('编码'),
        text('名称'),
        { title: '数量', format: { kind: 'number', scale: 4, mark: 'none' }, width: 9 },
        { title: '生产日期', format: { kind: 'date' }, width: 9 },
        { title: '退税率', format: { kind: 'number', scale: 2, mark: 'percent' }, width: 9 },
      ],
      rows: [['X-1', '=1+1', '0.3', '2026-03-31', '13']],
    },
  ]);
  const sheet: Preview = (await upload(new Uint8Array(bytes), 'x.xlsx')).body.data;
  expect(sheet.counts).toEqual({ create: 1, update: 0, error: 0 });
  await commit(sheet.importId);
  expect(await find('X-1')).toMatchObject({
    name: '=1+1',
    quantity: '0.3000',
    made_on: '2026-03-31',
    rate: '13.0000',
  });
});

test('a file that unpacks to far more than its size is refused before it is unpacked', async () => {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('<x/>'), 'xl/workbook.xml');
  zip.addReadStream(Readable.from(blanks(220)), 'xl/worksheets/sheet1.xml');
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  const reply = await upload(new Uint8Array(Buffer.concat(chunks)), '炸弹.xlsx');
  expect([reply.status, reply.body.msg]).toEqual([400, '文件解压后过大，不能导入']);
});

test('what spreadsheets store is read as what they show', () => {
  expect(read('0.30000000000000004', 'number', field('decimal'))).toEqual({ value: '0.3' });
  expect(read('1.0000000000000001E-5', 'number', field('decimal', { scale: 6 }))).toEqual({
    value: '0.00001',
  });
  expect(read('1.25E+20', 'number', field('decimal', { precision: 30 }))).toEqual({
    value: '125000000000000000000',
  });
  expect(read('0.13', 'percent', field('percent'))).toEqual({ value: '13' });
  expect(read('-1,234.50', 'text', field('money'))).toEqual({ value: '-1234.50' });
  expect(read('46112', 'date', field('date'))).toEqual({ value: '2026-03-31' });
  expect(read('46112.4375', 'date', field('datetime'))).toEqual({ value: '2026-03-31T10:30:00+08:00' });
  expect(read('13800138000', 'number', field('text'))).toEqual({ value: '13800138000' });
  expect(read('123456789012345', 'number', field('text'))).toEqual({ value: '123456789012345' });
  expect(read('2026年3月5日', 'text', field('date'))).toEqual({ value: '2026-03-05' });
  expect(read('99999', 'text', field('date'))).toHaveProperty('message');
});

test.each(['24442000000012345678', '2.4442000000012346E+19', '123456789012345678', '-1000000000000001'])(
  'a number of which a spreadsheet kept 15 digits is no text, key or reference: %s',
  async (digits) => {
    const lost = { message: '数字超过 15 位，表格没有保留后面的位数，请把该列设为文本格式后重新填写' };
    expect(read(digits, 'number', field('text'))).toEqual(lost);
    expect(read(digits, 'number', field('text', { multiple: true }))).toEqual(lost);
    expect(read(digits, 'text', field('text'))).toEqual({ value: digits });
    expect(read(digits, 'number', field('money'))).toHaveProperty('value');
    const column = (of: Field, place: number, isKeyOnly = false) => ({
      field: of, lines: null, title: of.title, isRequired: false, isKeyOnly, place,
    }); // prettier-ignore
    const columns = [
      column(field('text', { title: '编号' }), 0, true),
      column(field('reference', { title: '货品' }), 1),
    ];
    const finder = { load: () => Promise.resolve(), find: () => ({ id: '1' }) };
    const cell: ReadCell = { text: digits, kind: 'number' };
    const [row] = await readImportRows([{ row: 2, cells: [cell, cell] }], {
      columns,
      choices: new Map(),
      finder,
      width: 2,
    });
    expect(row).toMatchObject({
      number: null, body: {}, texts: ['', ''],
      problems: [{ column: '编号', cell: 'A2', ...lost }, { column: '货品', cell: 'B2', ...lost }],
    }); // prettier-ignore
  },
);

test.each([
  ['#N/A', 'error', '单元格是错误值 #N/A，请改正后再导入'],
  ['#REF!', 'error', '单元格是错误值 #REF!，请改正后再导入'],
  ['#VALUE!', 'text', '单元格是错误值 #VALUE!，请改正后再导入'],
  ['#无结果', 'error', '公式没有计算结果，请用 Excel 打开并保存后再导入'],
  ['#无结果', 'text', '公式没有计算结果，请用 Excel 打开并保存后再导入'],
] as const)('a cell whose formula failed is told in every column, and stands in the file of bad rows: %s %s', async (text, kind, message) => {
  const fields = [
    field('text', { title: '编号' }),
    field('text', { title: '名称' }),
    field('money', { title: '单价' }),
    field('dictionary', { title: '币种', options: { [text]: text } }),
    field('reference', { title: '货品' }),
    field('reference', { title: '同类', multiple: true }),
    field('date', { title: '日期' }),
  ];
  const columns = fields.map((of, place) => ({
    field: of, lines: null, title: of.title, isRequired: false, isKeyOnly: place === 0, place,
  }));
  const asked: string[] = [];
  const finder = {
    load: (_field: unknown, texts: ReadonlySet<string>) => Promise.resolve(void asked.push(...texts)),
    find: () => ({ id: '1' }),
  };
  const cells = fields.map((): ReadCell => ({ text, kind }));
  const choices = new Map(fields.slice(3, 4).map((of) => [of, new Map([[text.toLowerCase(), text]])]));
  const [row] = await readImportRows([{ row: 2, cells }], { columns, choices, finder, width: fields.length });
  expect(row).toMatchObject({ number: null, body: {}, texts: fields.map(() => text) });
  expect(row?.problems).toEqual(fields.map(({ title }, place) => ({ column: title, cell: `${'ABCDEFG'[place]}2`, message })));
  expect(asked).toEqual([]);
}); // prettier-ignore

test('20,000 rows with three bad ones are judged and written', { timeout: 240_000 }, async () => {
  const rows = Array.from({ length: 20_000 }, (_row, index) => [
    `B-${index}`,
    index === 777 ? null : `批量名称 ${index}`,
    index === 15_000 ? '-1' : `${index + 1}.5`,
    '2.50',
    index % 2 === 0 ? '一等' : '二等',
    'sp.aa',
  ]);
  const last = rows[19_999];
  if (last !== undefined) last[0] = 'B-0';
  const columns = ['编码', '名称', '数量', '单价', '等级', '负责人'].map(text);
  const bytes = await workbookBytes([{ name: '表', columns, rows }]);
  const preview: Preview = (await upload(new Uint8Array(bytes), '大.xlsx')).body.data;
  expect(preview.counts).toEqual({ create: 19_997, update: 0, error: 3 });
  expect(preview.rows.filter(({ kind }) => kind === 'error').map(({ row }) => row)).toEqual([
    779, 15_002, 20_001,
  ]);
  const done = await commit(preview.importId);
  expect(done.body.data).toMatchObject({ created: 19_997, updated: 0, skipped: 3 });
  const [stored] = await example.server.services.db.query(
    `select count(*)::int as rows, sum(amount)::text as amount, (select count(*)::int from sys_audit a join trade_item i on i.id = a.record_id where i.code like 'B-%') as audited from trade_item where code like 'B-%'`,
  );
  expect(stored).toMatchObject({ rows: 19_997, audited: 19_997 });
});

/** Uploads a file of documents; its judgement. */
const papers = async (bytes: Uint8Array<ArrayBuffer>, name: string, columns = ''): Promise<PaperPreview> => {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  const query = columns === '' ? '' : `?columns=${encodeURIComponent(columns)}`;
  const path = `/erp/api/data/trade_paper/import${query}`;
  const reply = await example.call('POST', path, { token: manager, body: form });
  expect(reply.body.msg).toBe('操作成功');
  return reply.body.data;
};
interface PaperPreview extends Preview {
  readonly columns: readonly { readonly title: string; readonly field: string | null }[];
  readonly fields: readonly { readonly name: string; readonly title: string }[];
}
const written = async (importId: string) => {
  await example.call('POST', `/erp/api/data/trade_paper/import/${importId}/commit`, {
    token: manager,
    body: {},
  });
  return example.server.services.db.query(
    `select p.paper_no, p.buyer, array_agg(i.goods || ' ' || trim_scale(i.quantity) order by i.line_order) as items
     from trade_paper p join trade_paper__items i on i.parent_id = p.id group by p.id, p.paper_no, p.buyer order by p.paper_no`,
    [],
  );
};

test('whole documents come from repeated heads; each fault names its cell; a number changes what is stored', async () => {
  const bad = await papers(
    encode('客户,签订日期,商品,数量\n甲公司,2026-03-31,螺丝,10\n,,螺母,十\n乙公司,昨天,垫片,-1\n'),
    '单.csv',
  );
  expect(bad.counts).toEqual({ create: 0, update: 0, error: 2 });
  expect(bad.rows.map(({ row, errors }) => [row, errors.map(({ cell }) => cell)])).toEqual([
    [2, ['D3']],
    [4, ['B4', 'D4']],
  ]);
  const good = await papers(
    encode('客户,商品,数量\n甲公司,螺丝,10\n甲公司,螺母,20\n乙公司,垫片,5\n'),
    '单.csv',
  );
  expect(good.counts).toEqual({ create: 2, update: 0, error: 0 });
  const [first] = await written(good.importId);
  expect(first).toMatchObject({ buyer: '甲公司', items: ['螺丝 10', '螺母 20'] });
  const number = String(first?.['paper_no']);
  const changed = await papers(encode(`单据号,商品,数量\n${number},螺丝,11\n,螺母,20\n,螺栓,7\n`), '改.csv');
  expect(changed.counts).toEqual({ create: 0, update: 1, error: 0 });
  expect((await written(changed.importId))[0]?.['items']).toEqual(['螺丝 11', '螺母 20', '螺栓 7']);
});

test('a name that several records have is decided by what the document says, as where one picks', async () => {
  for (const [code, grade] of [
    ['D-1', 'a'],
    ['D-2', 'b'],
  ])
    await create({ code, name: '同名', quantity: '1', grade });
  const preview = await papers(encode('客户,商品,数量,货品\na,线,1,同名\n丙公司,绳,2,同名\n'), '同名.csv');
  expect(preview.rows.map(({ errors }) => errors.map(({ message }) => message))).toEqual([
    [],
    [expect.stringContaining('对应多条记录')],
  ]);
});

test('lines stand in a second sheet; unknown titles are asked for and then read as chosen', async () => {
  const workbook = await workbookBytes([
    {
      name: '单据',
      columns: [text('单据序号'), text('客户')],
      rows: [
        ['1', '丙公司'],
        ['2', '丁公司'],
      ],
    },
    {
      name: '商品明细',
      columns: [text('单据序号'), text('商品'), text('数量')],
      rows: [
        ['2', '绳', '3'],
        ['1', '线', '1'],
        ['2', '带', '4'],
        ['9', '网', '1'],
      ],
    },
  ]);
  const two = await papers(new Uint8Array(workbook), '两表.xlsx');
  expect(two.counts).toEqual({ create: 2, update: 0, error: 1 });
  expect((await written(two.importId)).slice(-2).map(({ buyer, items }) => [buyer, items])).toEqual([
    ['丙公司', ['线 1']],
    ['丁公司', ['绳 3', '带 4']],
  ]);
  const file = encode('买方名,品,件\n戊公司,盒,9\n');
  const asked = await papers(file, '异.csv');
  expect([asked.counts.create, asked.columns]).toEqual([
    0,
    ['买方名', '品', '件'].map((title) => ({ title, field: null })),
  ]);
  expect(asked.fields).toContainEqual({ name: 'items.quantity', title: '数量' });
  const chosen = await papers(file, '异.csv', '0:buyer,1:items.goods,2:items.quantity');
  expect((await written(chosen.importId)).at(-1)).toMatchObject({ buyer: '戊公司', items: ['盒 9'] });
});

test.each<[string, string, readonly unknown[]]>([
  [
    'rows of one 单据序号 are one document, wherever they stand',
    '单据序号,客户,商品,数量\n1,甲,g1,1\n2,乙,g2,1\n1,甲,g3,1\n2,,g4,1\n',
    [[2, 2, []], [3, 2, []]],
  ],
  [
    'two heads under one 单据序号 are told where they differ, however a value is written',
    '单据序号,客户,签订日期,商品,数量\n1,甲,2026-03-01,g1,1\n1,乙,2026/3/1,g2,1\n2,甲,,g1,1\n2,甲,2026-03-02,g2,1\n3,丙,昨天,g1,1\n3,丙,昨天,g2,1\n',
    [
      [2, 2, ['B3 与第2行同一单据序号，但内容不同']],
      [4, 2, ['C5 与第4行同一单据序号，但内容不同']],
      [6, 2, ['C6 日期格式不正确，应如 2026-03-31', 'C7 日期格式不正确，应如 2026-03-31']],
    ],
  ],
  [
    'where 单据序号 is left empty the heads tell',
    '单据序号,客户,商品,数量\n,甲,g1,1\n,甲,g2,1\n,,g3,1\n,乙,g4,1\n7,乙,g5,1\n,,g6,1\n',
    [[2, 3, []], [5, 1, []], [6, 2, []]],
  ],
  [
    'an error is no 单据序号',
    '单据序号,客户,商品,数量\n#N/A,甲,g1,1\n',
    [[2, 1, ['A2 单元格是错误值 #N/A，请改正后再导入']]],
  ],
])('documents of a file: %s', async (_title, file, documents) => {
  const { importId, rows } = await papers(encode(file), '单.csv');
  const kept = await example.server.services.db.query<{ lines: number }>(
    `select 1 + jsonb_array_length(coalesce(r -> 'more', '[]')) as lines
     from sys_import i, jsonb_array_elements(i.rows -> 'rows') with ordinality x(r, n) where i.id = $1 order by n`,
    [importId],
  );
  const told = rows.map(({ row, errors }, place) => [
    row,
    kept[place]?.lines,
    errors.map(({ cell, message }) => `${cell} ${message}`),
  ]);
  expect(told).toEqual(documents);
}); // prettier-ignore

test('a line of the second sheet that names nobody is lost and told, be there one document without a number or two', async () => {
  const workbook = await workbookBytes([
    {
      name: '单据',
      columns: [text('单据号'), text('客户')],
      rows: [
        [null, '甲'],
        [null, '乙'],
      ],
    },
    {
      name: '商品明细',
      columns: [text('单据号'), text('商品'), text('数量')],
      rows: [[null, 'g1', '1']],
    },
  ]);
  const { rows } = await papers(new Uint8Array(workbook), '两表.xlsx');
  const messages = rows.map(({ errors }) => errors.map(({ message }) => message));
  expect(messages).toEqual([
    [expect.stringContaining('至少')],
    [expect.stringContaining('至少')],
    expect.arrayContaining(['第一张表中没有这一行明细所属的单据']),
  ]);
});
