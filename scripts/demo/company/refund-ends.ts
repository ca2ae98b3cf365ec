import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { End } from './make-paper-ends.ts';

/** Documents in a state, looked after by the role that does. */
export const inState = (resource: string, state: string, owner: string): string =>
  `select id, '${owner}' as owner from "${resource}" where co_code = $1 and status = '${state}' and not is_deleted order by created_at desc`;
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

/** Refunds that the tax office asks about, refuses or takes back, and one that is none. */
export const REFUND_ENDS: readonly End[] = [
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
