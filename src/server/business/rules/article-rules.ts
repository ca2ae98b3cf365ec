import { withoutTags } from '#engine/fields/richtext.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { findLinesNamed, findNamed } from '#server/business/find-named.ts';
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

/** Tells the readers of an article, each in the own company. */
async function tellReaders(call: RuleCall): Promise<void> {
  const { record, tx } = call;
  const audiences = AUDIENCES[textOf(record, 'audience') ?? ''] ?? [];
  const codes: unknown = record['co_codes'];
  const companies = Array.isArray(codes) && codes.length > 0 ? codes.map(String) : 'all';
  const staff = audiences.includes('staff')
    ? await findNamed(call, 'person', {
        where: { status: { eq: 'active' }, id: { ne: call.caller.subject.id } },
        fields: ['id', 'co_code'],
        companies,
      })
    : [];
  const accounts = audiences.includes('partner')
    ? await findLinesNamed(call, ['partner', 'accounts'], {
        where: { status: { eq: 'active' }, 'parent.status': { eq: 'active' } },
        fields: ['id', 'parent.co_code'],
        companies,
      })
    : [];
  const readers = [
    ...staff.map((row) => ({ id: String(row.id), company: String(row.co_code) })),
    ...accounts.map((row) => ({ id: String(row.id), company: String(row['parent.co_code']) })),
  ];
  const summary = textOf(record, 'summary') ?? plainText(textOf(record, 'content') ?? '').slice(0, 120);
  const about = openSystemCall(call.services, call.caller, call.resource.resource);
  const byCompany = new Map<string, readonly string[]>();
  for (const { id, company } of readers) byCompany.set(company, [...(byCompany.get(company) ?? []), id]);
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
    tell_readers: {
      run: tellReaders,
      reads: ['news.audience', 'news.co_codes', 'person.status', 'partner.accounts.status'],
      why: 'tells every reader, whoever that is',
    },
  },
};
