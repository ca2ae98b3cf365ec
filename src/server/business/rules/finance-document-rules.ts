import type { ErpRecord } from '#engine/schema/resource.ts';
import { insertNamed, updateNamed } from '#server/business/named-records.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { knownFields, linesIn, textOf } from './rule-values.ts';

/** Accepted amendments of a credit change its amount, expiry and latest shipment. */
export async function applyLcAmendments(call: RuleCall): Promise<void> {
  const accepted = linesIn(call.record, 'amendments').filter((line) => line['accepted'] === true);
  const last = (name: string) =>
    accepted.findLast((line) => line[name] !== null && line[name] !== undefined)?.[name];
  const fields = knownFields(call.resource.fields, {
    amount: last('new_amount'),
    expiry_date: last('new_expiry'),
    latest_shipment: last('new_latest'),
  });
  if (Object.keys(fields).length > 0)
    await updateNamed(call, 'letter_of_credit', {
      id: String(call.record['id']),
      fields,
      action: 'amend_done',
    });
}

/** 承兑 fixes when the last presentation is due. */
export async function acceptPresentation(call: RuleCall): Promise<void> {
  const lines = linesIn(call.record, 'presentations');
  const last = lines.at(-1);
  if (last === undefined) return;
  const presentations = lines.map((line) =>
    line === last ? { ...line, maturity: call.input['maturity'] ?? line['maturity'] } : line,
  );
  await updateNamed(call, 'letter_of_credit', {
    id: String(call.record['id']),
    fields: { presentations },
    action: 'accept',
  });
}

/** 承保: the shipment knows its insurance. */
export async function linkInsurance(call: RuleCall): Promise<void> {
  const shipment = textOf(call.record, 'shipment_id');
  if (shipment !== null)
    await updateNamed(call, 'shipment', {
      id: shipment,
      fields: { insurance_id: call.record['id'] },
      action: 'insured',
    });
}

/** 转订单: a self-operated order of an approved estimate. */
export async function createOrderFromEstimate(call: RuleCall): Promise<void> {
  const { record, services, caller } = call;
  const order = services.definitions.catalog().resources['export_order'];
  if (order === undefined) return;
  const columns = order.fields['items']?.fields ?? {};
  const shared = [
    'buyer_id',
    'currency',
    'incoterm',
    'incoterm_place',
    'payment_term',
    'dest_country_id',
    'port_loading_id',
    'port_dest_id',
    'sales_id',
    'dept_code',
    'co_code',
  ];
  const values: ErpRecord = {
    ...Object.fromEntries(shared.map((name) => [name, record[name] ?? undefined])),
    business_type: 'self',
    estimate_id: record['id'],
    order_date: caller.context.today,
    items: linesIn(record, 'items').map((line) =>
      knownFields(columns, {
        ...Object.fromEntries(
          ['goods_id', 'supplier_id', 'quantity', 'unit', 'unit_price'].map((name) => [
            name,
            line[name] ?? undefined,
          ]),
        ),
        purchase_price: line['purchase_price'] ?? undefined,
      }),
    ),
  };
  await insertNamed(call, 'export_order', knownFields(order.fields, values));
}
