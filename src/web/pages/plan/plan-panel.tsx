import { Button, Skeleton } from 'antd';
import { ApprovalLevels } from '../form/approval-levels.tsx';
import type { AskedPlan } from './use-plan.ts';
import { PlanView, type PlanViewProps } from './plan-view.tsx';

export interface PlanPanelProps extends Omit<PlanViewProps, 'plan'> {
  readonly asked: AskedPlan;
  readonly title?: string;
}

/** 将会发生什么, while it is asked for, and where it cannot be said. It never stands in the way of the action. */
export function PlanPanel({ asked, title = '将会发生什么', ...view }: PlanPanelProps) {
  const { plan, approval, fault, isAsking, reload } = asked;
  return (
    <section className="plan-panel" aria-label={title} aria-busy={isAsking}>
      <h2>
        {title}
        {isAsking && plan !== null && <small>更新中…</small>}
      </h2>
      {plan === null && fault === null && (
        <Skeleton active title={false} paragraph={{ rows: 2, width: ['60%', '40%'] }} />
      )}
      {fault !== null && (
        <p className="plan-fault">
          {fault}{' '}
          <Button size="small" type="link" onClick={reload}>
            重试
          </Button>
        </p>
      )}
      {plan !== null && fault === null && <PlanView plan={plan} {...view} />}
      {plan?.isRefused === false && approval !== null && approval.levels.length > 0 && (
        <div className="plan">
          <h3>依次由以下人员审核</h3>
          <ApprovalLevels approval={approval} />
        </div>
      )}
    </section>
  );
}
