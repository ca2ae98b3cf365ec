import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runClockActions } from '#server/workflow/jobs/day-end.ts';
import { type Fields, type RulesExample, startRulesExample } from './rules-example.ts';

let rules: RulesExample;
let serial = 0;

beforeAll(async () => {
  rules = await startRulesExample({
    'ad.aa': 'AD',
    'tm.aa': 'TM',
    'sp.aa': 'SP',
    'sp.ae': 'SP',
    'fn.aa': 'FN',
  });
}, 600_000);
afterAll(() => rules.example.close());

async function anArticle(changes: Fields = {}, who = 'ad.aa'): Promise<string> {
  serial += 1;
  const made = await rules.as(who, 'POST', '/data/news', {
    title: `第${serial}号通知`,
    category: '公告',
    content: '<p>国庆期间照常出运。</p>',
    audience: 'staff',
    ...changes,
  });
  expect([made.status, made.problems]).toEqual([200, []]);
  return String(made.data['id']);
}

const publish = (id: string, who = 'ad.aa') => rules.act(who, 'news', id, 'publish');

async function sees(who: string, id: string): Promise<readonly boolean[]> {
  const one = await rules.as(who, 'GET', `/data/news/${id}`);
  const list = await rules.as(who, 'POST', '/data/news/query', { filters: { id: { eq: id } } });
  const records = list.data['records'] as unknown as readonly unknown[];
  return [one.status === 200, records.length === 1];
}

async function toldOf(id: string): Promise<readonly string[]> {
  const rows = await rules.example.services.db.query<{ who: string }>(
    `select coalesce(p.personid, 'account') as who from sys_notice n left join person p on p.id = n.person_id
     where n.event = 'NEWS_PUBLISHED' and n.record_id = $1::uuid order by 1`,
    [id],
  );
  return rows.map(({ who }) => who);
}

describe('news', () => {
  it('are read when they are published, and not before nor after', async () => {
    const id = await anArticle();
    expect(await sees('sp.aa', id)).toEqual([false, false]);
    expect((await publish(id)).status).toBe(200);
    expect(await sees('sp.aa', id)).toEqual([true, true]);
    expect(await toldOf(id)).toEqual(expect.arrayContaining(['sp.aa', 'sp.ae', 'fn.aa']));
    expect(await toldOf(id)).not.toContain('ad.aa');
    expect((await rules.act('ad.aa', 'news', id, 'take_down')).status).toBe(200);
    expect(await sees('sp.aa', id)).toEqual([false, false]);
    expect(await sees('tm.aa', id)).toEqual([true, true]);
  });

  it('come at their hour, with one notice', async () => {
    const id = await anArticle({ publish_at: new Date(Date.now() + 3_600_000).toISOString() });
    await publish(id);
    expect(await sees('sp.aa', id)).toEqual([false, false]);
    expect(await toldOf(id)).toEqual([]);
    await rules.example.services.db.execute(
      `update news set publish_at = now() - interval '1 minute' where id = $1::uuid`,
      [id],
    );
    expect(await sees('sp.aa', id)).toEqual([true, true]);
    await Promise.all([
      runClockActions(rules.example.services, 'often'),
      runClockActions(rules.example.services, 'often'),
    ]);
    expect((await toldOf(id)).filter((who) => who === 'sp.aa')).toHaveLength(1);
    const gone = await anArticle({ expire_at: new Date(Date.now() + 3_600_000).toISOString() });
    await publish(gone);
    await rules.example.services.db.execute(
      `update news set expire_at = now() - interval '1 minute' where id = $1::uuid`,
      [gone],
    );
    expect(await sees('sp.aa', gone)).toEqual([false, false]);
  });

  it('reach only their readers', async () => {
    const own = await anArticle({ co_codes: ['AA'] });
    await publish(own);
    expect(await sees('sp.aa', own)).toEqual([true, true]);
    expect(await sees('sp.ae', own)).toEqual([false, false]);
    expect(await toldOf(own)).not.toContain('sp.ae');
    const partners = await anArticle({ audience: 'partner' });
    await rules.aPartner({ accounts: [{ mobile: '13900009999', name: '王', status: 'active' }] });
    await publish(partners);
    expect(await sees('sp.aa', partners)).toEqual([false, false]);
    expect(await toldOf(partners)).toContain('account');
    expect(await toldOf(partners)).not.toContain('sp.aa');
  });

  it('count a reader once, however often and at once he reads', async () => {
    const id = await anArticle();
    expect((await rules.as('sp.aa', 'POST', `/data/news/${id}/read`, {})).status).toBe(404);
    await publish(id);
    await Promise.all(
      Array.from({ length: 6 }, () => rules.as('sp.aa', 'POST', `/data/news/${id}/read`, {})),
    );
    await rules.as('fn.aa', 'POST', `/data/news/${id}/read`, {});
    expect((await rules.stored('news', id))['read_count']).toBe('2');
    const marks = await rules.as('sp.aa', 'POST', '/data/news/reads', { ids: [id, 'x'] });
    expect(marks.data).toEqual([id]);
    expect((await rules.as('sp.aa', 'POST', '/data/buyer/reads', { ids: [] })).status).toBe(200);
  });

  it.each<readonly [Fields, string, string]>([
    [{ title: '' }, 'title', ''],
    [{ category: '八卦' }, 'category', '栏目：不在可选范围内'],
    [{ audience: 'all' }, 'audience', '可见对象：不在可选范围内'],
    [{ co_codes: ['AA', 'ZZ'] }, 'co_codes', '没有编码为“ZZ”的公司'],
    [{ content: `<p>${'字'.repeat(10_001)}</p>` }, 'content', '正文不能超过10000字，现有10001字'],
    [
      { publish_at: '2026-05-02T00:00:00Z', expire_at: '2026-05-01T00:00:00Z' },
      'expire_at',
      '失效时间须晚于发布时间',
    ],
    [{ title: 'x'.repeat(101) }, 'title', '100'],
  ])('with %j are refused at %s', async (changes, path, message) => {
    const body = { title: '题', category: '公告', content: '<p>文</p>', audience: 'staff', ...changes };
    const made = await rules.as('ad.aa', 'POST', '/data/news', body);
    const refused = made.status === 200 ? await publish(String(made.data['id'])) : made;
    expect(refused.status).toBe(400);
    expect(refused.problems.find((problem) => problem.path === path)?.message).toContain(message);
  });

  it('are written by trade management for the own company, by the group administrator for all', async () => {
    const own = await anArticle({ co_codes: [] }, 'tm.aa');
    expect((await rules.stored('news', own))['co_codes']).toEqual(['AA']);
    expect((await publish(own, 'tm.aa')).status).toBe(200);
    expect(await sees('sp.ae', own)).toEqual([false, false]);
    const both = await anArticle({ co_codes: ['AA', 'AE'] });
    const all = await anArticle();
    const news = { title: '题', category: '公告', content: '<p>文</p>', audience: 'staff' };
    for (const refused of [
      await rules.as('tm.aa', 'POST', '/data/news', { ...news, co_codes: ['AE'] }),
      await rules.as('tm.aa', 'POST', '/data/news', { ...news, co_codes: ['AA', 'AE'] }),
      await rules.as('tm.aa', 'PATCH', `/data/news/${own}`, { version: 2, co_codes: ['AE'] }),
      await rules.as('tm.aa', 'PATCH', `/data/news/${both}`, { version: 1, title: '改' }),
      await rules.as('tm.aa', 'PATCH', `/data/news/${all}`, { version: 1, title: '改' }),
      await publish(both, 'tm.aa'),
      await publish(all, 'tm.aa'),
    ])
      expect(refused.status).toBeGreaterThanOrEqual(400);
  });

  it('are written by trade management and administrators only, without scripts', async () => {
    expect((await rules.as('sp.aa', 'POST', '/data/news', { title: '题' })).status).toBe(403);
    const id = await anArticle({ content: '<p onclick="x()">a<script>1</script></p>' });
    expect(String((await rules.stored('news', id))['content'])).not.toMatch(/script|onclick/);
    await publish(id);
    const { version } = await rules.stored('news', id);
    expect(
      (await rules.as('sp.aa', 'PATCH', `/data/news/${id}`, { title: '改', version: Number(version) }))
        .status,
    ).toBe(403);
  });
});

describe('help articles', () => {
  it('are read by whom they are for', async () => {
    const make = async (audience: string): Promise<string> => {
      const made = await rules.as('ad.aa', 'POST', '/data/help_article', {
        title: `帮助 ${audience}`,
        category: '测试',
        content: '<p>文</p>',
        audience,
      });
      const id = String(made.data['id']);
      expect((await rules.act('ad.aa', 'help_article', id, 'publish')).status).toBe(200);
      return id;
    };
    const [staff, partner] = [await make('staff'), await make('partner')];
    expect((await rules.as('sp.aa', 'GET', `/data/help_article/${staff}`)).status).toBe(200);
    expect((await rules.as('sp.aa', 'GET', `/data/help_article/${partner}`)).status).toBe(404);
    expect((await rules.as('tm.aa', 'POST', '/data/help_article', {})).status).toBe(403);
  });
});
