import { Alert, Form, Modal, Radio } from 'antd';
import { useState } from 'react';
import type { Person } from '#contract/sign-in.ts';
import { usePosition } from './use-position.ts';
import { unsavedAfter } from './use-unsaved.ts';

export interface CustomerSwitchProps {
  readonly person: Person;
  readonly hasUnsaved: boolean;
  readonly onClose: () => void;
  readonly onSwitched: () => void;
}

/** Another company of whoever stands for several, in the same session; tabs start over. */
export function CustomerSwitch({ person, hasUnsaved, onClose, onSwitched }: CustomerSwitchProps) {
  const { change, fault, isSending } = usePosition(onSwitched);
  const [id, setId] = useState(person.id);
  return (
    <Modal
      open
      title="切换公司"
      okText="切换"
      cancelText="取消"
      confirmLoading={isSending}
      onOk={() => (id === person.id ? onClose() : void change({ id }))}
      onCancel={onClose}
    >
      {hasUnsaved && (
        <Alert
          type="warning"
          showIcon
          message={`有页面的修改没有保存，${unsavedAfter('切换')}`}
          style={{ marginBottom: 12 }}
        />
      )}
      <Form layout="vertical">
        <Form.Item label="以哪家公司的身份查看">
          <Radio.Group
            value={id}
            onChange={(event) => setId(String(event.target.value))}
            style={{ display: 'grid', gap: 8 }}
            options={person.userList.map(({ id: value, name }) => ({ value, label: name }))}
          />
        </Form.Item>
      </Form>
      {fault !== null && <Alert type="error" showIcon message={fault} />}
    </Modal>
  );
}
