import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import type { Story } from './story.ts';
import type { DemoContract } from './world.ts';

/** The purchase contracts of an export contract that is bought out, signed; their ids by supplier. */
export async function makePurchases(
  story: Story,
  {
    contract,
    project,
  }: { readonly contract: Omit<DemoContract, 'purchases' | 'lc' | 'day'>; readonly project: string },
): Promise<ReadonlyMap<string, string>> {
  const { buyer } = contract;
  const made = await story.act(buyer.owner, 'export_contract', { id: contract.id, action: 'to_purchase' });
  const created = Array.isArray(made['_created']) ? (made['_created'] as readonly OpenRecord[]) : [];
  const purchases = new Map<string, string>();
  for (const { id: made_id } of created) {
    const id = String(made_id);
    const isLarge = story.roll.isHit(0.1);
    const record = await story.update(buyer.owner, 'purchase_contract', id, {
      ...(buyer.partner === null ? { project_id: project } : {}),
      sign_place: '宁波',
      delivery_date: addDays(story.day(), story.roll.between(25, 45)),
      delivery_place: '供方仓库交货，需方自提',
      advance_ratio: isLarge ? '40' : story.roll.pick(['0', '0', '20', '30']),
      payment_terms: story.roll.pick(['on_receipt', 'on_receipt', 'on_invoice', 'advance']),
      quality_terms: '按需方确认的样品及技术要求，出运前验货',
      invoice_terms: '货物出运后10日内开具13%增值税专用发票',
    });
    purchases.set(String(record['supplier_id']), id);
    await story.approve(buyer.owner, 'purchase_contract', { id });
    // What is shipped is signed before.
    if (!story.roll.isHit(0.6) && contract.fate !== 'ship') continue;
    const scan = await story.upload(
      buyer.owner,
      '采购合同签章件.pdf',
      demoPdf(['PURCHASE CONTRACT', String(record['purchase_no'])]),
    );
    await story.update(buyer.owner, 'purchase_contract', id, { signed_file: [scan] });
    await story.act(buyer.owner, 'purchase_contract', { id, action: 'sign' });
  }
  return purchases;
}
