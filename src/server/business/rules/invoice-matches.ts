import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { addDecimals, compareDecimals, subtractDecimals, sumDecimals } from '#engine/values/decimal.ts';
import { dictionaryLabels } from '#server/records/read/attach-references.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { companyOf, decimalOf, linesIn, textOf, uniqueIds } from './rule-values.ts';

/**
 * 配单: what is matched is no more than the invoice says nor than was shipped of each purchase line, other invoices
 * counted; the units are those of the goods. The shipments' rows are locked, so that two invoices count each other.
 */
export async function checkInvoiceMatches(call: RuleCall): Promise<readonly FieldProblem[]> {
  const matches = linesIn(call.record, 'matches');
  if (matches.length === 0)
    return [{ path: 'matches', code: 'required', message: '请先在配单明细中填写采购合同行与明细单' }];
  return [
    ...beyondInvoice(call.record, matches),
    ...(await beyondShipped(call, matches)),
    ...(await otherUnits(call)),
  ];
}

function beyondInvoice(record: ErpRecord, matches: readonly ErpRecord[]): readonly FieldProblem[] {
  const quantity = sumDecimals(linesIn(record, 'items').map((line) => line['quantity']));
  const problems: FieldProblem[] = [];
  if (compareDecimals(sumDecimals(matches.map((line) => line['quantity'])), quantity) > 0)
    problems.push({ path: 'matches', code: 'quantity', message: `配单数量合计超过发票数量 ${quantity}` });
  const net = decimalOf(record, 'net_amount');
  if (compareDecimals(sumDecimals(matches.map((line) => line['net_amount'])), net) > 0)
    problems.push({ path: 'matches', code: 'amount', message: `配单金额合计超过不含税金额 ${net}` });
  return problems;
}

interface Shipped {
  readonly shipment_id: string;
  readonly export_line: string | null;
  readonly quantity: string;
}

async function beyondShipped(
  call: RuleCall,
  matches: readonly ErpRecord[],
): Promise<readonly FieldProblem[]> {
  const company = companyOf(call);
  const shipments = uniqueIds(matches.map((line) => textOf(line, 'shipment_id')));
  await call.tx.query(
    'select id from shipment where co_code = $1 and id = any($2::uuid[]) order by id for update',
    [company, shipments],
  );
  const exportLines = await exportLinesOf(call, matches);
  const shipped = await call.tx.query<Shipped & Record<string, unknown>>(
    `select parent_id as shipment_id, contract_line as export_line, quantity::text as quantity
     from shipment__items where co_code = $1 and parent_id = any($2::uuid[])`,
    [company, shipments],
  );
  const taken = await call.tx.query<Shipped & Record<string, unknown>>(
    `select m.shipment_id, p.export_line, m.quantity::text as quantity from goods_invoice__matches m
     join goods_invoice g on g.id = m.parent_id and g.co_code = m.co_code
     join purchase_contract__items p on p.id = m.purchase_line and p.co_code = m.co_code
     where m.co_code = $1 and m.shipment_id = any($2::uuid[]) and g.id <> $3::uuid and not g.is_deleted
       and g.status in ('matched', 'certified', 'declared', 'refunded')`,
    [company, shipments, call.record['id']],
  );
  const left = new Map<string, string>();
  for (const row of shipped) {
    const key = keyOf(row.shipment_id, row.export_line);
    left.set(key, addDecimals(left.get(key) ?? '0', row.quantity));
  }
  for (const row of taken) {
    const key = keyOf(row.shipment_id, row.export_line);
    left.set(key, subtractDecimals(left.get(key) ?? '0', row.quantity));
  }
  return matches.flatMap((line, index): readonly FieldProblem[] => {
    const exportLine = exportLines.get(textOf(line, 'purchase_line') ?? '') ?? null;
    const key = keyOf(textOf(line, 'shipment_id'), exportLine);
    const open = left.get(key);
    if (open === undefined || exportLine === null)
      return [
        {
          path: `matches.${index}.shipment_id`,
          code: 'not_shipped',
          message: '该明细单没有出运这一采购合同行的商品',
        },
      ];
    const quantity = decimalOf(line, 'quantity');
    left.set(key, subtractDecimals(open, quantity));
    if (compareDecimals(quantity, open) <= 0) return [];
    return [
      {
        path: `matches.${index}.quantity`,
        code: 'quantity',
        message: `配单数量超过已出运未配数量 ${compareDecimals(open, '0') < 0 ? '0' : open}`,
      },
    ];
  });
}

function keyOf(shipment: string | null, line: string | null): string {
  return `${shipment ?? ''} ${line ?? ''}`;
}

/** The export contract line that a purchase line buys for. */
async function exportLinesOf(
  call: RuleCall,
  matches: readonly ErpRecord[],
): Promise<ReadonlyMap<string, string>> {
  const ids = uniqueIds(matches.map((line) => textOf(line, 'purchase_line')));
  const rows = await call.tx.query<{ id: string; export_line: string | null }>(
    'select id, export_line from purchase_contract__items where co_code = $1 and id = any($2::uuid[])',
    [companyOf(call), ids],
  );
  return new Map(rows.flatMap((row) => (row.export_line === null ? [] : [[row.id, row.export_line]])));
}

/** The unit on the invoice must be the trade unit or a customs unit of the goods: the tax refund compares them. */
async function otherUnits(call: RuleCall): Promise<readonly FieldProblem[]> {
  const goods = currentCatalog(call.services).resources['goods'];
  const lines = linesIn(call.record, 'items');
  const ids = uniqueIds(lines.map((line) => textOf(line, 'goods_id')));
  if (goods === undefined || ids.length === 0) return [];
  const rows = await call.tx.query<Readonly<Record<string, string | null>>>(
    'select id, unit, unit1, unit2 from goods where id = any($1::uuid[])',
    [ids],
  );
  const units = new Map(rows.map((row) => [row['id'], [row['unit'], row['unit1'], row['unit2']]]));
  const unitField = goods.fields['unit'];
  const labels = unitField === undefined ? null : dictionaryLabels(currentCatalog(call.services), unitField);
  return lines.flatMap((line, index) => {
    const known = units.get(textOf(line, 'goods_id') ?? '');
    if (known === undefined) return [];
    const codes = known.filter((code): code is string => typeof code === 'string');
    const names = codes.map((code) => labels?.get(code) ?? code);
    const unit = textOf(line, 'unit') ?? '';
    return [...codes, ...names].includes(unit)
      ? []
      : [
          {
            path: `items.${index}.unit`,
            code: 'unit',
            message: `单位应与商品的成交或法定单位一致（${[...new Set(names)].join('、')}）`,
          },
        ];
  });
}
