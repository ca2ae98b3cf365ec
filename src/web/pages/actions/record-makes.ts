import type { ErpRecord } from '#engine/schema/resource.ts';
import type { OfferedDocument } from '#contract/shape.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { type RecordAction, recordActions } from './record-action.ts';
import type { ActionRunner } from './use-action-runner.tsx';

/** A document that may be begun from a record, as its `_makes` tells it. */
interface RecordMake extends Omit<OfferedDocument, 'takesSeveral'> {
  readonly allowed: boolean;
  readonly reason: string | null;
}

/** What can be done with a record, documents made from it included: these open a filled form instead of running. */
export function useRecordActions(resource: string, runner: Pick<ActionRunner, 'run'>) {
  const open = useOpenRecord();
  return {
    actionsOf: (record: ErpRecord | undefined): readonly RecordAction[] => [
      ...recordActions(record),
      ...directMakes(record)
        .filter(({ to }) => open.hasForm(to))
        .map(({ make, title, allowed, reason }) => ({
          action: directKey(make),
          title,
          allowed,
          reason,
        })),
    ],
    run: (action: RecordAction, record: ErpRecord): void => {
      const made = recordMakes(record).find(
        (one) => (one.action ?? directKey(one.make)) === action.action && one.allowed,
      );
      const source = { resource, id: String(record['id']), make: made?.make ?? '' };
      if (made !== undefined && open.make(made.to, { source, record, fixed: made.fixed })) return;
      // Without a form of its own the document is saved as a draft by the action itself.
      if (made === undefined || made.action !== null) runner.run(action, record);
    },
  };
}

function directMakes(record: ErpRecord | undefined): readonly RecordMake[] {
  return recordMakes(record).filter(({ action }) => action === null);
}

/** No action has a name with a colon. */
function directKey(make: string): string {
  return `make:${make}`;
}

function recordMakes(record: ErpRecord | undefined): readonly RecordMake[] {
  const makes = record?.['_makes'];
  return Array.isArray(makes) ? makes.filter(isMake) : [];
}

function isMake(value: unknown): value is RecordMake {
  return (
    typeof value === 'object' && value !== null && 'make' in value && 'to' in value && 'allowed' in value
  );
}
