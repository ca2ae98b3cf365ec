import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { demoPdf } from './demo-files.ts';
import { type End, inState } from './ends.ts';
import type { Story } from './story.ts';

const ACCOUNT = `(select a.id from company_bank_account a where a.co_code = t.co_code and a.currency = 'CNY' and a.status = 'active' order by a.account_no limit 1)`;

/** The tax office asks about an invoice of a refund, and the answer. */
function asked(state: 'normal' | 'abnormal', refund: string): End {
  return {
    resource: 'refund_letter',
    state,
    of: `select g.id, 'fn' as owner, g.supplier_id as supplier from tax_refund r join tax_refund__items i on i.parent_id = r.id
         join goods_invoice g on g.id = i.goods_invoice_id
         where r.co_code = $1 and r.status = '${refund}' and g.status in ('declared', 'refunded')
           and not exists (select 1 from refund_letter__lines l where l.goods_invoice_id = g.id)
         order by r.declared_date desc`,
    daysAgo: 60,
    play: async (story, { id, supplier }) => {
      const letter = await story.create('fn', 'refund_letter', {
        supplier_id: supplier,
        tax_letter_no: `甬税函〔2026〕${story.roll.between(100, 999)}号`,
        tax_authority: '国家税务总局宁波市税务局',
        reply_authority: '供应商所在地税务局',
        sent_date: story.day(),
        lines: [{ goods_invoice_id: id }],
      });
      story.wait(35);
      const [line] = letter['lines'] as readonly OpenRecord[];
      const isFine = state === 'normal';
      await story.act('fn', 'refund_letter', {
        id: String(letter['id']),
        action: isFine ? 'reply_normal' : 'reply_abnormal',
        inputs: {
          reply_date: story.day(),
          result_note: isFine ? '业务真实，货款与运输凭证齐全' : '供应商走逃失联，进项来源无法核实',
          ...(isFine ? {} : { changes: { lines: [{ id: line?.['id'], conclusion: '异常' }] } }),
        },
      });
    },
  };
}

/** The company that has few shipments would have many of them late. */
const MANY = `(select count(*) from shipment c where c.co_code = $1) > 100`;
/** What a buyer gets back for faulty goods, in his currency. */
const CLAIMED = '300.00';

/** A buyer gets a part of the price back long after the refund: the proceeds are no longer all there, and their day is over. */
const returned: End = {
  resource: 'tax_refund',
  state: 'receipt_hold',
  of: `select t.id, 'fn' as owner, sp.id as split, l.id as line, sp.receipt_id as receipt, r.payer_name as payer,
         round(sp.book_rate * 1.004, 4)::text as rate, ${ACCOUNT} as account
       from tax_refund t join shipment s on s.id = t.shipment_id join receipt_split__lines l on l.shipment_id = s.id and l.settle_mode = 'spot'
         join receipt_split sp on sp.id = l.parent_id and sp.status = 'posted' join receipt r on r.id = sp.receipt_id
         join fund_pool f on f.partner_id = s.partner_id and f.account_kind = 'general' and f.available > 20000
       where t.co_code = $1 and t.status = 'received' and t.receipt_deadline < current_date and s.status = 'shipped' and s.pool_sum > 5000
         and s.currency <> 'JPY' and s.recv_progress in ('full', 'over') and s.received_amount - s.total_amount < 100 and ${MANY}
         and not exists (select 1 from project_settlement x where x.shipment_id = s.id and not x.is_deleted)
         and not exists (select 1 from partner__accounts a where a.parent_id = s.partner_id and a.mobile like '1390000000%')
       order by t.export_date desc, l.amount desc`,
  daysAgo: 4,
  play: (story, { split, line, receipt, payer, rate, account }) =>
    sendBack(story, {
      values: {
        ...{
          receipt_id: receipt,
          source_kind: 'pool',
          split_id: split,
          split_line: line,
          rate,
          amount: CLAIMED,
        },
        ...{ reason_kind: '质量索赔', reason: '部分货物有色差，经协商退还部分货款', payee_name: payer },
        ...{
          declared_flag: true,
          refund_action: '无需',
          registration_no: `TH${story.roll.between(100_000, 999_999)}`,
        },
      },
      paid: { bank_account_id: account, actual_cny: (Number(CLAIMED) * Number(rate)).toFixed(2) },
    }),
};

/** Money that came to the wrong company, all of it sent back. */
const mistaken: End = {
  resource: 'receipt',
  state: 'returned',
  of: `select a.id, 'fn' as owner, (select r.payer_country_id from receipt r where r.co_code = $1 and r.payer_country_id is not null limit 1) as country
       from company_bank_account a where a.co_code = $1 and a.currency = 'USD' and a.status = 'active' order by a.account_no`,
  daysAgo: 25,
  play: async (story, { id: account, country }) => {
    const [payer, amount] = ['BALTIC TOOLS OY', '180.00'];
    const receipt = await story.create('fn', 'receipt', {
      ...{ bank_account_id: account, currency: 'USD', value_date: story.day(), gross_amount: amount },
      ...{ payer_name: payer, payer_country_id: country },
      bank_ref: `BT${story.roll.between(100_000_000, 999_999_999)}`,
    });
    await sendBack(story, {
      values: {
        ...{ receipt_id: receipt['id'], source_kind: 'unsplit', amount, payee_name: payer },
        ...{ reason_kind: '误汇', reason: '付款人汇错收款人' },
      },
      paid: { bank_account_id: account },
    });
  },
};

/** A transfer to a buyer, from its draft to the bank's word that it has gone. */
async function sendBack(
  story: Story,
  { values, paid }: { readonly values: OpenRecord; readonly paid: OpenRecord },
): Promise<void> {
  const made = await story.create('fn', 'remittance_return', {
    ...{ payee_account: 'DE89370400440532013000', payee_bank: 'DEUTSCHE BANK AG', swift: 'DEUTDEFF' },
    agreement_file: [await story.upload('fn', '退款协议.pdf', demoPdf(['AGREEMENT ON THE RETURN OF FUNDS']))],
    ...values,
  });
  const id = String(made['id']);
  await story.approve('fn', 'remittance_return', { id });
  const bank_ref = `RT${story.roll.between(100_000_000, 999_999_999)}`;
  const inputs = { ...paid, paid_date: story.day(), bank_ref };
  await story.act('tr', 'remittance_return', { id, action: 'confirm', inputs });
}

/** Refunds that the tax office asks about, refuses or takes back, and one that is none. */
export const REFUND_ENDS: readonly End[] = [
  mistaken,
  returned,
  asked('normal', 'approved'),
  asked('abnormal', 'received'),
  {
    resource: 'tax_refund',
    state: 'clawback',
    of: `select t.id, 'fn' as owner, t.net_received as amount, ${ACCOUNT} as account from tax_refund t
         where t.co_code = $1 and t.status = 'received' and t.letters_abnormal > 0`,
    daysAgo: 10,
    play: (story, { id, amount, account }) =>
      story.approve('fn', 'tax_refund', {
        id,
        action: 'clawback',
        opinion: '供应商被认定为走逃企业，税务机关追回已退税款',
        inputs: { clawback_amount: amount, clawback_date: story.day(), clawback_account_id: account },
      }),
  },
  {
    resource: 'tax_refund',
    state: 'rejected',
    of: inState('tax_refund', 'declared', 'fn'),
    daysAgo: 1,
    play: (story, { id }) =>
      story.act('fn', 'tax_refund', {
        id,
        action: 'reject',
        inputs: { reject_reason: '进货凭证与出口货物名称不符' },
      }),
  },
  {
    resource: 'tax_refund',
    state: 'deemed',
    of: `select t.id, 'fn' as owner from tax_refund t where t.co_code = $1 and t.status = 'collecting' order by t.export_date, t.refund_no`,
    daysAgo: 20,
    play: (story, { id }) =>
      story.approve('fn', 'tax_refund', {
        id,
        action: 'deem',
        opinion: '供应商无法补开专用发票，作视同内销处理',
      }),
  },
];
