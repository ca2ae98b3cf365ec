import { openSystemCall } from '#server/records/call/open-call.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { normalisePartyName } from '#trade/party-name.ts';
import { companyOf, textOf } from './rule-values.ts';

/**
 * Money has arrived: told to the owners of buyers that are called like the payer, else to all sales people. Code, since
 * who is told goes by the likeness of names.
 */
async function announceReceipt(call: RuleCall): Promise<void> {
  const { tx, record } = call;
  const key = normalisePartyName(textOf(record, 'payer_name') ?? '');
  const owners = await tx.query<{ sales_id: string }>(
    `select distinct p.sales_id from buyer b join partner p on p.id = b.partner_id and p.co_code = b.co_code
     where b.co_code = $1 and b.name_key = $2 and not b.is_deleted and p.sales_id is not null`,
    [companyOf(call), key],
  );
  const to = owners.map(({ sales_id }) => sales_id);
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
