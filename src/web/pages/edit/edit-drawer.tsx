import { App, Drawer } from 'antd';
import { useCallback, useRef, useState } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { useTab } from '#web/app/tab-context.ts';
import { EditSession } from './edit-session.tsx';

export interface EditDrawerProps {
  readonly resource: string;
  readonly page: PageDefinition;
  /** Null: a new record. */
  readonly id: string | null;
  /** What a new record starts with. */
  readonly initial?: ErpRecord;
  readonly onClose: () => void;
}

const WIDTH_PX = 960;

/** The editor beside its list, for resources without an edit route. Closing with unsaved work asks first. */
export function EditDrawer({ resource, page, id, initial, onClose }: EditDrawerProps) {
  const { modal } = App.useApp();
  const { isActive, setDirty } = useTab();
  const [current, setCurrent] = useState(id);
  const isDirty = useRef(false);
  const hasLeft = useRef(false);
  const onDirty = useCallback(
    (next: boolean) => {
      if (hasLeft.current) return;
      isDirty.current = next;
      setDirty(next);
    },
    [setDirty],
  );
  const leave = (): void => {
    hasLeft.current = true;
    setDirty(false);
    onClose();
  };
  const close = (): void => {
    if (!isDirty.current) {
      leave();
      return;
    }
    modal.confirm({
      title: '内容尚未保存，确定关闭吗？',
      content: '未保存的内容会保留为草稿，下次打开时可以恢复。',
      okText: '关闭',
      cancelText: '继续编辑',
      onOk: leave,
    });
  };
  const title = page.title ?? '';
  return (
    <Drawer
      open
      width={Math.min(WIDTH_PX, window.innerWidth)}
      title={current === null ? `新增${title}` : `编辑${title}`}
      onClose={close}
      destroyOnHidden
    >
      <EditSession
        resource={resource}
        page={page}
        id={current}
        {...(initial === undefined ? {} : { initial })}
        place={page.route}
        title={title}
        isActive={isActive}
        isDrawer
        onDirty={onDirty}
        onCreated={(record) => setCurrent(String(record['id']))}
      />
    </Drawer>
  );
}
