import { withoutTags } from '#engine/fields/richtext.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { textOf } from './rule-values.ts';

/** So many words may an article have (spec section 9). */
const MAX_WORDS = 10_000;
const AUDIENCES: Readonly<Record<string, readonly string[]>> = {
  staff: ['staff'],
  partner: ['partner'],
  both: ['staff', 'partner'],
};

/** An article has something to read, and not more than the editor counts. */
async function checkArticle({ record, services }: RuleCall): Promise<readonly FieldProblem[]> {
  const problems: FieldProblem[] = [];
  const words = Array.from(plainText(textOf(record, 'content') ?? '')).length;
  if (words > MAX_WORDS)
    problems.push({
      path: 'content',
      code: 'too_long',
      message: `正文不能超过${MAX_WORDS}字，现有${words}字`,
    });
  const { regions } = services.definitions.setup().files;
  const known = new Set(
    (Array.isArray(regions) ? regions : []).map((entry: unknown) =>
      typeof entry === 'object' && entry !== null ? String(Reflect.get(entry, 'coCode')) : '',
    ),
  );
  const companies: unknown = record['co_codes'];
  const strange = Array.isArray(companies) ? companies.find((code) => !known.has(String(code))) : undefined;
  if (strange !== undefined)
    problems.push({ path: 'co_codes', code: 'unknown', message: `没有编码为“${String(strange)}”的公司` });
  return problems;
}

/** 发布: without a time it is now; readers are told when the time has come. */
async function publishArticle(call: RuleCall): Promise<void> {
  const now = call.services.clock().toISOString();
  const at = textOf(call.record, 'publish_at');
  const isNow = at === null || at <= now;
  await updateRecordFields(call, call.resource.resource, {
    id: String(call.record['id']),
    fields: { publish_at: at ?? now, is_announced: isNow },
    action: 'publish',
  });
  if (isNow) await tellReaders(call);
}

/** The clock tells the readers of an article whose time has come, once. */
async function announceArticle(call: RuleCall): Promise<void> {
  await updateRecordFields(call, call.resource.resource, {
    id: String(call.record['id']),
    fields: { is_announced: true },
    action: 'announce',
  });
  await tellReaders(call);
}

async function tellReaders(call: RuleCall): Promise<void> {
  const { record, tx } = call;
  const audiences = AUDIENCES[textOf(record, 'audience') ?? ''] ?? [];
  const companies: unknown = record['co_codes'];
  const wanted = Array.isArray(companies) && companies.length > 0 ? companies.map(String) : null;
  const readers = await tx.query<{ id: string; co_code: string }>(
    `select id, co_code from person where $1 and status = 'active' and not is_deleted and ($3::text[] is null or co_code = any($3))
       and id <> $4::uuid
     union all
     select a.id, p.co_code from partner__accounts a join partner p on p.id = a.parent_id and p.co_code = a.co_code
     where $2 and a.status = 'active' and p.status = 'active' and not p.is_deleted and ($3::text[] is null or p.co_code = any($3))`,
    [audiences.includes('staff'), audiences.includes('partner'), wanted, call.caller.subject.id],
  );
  const summary = textOf(record, 'summary') ?? plainText(textOf(record, 'content') ?? '').slice(0, 120);
  const about = openSystemCall(call.services, call.caller, call.resource.resource);
  const byCompany = new Map<string, readonly string[]>();
  for (const { id, co_code: company } of readers)
    byCompany.set(company, [...(byCompany.get(company) ?? []), id]);
  for (const [company, to] of byCompany)
    await emitEvent(tx, about, {
      event: 'NEWS_PUBLISHED',
      record: { ...record },
      to,
      company,
      words: { summary },
    });
}

/** The words of sanitised HTML. */
function plainText(html: string): string {
  return withoutTags(html, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The rules of news and help, by the names that the definitions use. */
export const ARTICLE_RULES: RuleSet = {
  checks: {
    check_article: {
      run: checkArticle,
      reads: ['*.content', '*.co_codes'],
      why: 'counts the words of a rich text; companies are a setup file',
    },
  },
  effects: {
    publish_article: {
      run: publishArticle,
      reads: ['news.publish_at', 'news.audience', 'news.co_codes'],
      writes: ['news.publish_at', 'news.is_announced'],
      why: 'tells every reader, whoever that is',
    },
    announce_article: {
      run: announceArticle,
      reads: ['news.audience', 'news.co_codes'],
      writes: ['news.is_announced'],
      why: 'tells every reader, whoever that is',
    },
  },
};
