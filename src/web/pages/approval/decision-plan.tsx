import { useState } from 'react';
import { Button } from 'antd';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { PlanPanel } from '../plan/plan-panel.tsx';
import { useDecisionPlan } from '../plan/use-plan.ts';

export interface DecisionPlanProps {
  readonly taskId: string;
  readonly version: unknown;
  /** What was filled in at this level so far. */
  readonly fields: ErpRecord;
}

/** What 同意 will do, beside the bar: who decides next, at the last level all that follows. Folded until it is wanted again. */
export function DecisionPlan({ taskId, version, fields }: DecisionPlanProps) {
  const [isOpen, setOpen] = useState(true);
  const openRecord = useOpenRecord();
  const asked = useDecisionPlan({ taskId, version, fields }, isOpen);
  return (
    <div className="decision-plan">
      <Button
        size="small"
        type="link"
        className="plan-fold"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? '收起' : '将会发生什么'}
      </Button>
      {isOpen && <PlanPanel asked={asked} title="同意后将会发生什么" onOpen={openRecord.byResource} />}
    </div>
  );
}
