import { addDays } from '#engine/values/dates.ts';
import type { OwnRecords } from './make-own-records.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** How far a payment of fees comes, by turns: every state that one can have. */
const FATES = [
  'paid', 'pending', 'approved', 'paying', 'bank_failed', 'rejected', 'void', 'reversed', 'draft', 'paid', 'paid', 'paid',
] as const; // prettier-ignore
type Fate = (typeof FATES)[number];

const KINDS = [
  { type: 'freight', item: '海运费', payee: '宁波远航国际货运代理有限公司', from: 600 },
  { type: 'other', item: '其他', payee: '宁波诚检检测技术有限公司', from: 300 },
  { type: 'commission', item: '外佣', payee: '宁波联贸商务咨询有限公司', from: 400 },
] as const;

interface Payable {
  readonly shipment: string;
  readonly partner: string;
  readonly owner: string;
}

/** Fees paid from the partners' pools: freight, inspections, commissions, in every state; invoices follow later. */
export async function makeFees(world: World, own: Pick<OwnRecords, 'accounts'>): Promise<void> {
  const { stage } = world;
  const items = feeItems(world);
  const payables = await payableShipments(world);
  for (const [place, payable] of payables.slice(0, FATES.length).entries()) {
    const kind = KINDS[place % KINDS.length] ?? KINDS[0];
    const story = stage.begin(`fee ${place}`, addDays(stage.today, -24 + place));
    const { roll } = story;
    await unlessRefused(async () => {
      const made = await story.create(payable.owner, 'payment_request', {
        business_type: 'agency',
        pay_type: kind.type,
        partner_id: payable.partner,
        payee_kind: 'other',
        payee_name: kind.payee,
        payee_account: `3302${roll.between(100_000_000, 999_999_999)}`,
        payee_bank: '中国工商银行宁波市分行',
        cnaps: '102332000013',
        need_date: addDays(story.day(), 3),
        purpose: `支付${kind.item}`,
        fee_lines: [
          {
            fee_item: items.get(kind.item) ?? [...items.values()][0],
            shipment_id: payable.shipment,
            amount: `${kind.from + roll.between(1, 40) * 10}.00`,
            invoice_due: addDays(story.day(), 20),
          },
        ],
      });
      await bringTo(story, {
        id: String(made['id']),
        owner: payable.owner,
        fate: FATES[place] ?? 'draft',
        account: own.accounts.get('CNY'),
      });
    });
  }
}

async function bringTo(
  story: ReturnType<World['stage']['begin']>,
  {
    id,
    owner,
    fate,
    account,
  }: {
    readonly id: string;
    readonly owner: string;
    readonly fate: Fate;
    readonly account: string | undefined;
  },
): Promise<void> {
  const act = (actor: string, action: string, inputs = {}, opinion?: string) =>
    story.act(actor, 'payment_request', {
      id,
      action,
      inputs,
      ...(opinion === undefined ? {} : { opinion }),
    });
  if (fate === 'draft') return;
  if (fate === 'void') return void (await act(owner, 'void'));
  await story.approve(owner, 'payment_request', {
    id,
    ...(fate === 'pending' ? { levels: 1 } : {}),
    ...(fate === 'rejected' ? { rejection: '收款账号与发票不一致，请核对' } : {}),
  });
  if (fate === 'pending' || fate === 'rejected' || fate === 'approved') return;
  await act('tr', 'pay');
  if (fate === 'paying') return;
  if (fate === 'bank_failed') return void (await act('tr', 'fail', { fail_reason: '收款账号户名不符' }));
  await act('tr', 'confirm', {
    paid_date: story.day(),
    bank_account_id: account,
    bank_ref: `OP${story.roll.between(100_000_000, 999_999_999)}`,
    bank_fee: '10.00',
  });
  if (fate === 'reversed') await act('tr', 'bounce', {}, '收款行退回');
}

/** Values of the fees' dictionary by their names. */
function feeItems({ stage }: World): ReadonlyMap<string, string> {
  const { dictionaries } = stage.services.definitions.catalog();
  return new Map((dictionaries['fee_item']?.items ?? []).map(({ value, label }) => [label, value]));
}

/** Shipments under way of partners with money at hand, each partner in turn. */
function payableShipments({ stage }: World): Promise<readonly (Payable & Record<string, unknown>)[]> {
  return stage.services.db.query<Payable & Record<string, unknown>>(
    `select s.id as shipment, s.partner_id as partner, split_part(o.personid, '.', 1) as owner
     from shipment s join person o on o.id = s.sales_id
     join fund_pool p on p.partner_id = s.partner_id and p.account_kind = 'general' and p.available > 8000
     where s.co_code = $1 and s.status in ('declared', 'shipped') and s.business_type = 'agency' and not s.is_deleted
       and not exists (select 1 from project_settlement x where x.shipment_id = s.id and not x.is_deleted)
     order by row_number() over (partition by s.partner_id order by s.shipment_no desc), s.shipment_no limit 40`,
    [stage.company],
    'demo_payable',
  );
}
