import type { Plan } from '#contract/plan.ts';
import type { ReactNode } from 'react';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { changeText } from '../details/history-row.ts';
import { amountText } from './figure-text.ts';
import { LimitList } from './limit-list.tsx';
import { MadeForm } from './made-form.tsx';
import { PlanMoney } from './plan-money.tsx';
import { ProblemList } from './problem-list.tsx';
import { type OpenRecordAt, RecordLink } from './record-link.tsx';

export interface PlanViewProps {
  readonly plan: Plan;
  readonly onOpen: OpenRecordAt;
  /** Problems that are shown elsewhere already: at their inputs. */
  readonly isShownElsewhere?: (problem: FieldProblem) => boolean;
}

/** 将会发生什么: what refuses it or warns first, then limits, records, documents and money, as sentences and small tables. */
export function PlanView({ plan, onOpen, isShownElsewhere = () => false }: PlanViewProps) {
  const problems = plan.problems.filter((problem) => !isShownElsewhere(problem));
  const own = plan.moved.find(({ isOwn }) => isOwn);
  const others = plan.moved.filter(({ isOwn }) => !isOwn);
  return (
    <div className="plan">
      <ProblemList problems={problems} onOpen={onOpen} />
      {!plan.isRefused && (
        <ul className="plan-sentences">
          {own !== undefined && (
            <li>
              本单据状态 {own.from} → <b>{own.to}</b>
            </li>
          )}
          {plan.next !== null && (
            <li>
              交由“{plan.next.title}”审核：<b>{plan.next.persons.join('、')}</b>
            </li>
          )}
          {own === undefined && plan.next === null && isQuiet(plan) && <li>不影响其他单据</li>}
        </ul>
      )}
      {plan.made.length > 0 && (
        <Part title="生成单据">
          {plan.made.map((made, place) => (
            // Documents that are not there yet have no id.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={place}>
              <b>{made.title}</b>
              {made.label !== null && <> {made.label}</>}
              {made.state !== '' && <small>{made.state}</small>}
              {made.amount !== null && (
                <span className="plan-amount">
                  {amountText(made.amount, made.currency)} <small>{made.currency}</small>
                </span>
              )}
              {made.lines !== null && <small>{made.lines} 行</small>}
              {made.form !== null && <MadeForm resource={made.resource} form={made.form} />}
            </li>
          ))}
        </Part>
      )}
      {others.length > 0 && (
        <Part title="同时变动">
          {others.map((moved) => (
            <li key={`${moved.resource}-${moved.id ?? ''}`}>
              {moved.title} <RecordLink {...moved} onOpen={onOpen} />
              <span className="plan-states">
                {moved.from} → <b>{moved.to}</b>
              </span>
              {moved.action !== moved.to && <small>{moved.action}</small>}
            </li>
          ))}
        </Part>
      )}
      {plan.changed.length > 0 && (
        <Part title="同时修改">
          {plan.changed.map((changed) => (
            <li key={`${changed.resource}-${changed.id ?? ''}`}>
              {changed.title} <RecordLink {...changed} onOpen={onOpen} />
              <ChangeTable changes={changed.changes} />
            </li>
          ))}
        </Part>
      )}
      <PlanMoney plan={plan} onOpen={onOpen} />
      {plan.limits.length > 0 && (
        <section>
          <h3>额度与上限</h3>
          <LimitList limits={plan.limits} onOpen={onOpen} />
        </section>
      )}
      <Unseen unseen={plan.unseen} />
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul className="plan-records">{children}</ul>
    </section>
  );
}

/** Whole lines that come or go are told as such. */
function ChangeTable({ changes }: { readonly changes: Plan['changed'][number]['changes'] }) {
  return (
    <table className="history-changes">
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <th>{change.title}</th>
            <td className="old">{sideText(change['old'])}</td>
            <td className="new">{sideText(change['new'])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function sideText(value: unknown): string {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? '（整行）'
    : changeText(value);
}

const UNSEEN_TITLES: Readonly<Record<keyof Plan['unseen'], string>> = {
  made: '张将生成的单据',
  moved: '张将变动状态的单据',
  changed: '条将修改的记录',
  entries: '条分录',
  holds: '笔冻结',
  vouchers: '张凭证',
  limits: '项上限',
};

function Unseen({ unseen }: { readonly unseen: Plan['unseen'] }) {
  const told = Object.entries(UNSEEN_TITLES).flatMap(([kind, title]) => {
    const count = Object.entries(unseen).find(([name]) => name === kind)?.[1] ?? 0;
    return count === 0 ? [] : [`${count} ${title}`];
  });
  return told.length === 0 ? null : <p className="plan-unseen">另有{told.join('、')}，未列出或无权查看</p>;
}

/** Nothing is told but, maybe, the record's own state. */
export function isQuiet(plan: Plan): boolean {
  const { made, changed, entries, holds, vouchers, limits, problems, unseen } = plan;
  const lists = [made, changed, entries, holds, vouchers, limits, problems];
  const others = plan.moved.filter(({ isOwn }) => !isOwn);
  return (
    [...lists, others].every((list) => list.length === 0) &&
    Object.values(unseen).every((count) => count === 0)
  );
}
