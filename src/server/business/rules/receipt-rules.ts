import { openSystemCall } from '#server/records/call/open-call.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { normalisePartyName } from '#trade/party-name.ts';
import { findNamed } from '#server/business/find-named.ts';
import { textOf, uniqueIds } from './rule-values.ts';

/**
 * Money has arrived: told to the owners of buyers that are called like the payer, else to all sales people. Code, since
 * who is told goes by the likeness of names.
 */
async function announceReceipt(call: RuleCall): Promise<void> {
  const { tx, record } = call;
  const key = normalisePartyName(textOf(record, 'payer_name') ?? '');
  const buyers = await findNamed(call, 'buyer', { where: { name_key: { eq: key } }, fields: ['partner_id'] });
  const partners = uniqueIds(buyers.map((row) => textOf(row, 'partner_id')));
  const owners =
    partners.length === 0
      ? []
      : await findNamed(call, 'partner', { where: { id: { in: partners } }, fields: ['sales_id'] });
  const to = uniqueIds(owners.map((row) => textOf(row, 'sales_id')));
  await emitEvent(tx, openSystemCall(call.services, call.caller, 'receipt'), {
    event: 'RECEIPT_ARRIVED',
    record: { ...record },
    ...(to.length === 0 ? {} : { to }),
  });
}

export const RECEIPT_RULES: RuleSet = {
  effects: {
    announce_receipt: {
      run: announceReceipt,
      reads: ['buyer.name_key', 'buyer.partner_id', 'partner.sales_id'],
      why: 'tells the salespeople of whoever the payer may be',
    },
  },
};
