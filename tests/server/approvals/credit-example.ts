import { expect } from 'vitest';
import type { Answer } from '../trade/trade-example.ts';
import { type Fields, must, type RulesExample } from '../rules/rules-example.ts';

/** The date so many days from now, on the company's clock. */
export function day(offset: number): string {
  const instant = new Date(Date.now() + offset * 86_400_000);
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(instant);
}

/** What risk control fills in. */
export const RESULT = { score: 80, approved_amount: '300000.00' } as const;

/** An application for a new line of 400,000 CNY. */
export function application(partner: string, changes: Fields = {}): Fields {
  return {
    partner_id: partner,
    purpose: 'shipment_risk',
    apply_kind: 'new',
    apply_amount: '400000.00',
    valid_from: day(0),
    valid_to: day(300),
    guarantee_kind: '信用',
    this_year_plan: '1000000.00',
    main_buyers: '美国某公司，T/T 60 天',
    reason: '旺季备货',
    ...changes,
  };
}

/** Applications and lines of credit in a few words. Needs `sp.aa` and whoever approves signed in. */
export interface CreditExample {
  /** A submitted application. */
  readonly submitted: (partner: string, changes?: Fields) => Promise<string>;
  readonly approve: (who: string, id: string, fields?: Fields) => Promise<Answer>;
  /** A line granted by risk control alone. */
  readonly granted: (partner: string, changes?: Fields, result?: Fields) => Promise<void>;
  /** What saving and submitting an application says, each null when it passed. */
  readonly wish: (partner: string, changes: Fields) => Promise<readonly (string | null)[]>;
  readonly linesOf: (partner: string) => Promise<readonly Fields[]>;
}

export function creditExample(rules: RulesExample): CreditExample {
  const { as, act, example } = rules;
  const KEY = 'credit_line_application';
  const made = (partner: string, changes: Fields) =>
    as('sp.aa', 'POST', `/data/${KEY}`, application(partner, changes));
  const credit: CreditExample = {
    submitted: async (partner, changes = {}) => {
      const { id } = await must(made(partner, changes));
      await must(act('sp.aa', KEY, String(id), 'submit'));
      return String(id);
    },
    approve: async (who, id, fields) => {
      const [task] = await example.services.db.query<{ id: string }>(
        `select id from approval_task where record_id::text = $1 and status = 'pending' order by level_no limit 1`,
        [id],
      );
      const { version } = await rules.stored(KEY, id);
      return as(who, 'POST', `/approval/${task?.id ?? 'none'}/approve`, {
        version: Number(version),
        opinion: '同意',
        ...(fields === undefined ? {} : { fields }),
      });
    },
    granted: async (partner, changes = {}, result = RESULT) => {
      await must(credit.approve('rk.aa', await credit.submitted(partner, changes), result));
    },
    wish: async (partner, changes) => {
      const saved = await made(partner, changes);
      if (saved.status !== 200) return [told(saved), null];
      return [null, told(await act('sp.aa', KEY, String(saved.data['id']), 'submit'))];
    },
    linesOf: (partner) =>
      example.services.db.query(
        `select status, amount::text as amount, used::text as used, available::text as available, valid_to::text as valid_to
         from credit_line where partner_id = $1::uuid order by created_at`,
        [partner],
      ),
  };
  return credit;
}

/** The field and the message of a refusal with one problem, null when nothing was refused. */
export function told({ status, msg, problems }: Answer): string | null {
  if (status === 200) return null;
  expect(status).toBeLessThan(500);
  const [problem] = problems;
  return problem === undefined ? msg : `${problem.path}: ${problem.message}`;
}
