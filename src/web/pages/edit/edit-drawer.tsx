import { Drawer } from 'antd';
import { useState } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { useTab } from '#web/app/tab-context.ts';
import { useLeaveQuestion, useUnsaved } from '#web/app/use-unsaved.ts';
import { EditSession } from './edit-session.tsx';

export interface EditDrawerProps {
  readonly resource: string;
  readonly page: PageDefinition;
  /** What is edited: 人员, not 人员管理 as its page is called. */
  readonly kind: string;
  /** Null: a new record. */
  readonly id: string | null;
  /** What a new record starts with. */
  readonly initial?: ErpRecord;
  readonly onClose: () => void;
  /** The record was handed in. */
  readonly onSubmitted: (id: string) => void;
}

const WIDTH_PX = 960;

/** The editor beside its list, for resources without an edit route. Closing with unsaved work asks first. */
export function EditDrawer({ resource, page, kind, id, initial, onClose, onSubmitted }: EditDrawerProps) {
  const { isActive } = useTab();
  const [current, setCurrent] = useState(id);
  const [isDirty, setDirty] = useState(false);
  useUnsaved(isDirty, true);
  const leave = useLeaveQuestion(() => isDirty, true);
  return (
    <Drawer
      open
      width={Math.min(WIDTH_PX, window.innerWidth)}
      title={`${current === null ? '新增' : '编辑'}${kind}`}
      onClose={() => leave(onClose)}
      destroyOnHidden
    >
      <EditSession
        resource={resource}
        page={page}
        id={current}
        {...(initial === undefined ? {} : { initial })}
        place={page.route}
        title={kind}
        isActive={isActive}
        isDrawer
        onDirty={setDirty}
        onLeave={() => leave(onClose)}
        onSubmitted={(record) => onSubmitted(String(record['id']))}
        onCreated={(record) => setCurrent(String(record['id']))}
      />
    </Drawer>
  );
}
