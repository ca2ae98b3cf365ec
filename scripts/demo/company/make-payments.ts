import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import { beginLate, ofKind, rowsOf, SHIPPED } from './late-story.ts';
import type { OwnRecords } from './make-own-records.ts';
import { payFor, supplierPayee } from './pay-for.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** What payments of the company are made with. */
export interface Given {
  readonly own: Pick<OwnRecords, 'accounts'>;
  /** The project of the company's own business. */
  readonly project: string;
}

/** A part of what is bought is paid before it is delivered. */
export async function makeAdvances(world: World, { own, project }: Given): Promise<void> {
  for (const kind of ['agency', 'self'] as const) {
    const rows = await rowsOf(
      world,
      `select c.id, coalesce(c.partner_id::text, '') as partner, split_part(o.personid, '.', 1) as owner, c.supplier_id as supplier,
         c.project_id as project,
         round(least(c.total_amount * 0.1, p.available * 0.3), 2)::text as amount
       from purchase_contract c join person o on o.id = c.sales_id
       join fund_pool p on p.account_kind = 'general' and p.available > 10000
         and (p.partner_id = c.partner_id or (c.partner_id is null and p.project_id = c.project_id))
       where c.co_code = $1 and c.business_type = $2 and c.status in ('signed', 'executing') and not c.is_deleted
       order by exists (select 1 from partner__accounts a where a.parent_id = c.partner_id and a.mobile = $3) desc, c.purchase_no desc limit 3`,
      [kind, world.scale.partnerMobiles[0] ?? ''],
    );
    for (const [place, row] of rows.entries())
      await unlessRefused(async () => {
        const story = beginLate(world, `advance ${kind} ${place}`, 12 - place * 3);
        const made = await story.create(row.owner, 'payment_request', {
          ...ofKind(kind, row.partner, row['project'] ?? project),
          pay_type: 'advance',
          ...(await supplierPayee(story, String(row['supplier']))),
          need_date: addDays(story.day(), 3),
          purpose: '预付货款',
          goods_lines: [{ purchase_contract_id: row.id, amount: row['amount'] }],
        });
        await payOut(story, own, { id: String(made['id']), owner: row.owner, place });
      });
  }
}

const FEES = [
  { type: 'freight', item: 'ocean', purpose: '支付海运费' },
  { type: 'commission', item: 'foreign_comm', purpose: '支付外佣' },
  { type: 'other', item: 'inspection', purpose: '支付商检费' },
  { type: 'premium', item: 'cargo_ins', purpose: '支付保费' },
] as const;

/** Fees of the company's own business. */
export async function makeOwnFees(world: World, { own, project }: Given): Promise<void> {
  const [shipment] = await rowsOf(world, SHIPPED, ['self']);
  if (shipment === undefined) return;
  for (const [place, fee] of FEES.entries())
    await unlessRefused(async () => {
      const story = beginLate(world, `own fee ${place}`, 14 - place * 3);
      const made = await story.create(shipment.owner, 'payment_request', {
        ...ofKind('self', '', project),
        ...PAYEE,
        ...feeValues(story, fee, shipment.id),
      });
      await payOut(story, own, { id: String(made['id']), owner: shipment.owner, place });
    });
}

/** Deposits that the company pays to others, for its partners and for itself. */
export async function makePaidDeposits(world: World, { own, project }: Given): Promise<void> {
  for (const kind of ['agency', 'self'] as const) {
    const [shipment] = await rowsOf(world, SHIPPED, [kind]);
    if (shipment === undefined) continue;
    await unlessRefused(async () => {
      const story = beginLate(world, `paid deposit ${kind}`, 9);
      const amount = '5000.00';
      const terms = await story.upload('fn', '海关保证金协议.pdf', demoPdf(['CUSTOMS DEPOSIT AGREEMENT']));
      const made = await story.create('fn', 'deposit', {
        ...ofKind(kind, shipment.partner, project),
        attachments: [terms],
        kind: 'out_customs',
        counterparty: '中华人民共和国宁波海关',
        payee_account: '3901110009200012345',
        payee_bank: '中国工商银行宁波市分行',
        cnaps: '102332000013',
        shipment_id: shipment.id,
        bearer: 'company',
        amount,
      });
      const id = String(made['id']);
      await story.approve('fn', 'deposit', { id });
      const { payment_request_id: asked } = await story.read('deposit', id);
      const payment =
        typeof asked === 'string'
          ? asked
          : String(
              (
                await story.create(shipment.owner, 'payment_request', {
                  ...ofKind(kind, shipment.partner, project),
                  ...PAYEE,
                  payee_name: '中华人民共和国宁波海关',
                  pay_type: 'deposit',
                  bearer: 'company',
                  need_date: addDays(story.day(), 3),
                  purpose: '支付海关保证金',
                  fee_lines: [{ fee_item: 'customs', deposit_id: id, amount }],
                })
              )['id'],
            );
      await payOut(story, own, { id: payment, owner: shipment.owner, place: 0 });
    });
  }
}

/** A firm that is paid for its services. */
export const PAYEE = {
  payee_kind: 'other',
  payee_name: '宁波远航国际货运代理有限公司',
  payee_account: '3302018800123456',
  payee_bank: '中国工商银行宁波市分行',
  cnaps: '102332000013',
} as const;

/** A fee that is paid for a shipment. */
export interface Fee {
  readonly type: string;
  readonly item: string;
  readonly purpose: string;
}

export function feeValues(story: Story, { type, item, purpose }: Fee, shipment: string): OpenRecord {
  return {
    pay_type: type,
    need_date: addDays(story.day(), 3),
    purpose,
    fee_lines: [
      {
        fee_item: item,
        shipment_id: shipment,
        amount: `${story.roll.between(3, 18) * 100}.00`,
        ...(type === 'premium' ? {} : { invoice_due: addDays(story.day(), 20) }),
      },
    ],
  };
}

/** The first is paid, the second waits for its payment, others for their approval. */
async function payOut(
  story: Story,
  own: Given['own'],
  { id, owner, place }: { readonly id: string; readonly owner: string; readonly place: number },
): Promise<void> {
  await story.approve(owner, 'payment_request', { id, ...(place > 1 ? { levels: 1 } : {}) });
  if (place > 0) return;
  await payFor(story, own, { id, fee: '10.00' });
}
