import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import { containerNo } from './demo-numbers.ts';
import { draftBy } from './draft-by.ts';
import { type End, inState, playEnds } from './ends.ts';
import { amendMarks } from './make-extras.ts';
import { REFUND_ENDS } from './refund-ends.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

/** Papers that end otherwise than most, and refunds that the state does not pay or takes back. */
export function makePaperEnds(world: World): Promise<void> {
  return playEnds(world, '单证与退税的例外', ENDS);
}

/** A declaration that customs are looking at, or have sent back, of the shipments that wait for one. */
function declared(state: string, steps: readonly string[]): End {
  return {
    resource: 'customs_declaration',
    state,
    of: `select d.id, 'dc' as owner, d.transport_mode from customs_declaration d join shipment s on s.id = d.shipment_id
         where d.co_code = $1 and d.status = 'draft' and s.status = 'approved' and not d.is_deleted order by d.created_at`,
    daysAgo: 1,
    play: async (story, { id }, world) => {
      const { items } = await story.read('customs_declaration', id);
      await story.update('dc', 'customs_declaration', id, {
        exit_customs_id: world.refs.of('customs_port', '3100'),
        declare_date: story.day(),
        transport_name: `JADE VOYAGER/${story.roll.between(10, 99)}E`,
        bl_no: `JVGR${story.roll.between(100_000_000, 999_999_999)}`,
        items: (items as readonly OpenRecord[]).map((item) => ({
          id: item['id'],
          hs_code: String(item['hs_code']).padEnd(10, '0'),
        })),
      });
      const inputs = { customs_no: `310120269${story.roll.between(100_000_000, 999_999_999)}` };
      for (const action of steps)
        await story.act('dc', 'customs_declaration', {
          id,
          action,
          ...(action === 'accept' ? { inputs } : {}),
          ...(action === 'reject' ? { opinion: '商品名称与申报要素不符，请修改后重报' } : {}),
        });
    },
  };
}

/** A booking that has come so far. */
function booked(state: string, steps: readonly string[]): End {
  return {
    resource: 'logistics_order',
    state,
    of: `select s.id, 'dc' as owner, s.forwarder_id as forwarder, (s.etd)::text as etd from shipment s
         where s.co_code = $1 and s.status in ('approved', 'declared') and not s.is_deleted
         order by (select count(*) from logistics_order o where o.shipment_id = s.id), s.shipment_no`,
    daysAgo: 3,
    play: async (story, { id: shipment_id, forwarder }) => {
      const made = await story.create('dc', 'logistics_order', {
        ...{ shipment_id, forwarder_id: forwarder, carrier: '中远海运', vessel_voyage: 'NORTH CEDAR/18W' },
        containers: [{ container_no: containerNo(story.roll), type: '40HQ' }],
        quotes: [{ fee_item: 'port', currency: 'CNY', amount: '1260.00' }],
      });
      const inputs: Readonly<Record<string, OpenRecord>> = {
        confirm: { so_no: `SO${story.roll.between(1_000_000, 9_999_999)}` },
      };
      for (const action of steps)
        await story.act('dc', 'logistics_order', {
          id: String(made['id']),
          action,
          inputs: inputs[action] ?? {},
        });
    },
  };
}

/** The set of a shipment, as far as its people have come with it. */
function set(
  state: string,
  work: (story: Story, id: string) => Promise<unknown>,
  shipped: readonly string[] = ['shipped'],
): End {
  return {
    resource: 'document_set',
    state,
    of: `select s.id, split_part(o.personid, '.', 1) as owner from shipment s join person o on o.id = s.sales_id
         where s.co_code = $1 and s.status in (${shipped.map((one) => `'${one}'`).join(', ')}) and not s.is_deleted
           and not exists (select 1 from document_set d where d.shipment_id = s.id)
         order by s.atd desc nulls last, s.shipment_no`,
    daysAgo: 2,
    play: async (story, { id: shipment_id }) => {
      const { id } = await story.create('dc', 'document_set', { shipment_id });
      await work(story, String(id));
    },
  };
}

const letGo = async (story: Story, id: string): Promise<void> => {
  await story.act('dc', 'document_set', { id, action: 'make' });
  const { difference_count: differences } = await story.read('document_set', id);
  if (differences === 0) await story.act('dc', 'document_set', { id, action: 'release' });
  else await story.act('tm', 'document_set', { id, action: 'accept', opinion: '差异已与客户确认' });
};

/** What the next credit of a customer has from the one before. */
const COPIED = [
  ...[
    'business_type',
    'partner_id',
    'buyer_id',
    'contract_id',
    'form',
    'issue_date',
    'expiry_date',
    'expiry_place',
  ],
  ...[
    'issuing_bank_id',
    'advising_bank_id',
    'applicant',
    'beneficiary',
    'currency',
    'amount',
    'available_with',
  ],
  ...[
    'available_by',
    'latest_shipment',
    'goods_desc',
    'presentation_days',
    'partial_shipments',
    'transhipment',
  ],
  ...['tolerance_plus', 'tolerance_minus', 'confirmation', 'documents_required', 'draft_at'],
];

const ENDS: readonly End[] = [
  booked('draft', []),
  booked('loaded', ['book', 'confirm', 'load']),
  booked('gated', ['book', 'confirm', 'load', 'gate_in']),
  declared('accepted', ['send', 'accept']),
  declared('inspection', ['send', 'accept', 'inspect']),
  declared('rejected', ['send', 'reject']),
  set('void', (story, id) =>
    story.act('dc', 'document_set', { id, action: 'void', opinion: '客户改单，重新制作' }),
  ),
  set('made', (story, id) => story.act('dc', 'document_set', { id, action: 'make' })),
  set(
    'outdated',
    async (story, id) => {
      await letGo(story, id);
      const { shipment_id } = await story.read('document_set', id);
      await story.update('dc', 'shipment', String(shipment_id), { vessel: 'NORTH CEDAR', voyage: '18W' });
      await story.act('dc', 'document_set', { id, action: 'recheck' });
    },
    ['approved', 'declared'],
  ),
  set('released', letGo),
  set('draft', () => Promise.resolve()),
  {
    resource: 'warehouse_entry',
    state: 'issued',
    kind: `doc_type = 'out'`,
    of: `select s.id, split_part(o.personid, '.', 1) as owner, min(i.purchase_contract_id::text) as purchase
         from shipment s join person o on o.id = s.sales_id join shipment__items i on i.parent_id = s.id
         join purchase_contract c on c.id = i.purchase_contract_id and c.status in ('signed', 'executing')
         where s.co_code = $1 and s.status = 'approved' and s.export_mode = 'buyout' and not s.is_deleted
         group by s.id, o.personid having count(distinct c.id) = 1 order by s.id`,
    daysAgo: 3,
    play: async (story, { id: shipment, owner, purchase = '' }) => {
      const warehouse = '宁波北仑一号仓';
      const entry = await draftBy(story, owner, {
        resource: 'purchase_contract',
        id: purchase,
        action: 'to_entry',
      });
      const { items } = await story.read('warehouse_entry', entry);
      await story.update('dc', 'warehouse_entry', entry, {
        ...{ entry_date: story.day(), inspector: '孙验收', deliver_by: '供方司机', warehouse },
        items: (items as readonly OpenRecord[]).map((item) => ({ id: item['id'], packages: 20 })),
      });
      await story.approve('dc', 'warehouse_entry', { id: entry });
      const issue = await draftBy(story, 'dc', { resource: 'shipment', id: shipment, action: 'to_issue' });
      await story.update('dc', 'warehouse_entry', issue, { warehouse, vehicle_no: '浙B·D1024' });
      await story.approve('dc', 'warehouse_entry', { id: issue });
    },
  },
  {
    resource: 'document_submission',
    state: 'sent',
    of: `select s.id, split_part(o.personid, '.', 1) as owner, s.atd::text as day from shipment s join person o on o.id = s.sales_id
         where s.co_code = $1 and s.status = 'shipped' and s.recv_progress = 'none' and s.lc_id is null and not s.is_deleted
           and not exists (select 1 from document_submission d where d.shipment_id = s.id)
         order by s.atd desc`,
    daysAgo: 3,
    play: async (story, { id: shipment, owner }) => {
      const id = await draftBy(story, owner, { resource: 'shipment', id: shipment, action: 'to_submission' });
      const { docs, invoice_no } = await story.read('document_submission', id);
      const filled: OpenRecord[] = [];
      for (const doc of docs as readonly OpenRecord[]) {
        const file = [
          await story.upload(owner, `${String(doc['doc_kind'])}.pdf`, demoPdf([String(invoice_no)])),
        ];
        filled.push({ id: doc['id'], file, originals: 3 });
      }
      await story.update(owner, 'document_submission', id, { submit_date: story.day(), docs: filled });
      await story.approve(owner, 'document_submission', { id });
      const tracking_no = String(story.roll.between(1_000_000_000, 9_999_999_999));
      await story.update('dc', 'document_submission', id, { courier: 'DHL', tracking_no });
      await story.act('dc', 'document_submission', { id, action: 'send' });
    },
  },
  {
    resource: 'file_archive',
    state: 'borrowed',
    of: `select a.id, 'dc' as owner, p.id as clerk from file_archive a join person p on p.co_code = a.co_code and p.personid like 'fn.%'
         where a.co_code = $1 and a.status = 'archived' order by a.archived_date desc, p.personid`,
    daysAgo: 5,
    play: (story, { id, clerk }, { stage }) =>
      story.act('dc', 'file_archive', {
        id,
        action: 'borrow',
        inputs: { borrower_id: clerk, due_date: addDays(stage.today, 7) },
      }),
  },
  {
    resource: 'letter_of_credit',
    state: 'draft',
    of: `select id, 'dc' as owner from letter_of_credit where co_code = $1 and status = 'examined' order by created_at desc`,
    daysAgo: 1,
    play: async (story, { id }) => {
      const known = await story.read('letter_of_credit', id);
      await story.create('dc', 'letter_of_credit', {
        ...Object.fromEntries(COPIED.map((name) => [name, known[name]])),
        lc_no: `LC26${story.roll.between(100_000, 999_999)}`,
        received_date: story.day(),
      });
    },
  },
  {
    resource: 'letter_of_credit',
    state: 'refused',
    of: inState('letter_of_credit', 'presented', 'dc'),
    daysAgo: 2,
    play: (story, { id }) =>
      story.act('dc', 'letter_of_credit', {
        id,
        action: 'refuse',
        opinion: '开证行提出不符点：装箱单未注明净重',
      }),
  },
  {
    resource: 'letter_of_credit',
    state: 'accepted',
    of: inState('letter_of_credit', 'presented', 'dc'),
    daysAgo: 2,
    play: (story, { id }, { stage }) =>
      story.act('dc', 'letter_of_credit', {
        id,
        action: 'accept',
        inputs: { maturity: addDays(stage.today, 60) },
      }),
  },
  {
    resource: 'goods_invoice',
    state: 'red',
    of: `select id, 'fn' as owner from goods_invoice where co_code = $1 and status in ('verified', 'matched') and not is_deleted
         and (select count(*) from goods_invoice g where g.co_code = $1 and g.status = goods_invoice.status) > 1 order by created_at`,
    daysAgo: 2,
    play: (story, { id }) =>
      story.act('fn', 'goods_invoice', {
        id,
        action: 'red',
        inputs: { red_letter_no: `3302${story.roll.between(10_000_000, 99_999_999)}` },
      }),
  },
  {
    resource: 'shipment_version',
    state: 'superseded',
    of: `select s.id, split_part(o.personid, '.', 1) as owner, s.shipment_no as no from shipment s join person o on o.id = s.sales_id
         join shipment_version v on v.shipment_id = s.id and v.status = 'effective'
         where s.co_code = $1 and s.status in ('shipped', 'approved') and not s.is_deleted
           and not exists (select 1 from project_settlement x where x.shipment_id = s.id and not x.is_deleted)
         order by s.status desc, s.shipment_no desc`,
    daysAgo: 5,
    play: async (story, { id: shipment, owner, no }) => {
      const version = await amendMarks(story, owner, { shipment, marks: `N/M ${no}` });
      await story.approve(owner, 'shipment_version', { id: version });
    },
  },
  ...REFUND_ENDS,
];
