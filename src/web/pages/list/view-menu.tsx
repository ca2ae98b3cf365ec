import { App, Button, Checkbox, Dropdown, Input, Modal } from 'antd';
import { useState } from 'react';
import type { SavedView, ViewContent } from './saved-view.ts';
import type { SavedViews } from './use-saved-views.ts';
import { showFault } from '#web/data/show-fault.ts';

export interface ViewMenuProps {
  readonly saved: SavedViews;
  readonly current: ViewContent;
  readonly onOpen: (view: SavedView) => void;
}

/** Saved views: open one, save what is shown now, share it, delete an own one. */
export function ViewMenu({ saved, current, onOpen }: ViewMenuProps) {
  const { message, modal } = App.useApp();
  const [isNaming, setNaming] = useState(false);
  const remove = (view: SavedView) =>
    modal.confirm({
      title: `删除视图「${view.name}」？`,
      okText: '删除',
      cancelText: '取消',
      onOk: () => saved.remove(view),
    });
  const save = async (name: string, isShared: boolean): Promise<void> => {
    const known = saved.views.find((view) => view.isOwn && view.name === name);
    if (known !== undefined && !(await modal.confirm(replaceQuestion(known, isShared)))) return;
    await saved.save(name, current, isShared);
    setNaming(false);
    void message.success('视图已保存');
  };
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            ...saved.views.map((view) => ({
              key: view.id,
              label: (
                <span className="view-item">
                  {view.name}
                  {view.isShared && <small>共享</small>}
                  {view.isOwn && (
                    <button
                      type="button"
                      aria-label={`删除视图${view.name}`}
                      onClick={(event) => {
                        event.stopPropagation();
                        remove(view);
                      }}
                    >
                      ×
                    </button>
                  )}
                </span>
              ),
            })),
            ...(saved.views.length > 0 ? [{ type: 'divider' as const }] : []),
            { key: 'save', label: '保存当前视图…' },
          ],
          onClick: ({ key }) => {
            const view = saved.views.find((item) => item.id === key);
            if (view === undefined) setNaming(true);
            else onOpen(view);
          },
        }}
      >
        <Button>视图</Button>
      </Dropdown>
      {isNaming && <NameDialog onClose={() => setNaming(false)} onSave={save} />}
    </>
  );
}

function replaceQuestion({ name, isShared: wasShared }: SavedView, isShared: boolean) {
  return {
    title: `已有同名视图「${name}」，替换吗？`,
    content: !wasShared
      ? null
      : isShared
        ? '同事看到的也会改变。'
        : '该视图共享给了同事，替换后同事将看不到。',
    okText: '替换',
    cancelText: '取消',
  };
}

interface NameDialogProps {
  readonly onSave: (name: string, isShared: boolean) => Promise<void>;
  readonly onClose: () => void;
}

function NameDialog({ onSave, onClose }: NameDialogProps) {
  const { message } = App.useApp();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const save = () =>
    onSave(name.trim(), isShared).catch((error: unknown) => {
      showFault(message, error, '视图没有保存');
    });
  return (
    <Modal
      open
      title="保存视图"
      okText="保存"
      cancelText="取消"
      okButtonProps={{ disabled: name.trim() === '' }}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <Input
        autoFocus
        maxLength={30}
        placeholder="视图名称，例如：本月未出运"
        value={name}
        onChange={(event) => setName(event.target.value)}
        onPressEnter={() => void save()}
      />
      <Checkbox
        style={{ marginTop: 12 }}
        checked={isShared}
        onChange={(event) => setShared(event.target.checked)}
      >
        共享给本公司同事
      </Checkbox>
    </Modal>
  );
}
