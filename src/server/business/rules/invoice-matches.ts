import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { addDecimals, compareDecimals, subtractDecimals } from '#engine/values/decimal.ts';
import { dictionaryLabels } from '#server/records/read/dictionary-labels.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import type { StateName } from '#trade/names.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { findLinesNamed, findNamed } from '#server/business/find-named.ts';
import { decimalOf, linesIn, textOf, uniqueIds } from './rule-values.ts';

/** States in which the matches of an invoice count. */
const MATCHED: readonly StateName<'goods_invoice'>[] = ['matched', 'certified', 'declared', 'refunded'];

/**
 * 配单: what is matched is no more than was shipped of each purchase line, other invoices counted; the units are those of the
 * goods. (That it is no more than the invoice says is a rule of the invoice.) The shipments' rows are locked, so that two invoices count each other.
 * A supplement (补开发票) brings money for goods that other invoices brought: it takes no quantity of what was shipped.
 * An invoice that comes out of 异常 is asked again: its matches did not count, so others may have taken what was shipped.
 */
export async function checkInvoiceMatches(call: RuleCall): Promise<readonly FieldProblem[]> {
  if (!MATCHED.some((status) => status === call.record['status'])) return [];
  const beyond = await beyondShipped(call, linesIn(call.record, 'matches'));
  return [...beyond, ...(await otherUnits(call))];
}

async function beyondShipped(
  call: RuleCall,
  matches: readonly ErpRecord[],
): Promise<readonly FieldProblem[]> {
  const shipments = uniqueIds(matches.map((line) => textOf(line, 'shipment_id')));
  await findNamed(call, 'shipment', { where: { id: { in: shipments } }, fields: ['id'], isLocking: true });
  const shipped = await findLinesNamed(call, ['shipment', 'items'], {
    where: { 'parent.id': { in: shipments } },
    fields: ['parent.id', 'contract_line', 'quantity'],
  });
  const taken = await findLinesNamed(call, ['goods_invoice', 'matches'], {
    where: {
      shipment_id: { in: shipments },
      'parent.id': { ne: String(call.record['id']) },
      'parent.status': { in: MATCHED },
      'parent.is_supplement': { ne: true },
    },
    fields: ['shipment_id', 'purchase_line', 'quantity'],
  });
  const exportLines = await exportLinesOf(call, [...matches, ...taken]);
  const left = new Map<string, string>();
  for (const row of shipped) {
    const key = keyOf(textOf(row, 'parent.id'), textOf(row, 'contract_line'));
    left.set(key, addDecimals(left.get(key) ?? '0', decimalOf(row, 'quantity')));
  }
  for (const row of taken) {
    const exportLine = exportLines.get(textOf(row, 'purchase_line') ?? '');
    if (exportLine === undefined) continue;
    const key = keyOf(textOf(row, 'shipment_id'), exportLine);
    left.set(key, subtractDecimals(left.get(key) ?? '0', decimalOf(row, 'quantity')));
  }
  return matches.flatMap((line, index): readonly FieldProblem[] => {
    // An invoice of 代办退税 has no purchase behind it: the limit of the shipment's lines counts it.
    if (textOf(line, 'purchase_line') === null) return [];
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
    if (call.record['is_supplement'] === true) return [];
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
  const rows = await findLinesNamed(call, ['purchase_contract', 'items'], {
    where: { id: { in: ids } },
    fields: ['id', 'export_line'],
  });
  return new Map(
    rows.flatMap((row) => {
      const line = textOf(row, 'export_line');
      return line === null ? [] : [[String(row.id), line]];
    }),
  );
}

/** The unit on the invoice must be the trade unit or a customs unit of the goods: the tax refund compares them. */
async function otherUnits(call: RuleCall): Promise<readonly FieldProblem[]> {
  const goods = currentCatalog(call.services).resources['goods'];
  const lines = linesIn(call.record, 'items');
  const ids = uniqueIds(lines.map((line) => textOf(line, 'goods_id')));
  if (goods === undefined || ids.length === 0) return [];
  const rows = await findNamed(call, 'goods', {
    where: { id: { in: ids } },
    fields: ['id', 'unit', 'unit1', 'unit2'],
  });
  const units = new Map(
    rows.map((row): [string, readonly unknown[]] => [String(row.id), [row.unit, row.unit1, row.unit2]]),
  );
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

/** The rules of received VAT invoices, by the names that the definitions use. */
export const INVOICE_RULES: RuleSet = {
  checks: {
    check_invoice_matches: {
      run: checkInvoiceMatches,
      reads: [
        'goods_invoice.is_supplement',
        'goods_invoice.matches.quantity',
        'goods_invoice.matches.shipment_id',
        'goods_invoice.matches.purchase_line',
        'shipment.items.quantity',
        'purchase_contract.items.export_line',
        'goods.unit',
      ],
      why: 'quantities of two documents meet over a third',
    },
  },
};
