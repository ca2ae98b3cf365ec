import { addDays } from '#engine/values/dates.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { accountNo } from './demo-numbers.ts';
import type { End } from './ends.ts';
import type { Actor } from './staff.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

/** The company's node among its departments. */
const HEAD = `select d.id, 'ad' as owner, d.co_code as company from department d where d.co_code = $1 and d.is_company`;
/** Whoever joins with a password changes it at once. */
const PASSWORD = 'Demo-2026';

/** Among the articles of help. */
const HELP = { category: '对账', audience: 'both', sort_no: 900 } as const;

/** An account of the company's own that is asked for and not in force; the id of the change. */
async function proposeAccount({ refs }: World, story: Story, values: OpenRecord): Promise<string> {
  return story.propose('fn', 'company_bank_account', {
    ...{
      account_name: 'NINGBO BRANCH OFFICE',
      account_no: accountNo(story.roll, '8110', 17),
      account_kind: 'fx',
    },
    ...{
      bank_id: refs.of('bank_name', '中国银行'),
      swift: 'BKCHCNBJ',
      currency: 'USD',
      show_to_partner: false,
    },
    bank_address: 'NO. 139 YAOHANG STREET, NINGBO, CHINA',
    ...values,
  });
}

/** Something new that is ended again. */
async function endAgain(story: Story, actor: Actor, resource: string, values: OpenRecord): Promise<void> {
  const { id } = await story.create(actor, resource, values);
  await story.act(actor, resource, { id: String(id), action: 'disable', opinion: '不再使用' });
}

/** What of the office is no longer in force or never was, and tasks that others were given or that nobody needs to do. */
export const OFFICE_ENDS: readonly End[] = [
  {
    resource: 'setting_change',
    state: 'rejected',
    daysAgo: 40,
    play: async (story, _found, world) =>
      story.reject(
        'setting_change',
        await proposeAccount(world, story, {}),
        '账号与开户许可证不一致，请核对后重新提交',
      ),
  },
  {
    resource: 'setting_change',
    state: 'pending',
    daysAgo: 1,
    play: (story, _found, world) =>
      proposeAccount(world, story, { currency: 'EUR', account_name: 'NINGBO BRANCH OFFICE (EUR)' }),
  },
  {
    resource: 'setting_change',
    state: 'withdrawn',
    of: `select r.id, '' as owner from role r where r.code = 'GM' and $1 <> ''`,
    daysAgo: 70,
    play: async (story, { id: role_id }, { stage }) => {
      const change = await story.propose('ad', 'approval_flow', {
        ...{ name: '大额测算加签', resource: 'estimate', co_code: stage.company, priority: 90 },
        levels: [
          {
            level_no: 1,
            title: '总经理审核',
            approver_kind: 'role',
            role_id,
            mode: 'any',
            skip_if_same: true,
          },
        ],
      });
      await story.withdraw('ad', 'setting_change', { id: change, opinion: '改由原流程审核' });
    },
  },
  {
    resource: 'approval_task',
    state: 'delegated',
    of: `select id, '' as owner from purchase_contract where co_code = $1 and status = 'pending' and not is_deleted order by created_at desc`,
    daysAgo: 1,
    play: (story, { id }, { stage }) =>
      story.handOn('purchase_contract', id, {
        id: stage.personId(stage.has('tm2') ? 'tm2' : 'gm'),
        opinion: '出差期间请代为审核',
      }),
  },
  {
    resource: 'purchase_contract',
    state: 'terminated',
    of: `select p.id, '' as owner from purchase_contract p
         where p.co_code = $1 and p.status in ('signed', 'executing') and not p.is_deleted
           and coalesce(p.stock_total, 0) = 0 and coalesce(p.advance_paid, 0) = 0
           and not exists (select 1 from shipment__items i where i.purchase_contract_id = p.id)
         order by p.created_at desc`,
    daysAgo: 1,
    play: (story, { id }) =>
      story.act('tm', 'purchase_contract', {
        id,
        action: 'terminate',
        opinion: '供方停产，双方同意终止',
      }),
  },
  {
    resource: 'department',
    state: 'disabled',
    of: HEAD,
    daysAgo: 300,
    play: (story, { id, company = '' }) =>
      endAgain(story, 'ad', 'department', {
        ...{
          code: `${company}09`,
          name: '跨境电商部',
          co_code: company,
          parent_id: id,
          is_company: false,
          sort_no: 90,
        },
      }),
  },
  {
    resource: 'person',
    state: 'disabled',
    of: `select d.id, r.id as role, d.co_code as company, 'ad' as owner from department d, role r
         where d.co_code = $1 and not d.is_company and d.status = 'active' and r.code = 'SP' order by d.code`,
    daysAgo: 200,
    play: (story, { id, role, company = '' }) =>
      endAgain(story, 'ad', 'person', {
        ...{
          personid: `xs.${company.toLowerCase()}`,
          name: '方实习',
          mobile: '13800010099',
          dept_id: id,
          position: '实习业务员',
        },
        ...{ role_ids: [role], default_role_id: role, password: PASSWORD, entry_date: story.day() },
      }),
  },
  {
    resource: 'role',
    state: 'disabled',
    daysAgo: 250,
    play: (story) =>
      endAgain(story, 'group', 'role', {
        code: 'AUDITOR',
        name: '外部审计',
        row_scope: 'company',
        can_represent: false,
      }),
  },
  {
    resource: 'dictionary',
    state: 'disabled',
    daysAgo: 120,
    play: (story) =>
      endAgain(story, 'group', 'dictionary', {
        ...{ name: 'fair_name', label: '展会' },
        items: ['广交会', '华交会'].map((label, place) => ({
          value: `f${place + 1}`,
          label,
          sort_no: place + 1,
        })),
      }),
  },
  {
    resource: 'news',
    state: 'draft',
    daysAgo: 1,
    play: (story) =>
      story.create('group', 'news', {
        ...{ title: '春节放假与值班安排', category: '公告', audience: 'staff' },
        content: '<p>放假时间待定，请各部门先报值班名单。</p>',
      }),
  },
  {
    resource: 'news',
    state: 'withdrawn',
    daysAgo: 15,
    play: async (story, _found, { stage }) => {
      const { id } = await story.create('group', 'news', {
        ...{ title: '关于系统停机维护的通知', category: '公告', audience: 'staff' },
        content: '<p>周末停机维护，改期后另行通知。</p>',
        // Nobody is told of what is taken back before its day.
        publish_at: `${addDays(stage.today, 30)}T01:00:00.000Z`,
      });
      await story.act('group', 'news', { id: String(id), action: 'publish' });
      await story.act('group', 'news', { id: String(id), action: 'take_down' });
    },
  },
  {
    resource: 'help_article',
    state: 'draft',
    daysAgo: 2,
    play: (story) =>
      story.create('group', 'help_article', {
        ...HELP,
        title: '年度对账函怎么发',
        content: '<p>待补充。</p>',
      }),
  },
  {
    resource: 'help_article',
    state: 'withdrawn',
    daysAgo: 90,
    play: async (story) => {
      const { id } = await story.create('group', 'help_article', {
        ...{ ...HELP, title: '纸质单据的交接' },
        content: '<p>纸质单据改为扫描上传，本文不再适用。</p>',
      });
      await story.act('group', 'help_article', { id: String(id), action: 'publish' });
      await story.act('group', 'help_article', { id: String(id), action: 'take_down' });
    },
  },
];
