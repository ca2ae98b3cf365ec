import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

/** One in so many is forgotten until its day is over. */
const FORGOTTEN = 9;
const DAYS = 4;

/** The papers of an export whose refund was declared are filed within days; what was declared just now is still at it. */
export async function fileExport(
  { stage }: World,
  story: Story,
  { refund, place }: { readonly refund: string; readonly place: number },
): Promise<void> {
  const [row] = await stage.services.db.query<{
    id: string;
    contract: string;
    shipped: string;
    customs: string;
  }>(
    `select f.id, f.declaration_no as customs, s.bl_no as shipped,
       (select c.contract_no from shipment__items i join export_contract c on c.id = i.contract_id
        where i.parent_id = s.id order by i.line_order limit 1) as contract
     from document_filing f join shipment s on s.id = f.shipment_id where f.refund_id = $1::uuid and f.status = 'pending'`,
    [refund],
  );
  if (row === undefined || place % FORGOTTEN === FORGOTTEN - 2) return;
  const isNew = addDays(story.day(), DAYS) > stage.today;
  // One is at it, the next waits.
  if (isNew && (await hasIncomplete(stage))) return;
  story.wait(DAYS);
  const numbers = [row.contract, row.shipped, row.customs];
  const { docs } = await story.read('document_filing', row.id);
  const filled: OpenRecord[] = [];
  for (const [line, doc] of (docs as readonly OpenRecord[]).entries()) {
    const doc_no = numbers[line] ?? null;
    const isThere = !isNew || line === 0;
    const file = isThere
      ? [await story.upload('dc', `${String(doc['doc_name'])}.pdf`, demoPdf([String(doc_no)]))]
      : [];
    filled.push({ id: doc['id'], doc_no, file });
  }
  await story.update('dc', 'document_filing', row.id, { docs: filled });
  const step = { id: row.id, opinion: '缺运输单据与委托报关单据，已催货代' };
  if (isNew) return void (await story.act('dc', 'document_filing', { ...step, action: 'mark_incomplete' }));
  await story.act('dc', 'document_filing', { id: row.id, action: 'file' });
  if (place % 2 === 1) return;
  const inputs = { check_note: '三类单证齐全，与报关单一致' };
  await story.act('fn', 'document_filing', { id: row.id, action: 'check', inputs });
}

async function hasIncomplete({ services, company }: World['stage']): Promise<boolean> {
  const [row] = await services.db.query(
    `select 1 from document_filing where co_code = $1 and status = 'incomplete' limit 1`,
    [company],
  );
  return row !== undefined;
}
