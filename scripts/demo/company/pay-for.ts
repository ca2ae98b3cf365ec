import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { OwnRecords } from './make-own-records.ts';
import type { Story } from './story.ts';

/** The bank is told to pay, and has paid. */
export async function payFor(
  story: Story,
  own: Pick<OwnRecords, 'accounts'>,
  { id, fee }: { readonly id: string; readonly fee: string },
): Promise<void> {
  const pay = () => story.act('tr', 'payment_request', { id, action: 'pay' });
  try {
    await pay();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // It stands in no plan of its week.
    await story.act('gm', 'payment_request', {
      id,
      action: 'release_plan',
      opinion: '供应商急需，计划外支付',
    });
    await pay();
  }
  await story.act('tr', 'payment_request', {
    id,
    action: 'confirm',
    inputs: {
      paid_date: story.day(),
      bank_account_id: own.accounts.get('CNY'),
      bank_ref: `OP${story.roll.between(100_000_000, 999_999_999)}`,
      bank_fee: fee,
    },
  });
}

/** The supplier's own account, checked by finance where nobody has done so. */
export async function supplierPayee(story: Story, id: string): Promise<OpenRecord> {
  const account = await verifiedAccount(story, 'supplier', id);
  return { payee_kind: 'supplier', supplier_id: id, supplier_account: account };
}

/** The partner's own account, likewise. */
export async function partnerPayee(story: Story, id: string): Promise<OpenRecord> {
  return { payee_kind: 'partner', partner_account: await verifiedAccount(story, 'partner', id) };
}

async function verifiedAccount(story: Story, resource: 'partner' | 'supplier', id: string): Promise<unknown> {
  const known = await story.read(resource, id);
  const [bank] = known['banks'] as readonly OpenRecord[];
  if (bank?.['verified'] !== true)
    await story.act('fn', resource, { id, action: 'verify_bank', inputs: { method: 'letter' } });
  return bank?.['id'];
}
