import { writeDerivedFields } from '#server/records/write/system-write.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { isBeyond, isOnOpenTerms, isUninsured, standingOf } from './credit-exposure.ts';
import { knownFields, textOf } from './rule-values.ts';

/** After a save: the invoice number follows the shipment's when left empty; whether open terms go uninsured decides the approvers. */
export async function completeShipment(call: RuleCall): Promise<void> {
  const { record, resource } = call;
  const invoice = textOf(record, 'invoice_no');
  await writeDerivedFields(call, resource.resource, {
    id: String(record['id']),
    fields: knownFields(resource.fields, {
      invoice_no: invoice === null || invoice === '= shipment_no' ? record['shipment_no'] : undefined,
      exposure_over: isUninsured(record),
    }),
  });
}

/**
 * 提交: exposure as of now. On open terms the partner's shipment_risk line decides, with everything that is still to be
 * received; without a line in force an insured shipment is within it. The last approval looks again.
 */
export async function markExposure(call: RuleCall): Promise<void> {
  const { record } = call;
  await writeDerivedFields(call, 'shipment', {
    id: String(record['id']),
    fields: knownFields(call.resource.fields, {
      exposure_over: isOnOpenTerms(record) && isBeyond(await standingOf(call, record), record),
    }),
  });
}
