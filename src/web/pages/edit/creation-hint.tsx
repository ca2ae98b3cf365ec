import { Button, Popover } from 'antd';
import { useState } from 'react';
import { useOpenRecord } from '#web/data/open-record.ts';
import type { FormStore } from '../form/form-store.ts';
import { PlanPanel } from '../plan/plan-panel.tsx';
import { useCreationPlan } from '../plan/use-plan.ts';

/** Of a document that posts as it is saved: what that will do, for whoever wants to see it before. */
export function CreationHint({ store }: { readonly store: FormStore }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      trigger="click"
      open={isOpen}
      onOpenChange={setOpen}
      destroyOnHidden
      content={<CreationPlan store={store} onClose={() => setOpen(false)} />}
    >
      <Button type="link" size="small">
        保存后将会发生什么
      </Button>
    </Popover>
  );
}

/** Of the form as it stands when it is asked. */
function CreationPlan({ store, onClose }: { readonly store: FormStore; readonly onClose: () => void }) {
  const openRecord = useOpenRecord();
  const { resource } = store;
  const [body] = useState(() => {
    store.flush();
    return store.changes().body;
  });
  const asked = useCreationPlan(
    { resource: resource.resource, hasField: (name) => resource.fields[name] !== undefined },
    body,
  );
  const open = (key: string, id: string): void => {
    onClose();
    openRecord.byResource(key, id);
  };
  return (
    <div className="creation-plan">
      <PlanPanel asked={asked} onOpen={open} />
    </div>
  );
}
