import { addMonths, daysBetween } from '#engine/values/dates.ts';
import {
  addDecimals,
  divideDecimals,
  roundDecimal,
  subtractDecimals,
  sumDecimals,
} from '#engine/values/decimal.ts';
import type { Planted } from './planted-data.ts';
import type { World } from './planted-world.ts';

/** Figures by the keys of a line (`["…"]`), reckoned without the engine. */
export type Reckoned = Readonly<Record<string, Readonly<Record<string, string>>>>;
type Open = Record<string, Record<string, string>>;
/** The days that a report looks at. */
interface Days {
  readonly today: string;
  readonly from: string;
  readonly to: string;
}

export const RECKONED: readonly (readonly [number, (world: World, days: Days) => Reckoned])[] = [
  [35, overdue],
  [41, byShipment],
  [50, (world, days) => exported(world, days, (row) => [row['sales_id']])],
  [52, byCountry],
  [58, receiptsByMonth],
  [59, receivables],
  [60, paid],
  [61, advances],
  [63, pools],
  [70, trend],
  [72, (world, days) => exported(world, days, (row) => [row['buyer_id']])],
];

function add(cells: Open, key: readonly unknown[], column: string, value: string): void {
  const own = (cells[JSON.stringify(key)] ??= {});
  own[column] = addDecimals(own[column] ?? '0', value);
}

function mine(rows: readonly Planted[]): readonly Planted[] {
  return rows.filter((row) => row['is_deleted'] !== true && row['co_code'] === 'AA');
}

/** All that the world has in 变更 had sailed before. */
export function isSailed(status: unknown): boolean {
  return status === 'shipped' || status === 'settled' || status === 'amending';
}

function sailed(world: World): readonly Planted[] {
  return mine(world.shipments).filter((row) => isSailed(row['status']));
}

function counting(world: World): readonly Planted[] {
  return mine(world.shipments).filter((row) => row['status'] !== 'cancelled');
}

function within(day: unknown, { from, to }: Pick<Days, 'from' | 'to'>): boolean {
  return String(day) >= from && String(day) <= to;
}

function head(line: Planted): Planted {
  return line['parent'] as Planted;
}

function byShipment(world: World, days: Days): Reckoned {
  const cells: Open = {};
  for (const row of counting(world).filter((one) => within(one['atd'], days)))
    add(cells, [row.id], 'usd', String(row['amount_usd']));
  return cells;
}

function exported(world: World, days: Days, keyOf: (row: Planted) => readonly unknown[]): Reckoned {
  const cells: Open = {};
  for (const row of sailed(world).filter((one) => within(one['atd'], days))) {
    add(cells, keyOf(row), 'usd', String(row['amount_usd']));
    add(cells, keyOf(row), 'count', '1');
  }
  return cells;
}

/** With the growth over the same days of the year before. */
function byCountry(world: World, days: Days): Reckoned {
  const keyOf = (row: Planted) => [
    String(row['trade_country_id']) in world.countries ? '北美洲' : null,
    row['trade_country_id'],
  ];
  const now: Open = {};
  const before: Open = {};
  const last = { from: addMonths(days.from, -12), to: addMonths(days.to, -12) };
  for (const row of sailed(world)) {
    if (within(row['atd'], days)) add(now, keyOf(row), 'usd', String(row['amount_usd']));
    if (within(row['atd'], last)) add(before, keyOf(row), 'usd', String(row['amount_usd']));
  }
  for (const [key, cells] of Object.entries(now)) {
    const past = before[key]?.['usd'];
    if (past !== undefined)
      cells['yoy'] = divideDecimals(subtractDecimals(cells['usd'] ?? '0', past), past) ?? '0';
  }
  return now;
}

function receiptsByMonth(world: World, days: Days): Reckoned {
  const cells: Open = {};
  const keyOf = (row: Planted, day: string) => [row['currency'], String(row[day]).slice(0, 7)];
  for (const row of mine(world.receipts).filter(
    (one) => one['status'] !== 'void' && within(one['value_date'], days),
  ))
    add(cells, keyOf(row, 'value_date'), 'count', '1');
  for (const line of mine(world.splits).filter(
    (one) => head(one)['status'] === 'posted' && within(head(one)['split_date'], days),
  ))
    add(cells, keyOf(head(line), 'split_date'), 'cust_cny', String(line['amount_cny']));
  return cells;
}

function receivables(world: World, { today }: Days): Reckoned {
  const cells: Open = {};
  for (const row of sailed(world).filter((one) => String(one['atd']) <= today)) {
    const open = Number(openOf(world, row, today));
    // What was paid too much takes nothing off what others owe.
    if (open <= 0) continue;
    const usd = roundDecimal(String((open * Number(row['amount_usd'])) / Number(row['total_amount'])), 2);
    const late = daysBetween(String(row['receipt_due_date']), today);
    add(cells, [row['buyer_id']], bucketOf(late), usd);
    add(cells, [row['buyer_id']], 'all', usd);
  }
  return cells;
}

/** Shipment by shipment, what is open a day or more after it was due. */
function overdue(world: World, { today }: Days): Reckoned {
  const cells: Open = {};
  for (const row of sailed(world).filter((one) => String(one['atd']) <= today)) {
    const open = Number(openOf(world, row, today));
    if (open <= 0 || daysBetween(String(row['receipt_due_date']), today) < 1) continue;
    const usd = (open * Number(row['amount_usd'])) / Number(row['total_amount']);
    add(cells, [row.id], 'usd', roundDecimal(String(usd), 2));
  }
  return cells;
}

function openOf(world: World, row: Planted, today: string): string {
  const received = world.splits
    .filter((line) => line['shipment_id'] === row.id && line['nature'] === 'goods')
    .filter((line) => head(line)['status'] === 'posted' && String(head(line)['split_date']) <= today)
    .map((line) => line['counted_amount']);
  const rest = subtractDecimals(String(row['total_amount']), sumDecimals(received));
  // What banks on the way have kept is not owed.
  return rest === row['short_amount'] ? '0.00' : rest;
}

function bucketOf(late: number): string {
  if (late <= 0) return 'due';
  if (late <= 30) return 'b30';
  if (late <= 60) return 'b60';
  if (late <= 90) return 'b90';
  return late <= 180 ? 'b180' : 'over';
}

function paid(world: World, days: Days): Reckoned {
  const cells: Open = {};
  for (const row of mine(world.payments).filter(
    (one) => one['status'] === 'paid' && within(one['paid_date'], days),
  )) {
    add(cells, [row['pay_type'], row['payee_name']], 'amount', String(row['actual_cny']));
    add(cells, [row['pay_type'], row['payee_name']], 'count', '1');
  }
  return cells;
}

function advances(world: World, { today }: Days): Reckoned {
  const cells: Open = {};
  for (const line of mine(world.goodsLines)) {
    const { status, pay_type: type, paid_date: day } = head(line);
    if (status === 'paid' && type === 'advance' && String(day) <= today)
      add(cells, [line['purchase_contract_id']], 'left', String(line['amount']));
  }
  return cells;
}

function pools(world: World, days: Days): Reckoned {
  const cells: Open = {};
  for (const row of mine(world.entries).filter((one) => String(one['business_date']) <= days.to)) {
    const amount = String(row['amount']);
    const key = [row['partner_id'], row['pool_id']];
    add(cells, key, 'closing', amount);
    if (String(row['business_date']) < days.from) add(cells, key, 'opening', amount);
    else
      add(
        cells,
        key,
        { RCV_SETTLE: 'receipts', PAY_GOODS: 'goods', AGENCY_FEE: 'agency' }[String(row['net_type'])] ?? '',
        amount,
      );
  }
  return cells;
}

/** With the sum of the twelve months that end with each. */
function trend(world: World, days: Days): Reckoned {
  const cells: Open = {};
  const month = (row: Planted) => String(row['atd']).slice(0, 7);
  const list = sailed(world);
  for (const row of list.filter((one) => within(one['atd'], days))) {
    add(cells, [month(row)], 'usd', String(row['amount_usd']));
    add(cells, [month(row)], 'count', '1');
  }
  for (const line of mine(world.splits).filter(
    (one) => head(one)['status'] === 'posted' && within(head(one)['split_date'], days),
  ))
    add(cells, [String(head(line)['split_date']).slice(0, 7)], 'got', String(line['amount_usd']));
  for (const [key, own] of Object.entries(cells)) {
    const [last = ''] = JSON.parse(key) as readonly string[];
    const first = addMonths(`${last}-01`, -11).slice(0, 7);
    const own12 = list.filter(
      (row) => month(row) >= first && month(row) <= last && String(row['atd']) <= days.to,
    );
    own['rolling'] = sumDecimals(own12.map((row) => row['amount_usd']));
  }
  return cells;
}
