import { useEffect } from 'react';
import type { Plan } from '#contract/plan.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { PlanPanel } from '../plan/plan-panel.tsx';
import type { OpenRecordAt } from '../plan/record-link.tsx';
import { useActionPlan } from '../plan/use-plan.ts';

export interface ActionPlanProps {
  readonly resource: string;
  readonly action: string;
  readonly record: ErpRecord;
  readonly inputs: ErpRecord;
  /** True for the path of a problem that stands at an input of the dialog. */
  readonly isInput: (path: string) => boolean;
  /** What already stands at the inputs. */
  readonly told: ReadonlySet<string>;
  readonly onOpen: OpenRecordAt;
  /** The record has become another since it was read. */
  readonly onCurrent: (current: ErpRecord) => void;
}

/** 将会发生什么 in the dialog of an action. What is not filled in yet is no fault: it is told once all is there. */
export function ActionPlan(props: ActionPlanProps) {
  const { resource, action, record, inputs, isInput, told, onOpen, onCurrent } = props;
  const definition = usePageResource(resource);
  // Customers who may only act on a record are not told what that does in the house.
  const isAsked = storedPerson()?.kind !== 'partner' || definition.operations.has('update');
  const asked = useActionPlan(
    {
      resource,
      hasField: (name) => definition.resource?.fields[name] !== undefined,
      id: String(record['id']),
      version: record['version'],
      action,
      inputs,
    },
    definition.resource !== null && isAsked,
  );
  const { current } = asked;
  useEffect(() => {
    if (current !== null) onCurrent(current);
  }, [current, onCurrent]);
  if (!isAsked) return null;
  if (asked.plan !== null && isWaitingForInputs(asked.plan, isInput))
    return <p className="plan-waiting">填写完整后显示将会发生什么</p>;
  return (
    <PlanPanel
      asked={asked}
      onOpen={onOpen}
      isShownElsewhere={({ path, message }) => path === 'opinion' || told.has(message)}
    />
  );
}

function isWaitingForInputs({ isRefused, problems }: Plan, isInput: (path: string) => boolean): boolean {
  const errors = problems.filter(({ level }) => level !== 'warning');
  return (
    isRefused && errors.length > 0 && errors.every(({ path, code }) => code === 'required' && isInput(path))
  );
}
