import { text } from 'node:stream/consumers';
import { readWorkbook } from '#server/workflow/transfer/read-workbook.ts';
import type { ReadCell } from '#server/workflow/transfer/import-fault.ts';
import { listParts, openPart, openZip } from '#server/workflow/transfer/workbook-parts.ts';
import { type Example, startExample } from '../support/running-example.ts';

/** A running server with a resource that has something of every type, and people who see different parts of it. */
export async function startTransferExample(): Promise<Example> {
  // One manager imports and exports more in a minute than people may.
  const example = await startExample({}, { isRateLimited: false });
  await example.definitions.write('sales/trade_item.json', TRADE_ITEM);
  await example.definitions.write('sales/trade_paper.json', TRADE_PAPER);
  await example.definitions.write('sales/trade_draft.json', TRADE_DRAFT);
  await example.definitions.write('sales/trade_arrival.json', TRADE_ARRIVAL);
  await example.server.services.definitions.reload();
  return example;
}

/** A document with lines and a number of its own. */
const TRADE_PAPER = {
  resource: 'trade_paper', title: '单据', kind: 'master', mixins: ['scope'], label: 'paper_no',
  number: { field: 'paper_no', pattern: '{co}DJ{yyyy}{seq:3}' },
  fields: {
    paper_no: { type: 'text', title: '单据号', max: 30 },
    buyer: { type: 'text', title: '客户', max: 60, required: true },
    signed_on: { type: 'date', title: '签订日期' },
    items: {
      type: 'lines', title: '商品明细', min: 1,
      fields: {
        goods: { type: 'text', title: '商品', max: 60, required: true },
        quantity: { type: 'decimal', title: '数量', precision: 18, scale: 4, required: true, min: 0 },
        owner_id: { type: 'reference', title: '跟单', to: 'person' },
        item_id: { type: 'reference', title: '货品', to: 'trade_item', where: { grade: { eq: { $: 'parent.buyer' } } } },
      },
    },
  },
  access: [{ role: ['TM', 'AD'], do: ['*'], rows: 'company' }],
  pages: [{ route: '/x/papers', kind: 'list', title: '单据' }],
}; // prettier-ignore

/** A document that may be kept as a draft with gaps. */
const TRADE_DRAFT = {
  resource: 'trade_draft', title: '草稿单', kind: 'document', mixins: ['scope'], label: 'name',
  fields: {
    name: { type: 'text', title: '名称', max: 60, required: true },
    reason: { type: 'text', title: '事由', max: 60 },
    urgent: { type: 'boolean', title: '加急' },
  },
  rules: [{ when: { urgent: { eq: true } }, require: ['reason'] }],
  lifecycle: {
    initial: 'draft',
    states: { draft: { title: '草稿', edit: '*' }, done: { title: '完成' } },
    groups: { final: ['done'] },
    actions: { finish: { title: '完成', from: ['draft'], to: 'done' } },
  },
  access: [{ role: ['TM', 'AD'], do: ['*'], rows: 'company' }],
  pages: [{ route: '/x/drafts', kind: 'list', title: '草稿单' }],
}; // prettier-ignore

/** What comes in once: it may be taken back, and come in again then. */
const TRADE_ARRIVAL = {
  resource: 'trade_arrival', title: '到账', kind: 'document', mixins: ['scope'], label: 'bank_ref',
  fields: {
    bank_ref: { type: 'text', title: '流水号', max: 40, required: true },
    amount: { type: 'money', title: '金额', currency: 'CNY', required: true },
  },
  unique: [{ fields: ['bank_ref'], where: { status: { ne: 'reversed' } }, message: '流水号已登记' }],
  lifecycle: {
    initial: 'draft',
    states: { draft: { title: '草稿', edit: '*' }, void: { title: '已作废' }, reversed: { title: '已冲销' } },
    groups: { final: ['void', 'reversed'] },
    actions: {
      void: { title: '作废', from: ['draft'], to: 'void' },
      reverse: { title: '冲销', from: ['draft'], to: 'reversed' },
    },
  },
  access: [{ role: ['TM', 'AD'], do: ['*'], rows: 'company' }],
  pages: [{ route: '/x/arrivals', kind: 'list', title: '到账' }],
}; // prettier-ignore

const TRADE_ITEM = {
  resource: 'trade_item', title: '货品', kind: 'master', mixins: ['scope', 'note'], label: 'name', caption: ['grade', 'owner_id'],
  fields: {
    code: { type: 'text', title: '编码', max: 20, required: true },
    name: { type: 'text', title: '名称', max: 60, required: true },
    quantity: { type: 'decimal', title: '数量', precision: 18, scale: 4 },
    price: { type: 'money', title: '单价', currency: 'CNY' },
    amount: { type: 'money', title: '金额', currency: 'CNY', formula: 'round(quantity * price, 2)' },
    rate: { type: 'percent', title: '退税率' },
    made_on: { type: 'date', title: '生产日期' },
    seen_at: { type: 'datetime', title: '检验时间' },
    pieces: { type: 'integer', title: '件数', min: 0 },
    grade: { type: 'dictionary', title: '等级', options: { a: '一等', b: '二等' }, default: 'a' },
    currency: { type: 'dictionary', title: '币种', dictionary: 'currency_code' },
    owner_id: { type: 'reference', title: '负责人', to: 'person' },
    like_id: { type: 'reference', title: '同类', to: 'trade_item' },
    is_open: { type: 'boolean', title: '公开' },
    id_no: { type: 'text', title: '证件号', max: 30, mask: 'id_no' },
    cost: { type: 'money', title: '成本', currency: 'CNY' },
  },
  unique: [{ fields: ['code'], message: '编码已存在' }],
  rules: [{ assert: { quantity: { gt: '0' } }, when: { quantity: { null: false } }, message: '数量必须大于0' }],
  list: { columns: ['code', 'name', 'quantity', 'price', { field: 'amount', total: true }, 'rate', 'made_on', 'seen_at', 'pieces', 'grade', 'owner_id', 'is_open', 'id_no', 'cost'] },
  access: [
    { role: 'SP', do: ['list', 'read', 'create', 'update', 'export', 'import'], rows: { sales_id: { in: { $: 'user.sales_ids' } } }, hide: ['cost'], readOnly: ['id_no'] },
    { role: ['TM', 'AD'], do: ['*'], rows: 'company' },
    { role: 'FN', do: ['list', 'read'], rows: 'company' },
  ],
  pages: [{ route: '/x/items', kind: 'list', title: '货品' }],
}; // prettier-ignore

/** Asks for a file; what the answer carries. */
export async function download(
  example: Example,
  request: {
    readonly method: string;
    readonly path: string;
    readonly token: string;
    readonly body?: unknown;
  },
): Promise<{ readonly status: number; readonly type: string; readonly bytes: Buffer }> {
  const response = await fetch(`${example.server.url}/erp/api${request.path}`, {
    method: request.method,
    headers: {
      authorization: request.token,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** The cells of the first sheet. */
export async function cellsOf(bytes: Buffer): Promise<readonly (readonly (ReadCell | null)[])[]> {
  const rows: (readonly (ReadCell | null)[])[] = [];
  for await (const { cells } of readWorkbook(bytes)) rows.push(cells);
  return rows;
}

/** The texts of the first sheet; '' where a cell is empty. */
export async function textsOf(bytes: Buffer): Promise<readonly (readonly string[])[]> {
  const rows = await cellsOf(bytes);
  return rows.map((row) => row.map((cell) => cell?.text ?? ''));
}

/** The XML of the first sheet. */
export async function sheetText(bytes: Buffer): Promise<string> {
  const zip = await openZip(bytes);
  const part = (await listParts(zip)).get('xl/worksheets/sheet1.xml');
  return part === undefined ? '' : text(await openPart(zip, part));
}
