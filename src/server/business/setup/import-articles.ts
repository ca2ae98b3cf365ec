import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { insertRecord, runSystemAction } from '#server/records/write/system-write.ts';
import type { Services } from '#server/records/services.ts';

const HELP = 'help_article';
const NEWS = 'news';

interface HelpFile {
  readonly title: string;
  readonly category: string;
  readonly audience: string;
  readonly sort_no: number;
  readonly content: string;
}

/** The help that ships (reference-data/help-articles.json), published; nothing when there are articles already. */
export async function importHelp(services: Services): Promise<void> {
  if (services.definitions.catalog().resources[HELP] === undefined) return;
  const path = join(services.config.resourcesDir, 'reference-data', 'help-articles.json');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return;
  const articles = JSON.parse(text) as readonly HelpFile[];
  await services.db.transaction(async (tx) => {
    const [known] = await tx.query('select 1 from help_article limit 1');
    if (known !== undefined) return;
    const context = { tx, services, caller: systemCaller(services, '') };
    for (const article of articles)
      await insertRecord(context, HELP, { ...article, status: 'published', read_count: 0 });
  });
}

const DEMO_NEWS = [
  {
    title: '关于年末出运高峰安排的通知',
    category: '公告',
    audience: 'both',
    top: true,
    content:
      '<p>各部门、各位客户：</p><p>年末舱位紧张，单证组周末安排值班。请业务员提前确认以下事项：</p><ol><li>年内出运的明细单须于截关前两个工作日审核通过；</li><li>买断出口的货款发票请尽快登记并查验；</li><li>需要投保的 O/A、D/P 业务，请在出运前完成投保申请。</li></ol><p>值班电话见首页页脚。</p>',
  },
  {
    title: '出口退税申报截止日期提醒',
    category: '政策法规',
    audience: 'staff',
    top: false,
    content:
      '<p>上年度出口货物的退税申报，应在次年4月增值税纳税申报期截止之日前收汇并申报。</p><table><tbody><tr><th>事项</th><th>期限</th></tr><tr><td>收汇</td><td>次年4月申报期截止前</td></tr><tr><td>单证备案</td><td>申报退税后15日内，保存5年</td></tr></tbody></table>',
  },
  {
    title: '本月记账汇率已更新',
    category: '汇率信息',
    audience: 'both',
    top: false,
    content: '<p>本月记账汇率已发布，请在「基础资料 / 币种」中查看。已审核的单据不受影响。</p>',
  },
] as const;

/** Some published news of the demo company. */
export async function makeDemoNews(services: Services): Promise<void> {
  if (services.definitions.catalog().resources[NEWS] === undefined) return;
  await services.db.transaction(async (tx) => {
    const [known] = await tx.query('select 1 from news limit 1');
    if (known !== undefined) return;
    const context = { tx, services, caller: systemCaller(services, 'AA') };
    for (const article of DEMO_NEWS) {
      const made = await insertRecord(context, NEWS, { ...article });
      await runSystemAction(context, NEWS, { id: String(made['id']), action: 'publish' });
    }
  });
}
