import fc from 'fast-check';
import type { Filter } from '#engine/schema/definition.ts';
import type { Catalog, ErpRecord } from '#engine/schema/resource.ts';
import type { Database } from '#server/kernel/db/database.ts';
import { aCatalog, aContract, aCustomer } from '../../support/definitions.ts';

/** A document with a field of every comparable type, lines, and references two steps deep. */
export function agreementCatalog(): Catalog {
  return aCatalog(
    aContract({
      resource: 'deal',
      label: 'code',
      unique: [],
      indexes: [],
      fields: {
        code: { type: 'text', title: '编号' },
        note: { type: 'textarea', title: '说明' },
        amount: { type: 'money', title: '金额', currency: 'CNY' },
        ratio: { type: 'percent', title: '比例' },
        pieces: { type: 'integer', title: '件数' },
        sign_date: { type: 'date', title: '日期' },
        seen_at: { type: 'datetime', title: '时间' },
        is_urgent: { type: 'boolean', title: '加急' },
        kind: { type: 'text', title: '种类', options: { a: '甲', b: '乙' } },
        tags: { type: 'text', title: '标签', multiple: true },
        buyer_id: { type: 'reference', title: '客户', to: 'customer' },
        viewer_ids: { type: 'reference', title: '可见客户', to: 'customer', multiple: true },
        items: {
          type: 'lines',
          title: '明细',
          fields: {
            name: { type: 'text', title: '品名' },
            qty: { type: 'decimal', title: '数量', precision: 18, scale: 4 },
            is_gift: { type: 'boolean', title: '赠品' },
            maker_id: { type: 'reference', title: '厂家', to: 'customer' },
          },
        },
      },
    }),
    aCustomer({
      fields: {
        name: { type: 'text', title: '名称' },
        country_id: { type: 'reference', title: '国家', to: 'country' },
      },
    }),
    aCustomer({
      resource: 'country',
      title: '国家',
      scope: 'global',
      fields: {
        name: { type: 'text', title: '名称' },
        risk: { type: 'integer', title: '风险' },
        is_sanctioned: { type: 'boolean', title: '禁运' },
      },
    }),
  );
}

const TEXTS = [
  'a', 'A', 'ab', 'AB', 'a%b', 'a_b', 'a\\b', '%', '_', '\\', '1', '01', '1.0', '中文', '中', 'Ä', 'ä', 'İ', 'i', 'Σ', 'ς', 'ΑΣ',
  'ß', 'ẞ', 'K', '😀', '\uFFFD', 'null', ' a', "o'k", '"q"', '{a,b}', 'z',
]; // prettier-ignore
const AMOUNTS = ['0', '0.00', '1', '1.5', '1.50', '-1.50', '12.34', '99999999999.99', '1.499', '-0'];
const WHOLES = ['0', '1', '-1', '7', '007', '123456789012345'];
const DAYS = ['2026-03-30', '2026-03-31', '2026-04-01', '2024-02-29', '1999-12-31'];
const INSTANTS = [
  '2026-03-30T15:59:59.999Z', '2026-03-30T16:00:00Z', '2026-03-31T00:00:00.000+08:00', '2026-03-31T15:59:59.999999Z',
  '2026-03-31T16:00:00.000Z', '2026-03-31T02:00:00.000Z', '2026-03-31T10:00:00+08:00', '2024-02-29T23:59Z',
]; // prettier-ignore
const CUSTOMERS = [1, 2, 3, 4].map(idOf);
const COUNTRIES = [11, 12, 13].map(idOf);

function idOf(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

/** Fills the tables with a fixed choice of rows; the records as the server would hand them to the engine. */
export async function fillTables(db: Database): Promise<readonly ErpRecord[]> {
  const [c1 = '', c2 = '', c3 = ''] = COUNTRIES;
  await insert(db, 'country', { id: c1, name: '美国', risk: 1, is_sanctioned: false });
  await insert(db, 'country', { id: c2, name: '某国', risk: 7, is_sanctioned: true });
  await insert(db, 'country', { id: c3, name: null, risk: null, is_sanctioned: null });
  for (const [index, id] of CUSTOMERS.entries()) {
    const country = [...COUNTRIES, null][index] ?? null;
    await insert(db, 'customer', {
      id,
      co_code: 'AA',
      name: ['a', 'AB', null, '中文'][index],
      country_id: country,
    });
  }
  // Another company's customer has a known id too: a path must not cross over.
  await insert(db, 'customer', { id: idOf(9), co_code: 'AE', name: 'a', country_id: c1 });
  for (const [index, row] of fc.sample(rows, { numRuns: 60, seed: 7 }).entries()) {
    const { items, ...head } = row;
    const id = idOf(100 + index);
    await insert(db, 'deal', { id, co_code: 'AA', status: 'draft', ...head });
    for (const [place, line] of items.entries())
      await insert(db, 'deal__items', { id: idOf(1000 + index * 10 + place), co_code: 'AA', parent_id: id, line_order: place + 1, ...line }); // prettier-ignore
  }
  return readRecords(db);
}

async function insert(db: Database, table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const names = Object.keys(row);
  await db.execute(
    `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  );
}

async function readRecords(db: Database): Promise<readonly ErpRecord[]> {
  const paths = await db.query(
    `select c.id, c.name, c.country_id, k.name as country_name, k.risk, k.is_sanctioned from customer c
     left join country k on k.id = c.country_id where c.co_code = 'AA'`,
  );
  const behind = (prefix: string, id: unknown): ErpRecord => {
    const found = paths.find((row) => row['id'] === id);
    return {
      [`${prefix}.name`]: found?.['name'],
      [`${prefix}.country_id`]: found?.['country_id'],
      [`${prefix}.country_id.name`]: found?.['country_name'],
      [`${prefix}.country_id.risk`]: found?.['risk'],
      [`${prefix}.country_id.is_sanctioned`]: found?.['is_sanctioned'],
    };
  };
  const lines = await db.query('select * from deal__items order by line_order');
  const heads = await db.query('select * from deal');
  return heads.map((head) => ({
    ...head,
    _paths: behind('buyer_id', head['buyer_id']),
    items: lines
      .filter((line) => line['parent_id'] === head['id'])
      .map((line) => ({ ...line, _paths: behind('maker_id', line['maker_id']) })),
  }));
}

const maybe = <T>(values: readonly T[]): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: fc.constant(null) });
const buyers = maybe([...CUSTOMERS, idOf(9), idOf(99)]);

const rows = fc.record({
  code: maybe(TEXTS),
  note: maybe(TEXTS),
  amount: maybe(AMOUNTS),
  ratio: maybe(AMOUNTS.filter((text) => text.length < 6)),
  pieces: maybe(WHOLES),
  sign_date: maybe(DAYS),
  seen_at: maybe(INSTANTS),
  is_urgent: maybe([true, false]),
  kind: maybe(['a', 'b']),
  tags: maybe([[], ['a'], ['a', 'A'], ['a,b', '中文'], ['{a,b}', '"q"']]),
  buyer_id: buyers,
  viewer_ids: maybe([[], CUSTOMERS.slice(0, 1), CUSTOMERS.slice(1)]),
  items: fc.array(
    fc.record({ name: maybe(TEXTS), qty: maybe(AMOUNTS), is_gift: maybe([true, false]), maker_id: buyers }),
    { maxLength: 3 },
  ),
});

type Condition = fc.Arbitrary<Filter>;

function on(path: string, comparison: fc.Arbitrary<object>): Condition {
  return comparison.map((given): Filter => ({ [path]: given }));
}

function equality(values: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  const list = fc.array(values, { maxLength: 4 });
  return fc.oneof(
    fc.record({ eq: fc.oneof(values, fc.constant(null)) }),
    fc.record({ ne: fc.oneof(values, fc.constant(null)) }),
    fc.record({ in: list }),
    fc.record({ nin: list }),
    fc.record({ null: fc.boolean() }),
  );
}

function order(values: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  const end = fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) });
  return fc.oneof(
    equality(values),
    fc.record({ lt: values }),
    fc.record({ lte: values }),
    fc.record({ gt: values }),
    fc.record({ gte: values }),
    fc.record({ gte: values, lt: values }),
    fc.record({ between: fc.tuple(end, end) }),
  );
}

const texts = fc.constantFrom(...TEXTS);
const search = fc.oneof(
  fc.record({ contains: fc.oneof(texts, fc.constant('')) }),
  fc.record({ startswith: texts }),
);
const anyText = fc.oneof(order(fc.oneof(texts, fc.constant({ $: 'user.personid' }))), search);
const anyAmount = order(
  fc.oneof(fc.constantFrom(...AMOUNTS), fc.constantFrom<unknown>(1, -1, { '=': '3 / 2' })),
);
const anyWhole = order(fc.constantFrom<unknown>(...WHOLES, 0, 7, { '=': '1 / 2' }));
const anyDay = order(fc.constantFrom<unknown>(...DAYS, { $: 'today' }, { '=': 'addDays(today(), 1)' }));
const anyInstant = order(fc.constantFrom<unknown>(...INSTANTS, ...DAYS, { $: 'today' }, { $: 'now' }));
const anyBoolean = fc.oneof(
  fc.record({ eq: fc.constantFrom(true, false, null) }),
  fc.record({ ne: fc.constantFrom(true, false, null) }),
  fc.record({ null: fc.boolean() }),
);
const ids = fc.constantFrom<unknown>(
  ...CUSTOMERS,
  idOf(9),
  idOf(98),
  { $: 'user.id' },
  { $: 'user.partner_id' },
);
const anyReference = fc.oneof(equality(ids), fc.constant({ in: { $: 'user.sales_ids' } }));
const manyTexts = fc.oneof(
  fc.record({ has: texts }),
  fc.record({ hasAny: fc.array(texts, { maxLength: 3 }) }),
  fc.record({ null: fc.boolean() }),
);
const manyIds = fc.oneof(
  fc.record({ has: ids }),
  fc.record({ hasAny: fc.oneof(fc.array(ids, { maxLength: 3 }), fc.constant({ $: 'user.sales_ids' })) }),
  fc.record({ null: fc.boolean() }),
);

function behind(reference: string): readonly Condition[] {
  return [
    on(`${reference}.name`, anyText),
    on(`${reference}.country_id.risk`, anyWhole),
    on(`${reference}.country_id.is_sanctioned`, anyBoolean),
    on(`${reference}.country_id`, equality(fc.constantFrom(...COUNTRIES))),
  ];
}

function head(prefix: string): readonly Condition[] {
  return [
    on(`${prefix}code`, anyText),
    on(`${prefix}amount`, anyAmount),
    on(`${prefix}ratio`, anyAmount),
    on(`${prefix}pieces`, anyWhole),
    on(`${prefix}sign_date`, anyDay),
    on(`${prefix}seen_at`, anyInstant),
    on(`${prefix}is_urgent`, anyBoolean),
    on(`${prefix}kind`, equality(fc.constantFrom('a', 'b', 'c'))),
    on(`${prefix}buyer_id`, anyReference),
    on(`${prefix}tags`, manyTexts),
    on(`${prefix}viewer_ids`, manyIds),
    on(`${prefix}note`, search),
    ...behind(`${prefix}buyer_id`),
  ];
}

function line(prefix: string): readonly Condition[] {
  return [
    on(`${prefix}name`, anyText),
    on(`${prefix}qty`, anyAmount),
    on(`${prefix}is_gift`, anyBoolean),
    on(`${prefix}maker_id`, anyReference),
    ...behind(`${prefix}maker_id`),
  ];
}

function joined(conditions: readonly Condition[]): Condition {
  const single = fc.oneof(...conditions);
  const { tree } = fc.letrec<{ tree: Filter }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      { weight: 3, arbitrary: single },
      { weight: 1, arbitrary: fc.record({ and: fc.array(tie('tree'), { maxLength: 3 }) }) },
      { weight: 1, arbitrary: fc.record({ or: fc.array(tie('tree'), { maxLength: 3 }) }) },
    ),
  }));
  return tree;
}

/** Filters over heads, their lines and what they refer to. */
export const filters = joined([
  ...head(''),
  ...line('items.'),
  on('items', fc.record({ null: fc.boolean() })),
  on('id', equality(fc.constantFrom(idOf(101), idOf(102)))),
]);

/** Filters over lines and their heads. */
export const lineFilters = joined([...line(''), ...head('parent.')]);
