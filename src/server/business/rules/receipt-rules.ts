import type { ErpRecord } from '#engine/schema/resource.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { normalisePartyName } from '#trade/party-name.ts';
import { findNamed } from '#server/business/find-named.ts';
import { linesIn, textOf, uniqueIds } from './rule-values.ts';

/**
 * Money has arrived: told to the owners of buyers that are called like the payer, else to all sales people. Code, since
 * who is told goes by the likeness of names.
 */
async function announceReceipt(call: RuleCall): Promise<void> {
  const { tx, record } = call;
  const key = normalisePartyName(textOf(record, 'payer_name') ?? '');
  const buyers = await findNamed(call, 'buyer', {
    where: { name_key: { eq: key } },
    fields: ['partner_id', 'sales_id'],
  });
  const partners = uniqueIds(buyers.map((row) => textOf(row, 'partner_id')));
  const owners =
    partners.length === 0
      ? []
      : await findNamed(call, 'partner', { where: { id: { in: partners } }, fields: ['sales_id'] });
  // Buyers of the company's own business have no partner.
  const own = buyers.filter((row) => textOf(row, 'partner_id') === null);
  const to = uniqueIds([...owners, ...own].map((row) => textOf(row, 'sales_id')));
  await emitEvent(tx, openSystemCall(call.services, call.caller, 'receipt'), {
    event: 'RECEIPT_ARRIVED',
    record: { ...record },
    ...(to.length === 0 ? {} : { to }),
  });
}

const CLAIMED = ['partner_id', 'project_id', 'buyer_id', 'sales_id', 'amount'] as const;

/** Money goes from one claim to another: told to finance, and to whoever had it and whoever has it now. */
async function tellReassigned(call: RuleCall): Promise<void> {
  const { tx, record, previous } = call;
  const before = linesIn(previous ?? {}, 'claims');
  const after = linesIn(record, 'claims');
  const also = uniqueIds(
    [...changedFrom(before, after), ...changedFrom(after, before)].map((line) => textOf(line, 'sales_id')),
  );
  await emitEvent(tx, openSystemCall(call.services, call.caller, 'receipt'), {
    event: 'RECEIPT_CLAIMED',
    record: { ...record },
    opinion: '改派认领',
    also,
  });
}

/** The claims that are not among the others as they are. */
function changedFrom(claims: readonly ErpRecord[], others: readonly ErpRecord[]): readonly ErpRecord[] {
  return claims.filter((line) => !others.some((other) => isSame(line, other)));
}

function isSame(line: ErpRecord, other: ErpRecord): boolean {
  return line['id'] === other['id'] && CLAIMED.every((name) => textOf(line, name) === textOf(other, name));
}

export const RECEIPT_RULES: RuleSet = {
  effects: {
    announce_receipt: {
      run: announceReceipt,
      reads: ['buyer.name_key', 'buyer.partner_id', 'buyer.sales_id', 'partner.sales_id'],
      why: 'tells the salespeople of whoever the payer may be',
    },
    tell_reassigned: {
      run: tellReassigned,
      reads: [
        'receipt.claims.partner_id',
        'receipt.claims.project_id',
        'receipt.claims.buyer_id',
        'receipt.claims.sales_id',
        'receipt.claims.amount',
      ],
      why: 'tells the owners of claims as they were, which no list of receivers names',
    },
  },
};
