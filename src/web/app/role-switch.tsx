import { Alert, Form, Modal, Select } from 'antd';
import type { Person } from '#contract/sign-in.ts';
import { usePosition } from './use-position.ts';
import { unsavedAfter } from './use-unsaved.ts';

export interface RoleSwitchProps {
  readonly person: Person;
  readonly hasUnsaved: boolean;
  readonly onClose: () => void;
  readonly onSwitched: () => void;
}

/** Another role or service target in the same session; tabs start over. */
export function RoleSwitch({ person, hasUnsaved, onClose, onSwitched }: RoleSwitchProps) {
  const { change, fault, isSending } = usePosition(onSwitched);
  const [form] = Form.useForm<{ role: string; sales?: string }>();
  const choose = ({ role, sales }: { role: string; sales?: string }) =>
    void change({
      id: person.id,
      roleId: role,
      roleIdList: person.roleList.map((item) => item.roleId),
      saleId: sales ?? null,
    });
  return (
    <Modal
      open
      title="切换角色"
      okText="切换"
      cancelText="取消"
      confirmLoading={isSending}
      onOk={() => form.submit()}
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
      <Form
        form={form}
        layout="vertical"
        initialValues={{ role: person.roleId, sales: person.saleId ?? person.salesManList[0]?.id }}
        onFinish={choose}
      >
        <Form.Item name="role" label="角色" rules={[{ required: true, message: '请选择登录角色' }]}>
          <Select options={person.roleList.map((item) => ({ value: item.roleId, label: item.roleName }))} />
        </Form.Item>
        {person.salesManList.length > 1 && (
          <Form.Item name="sales" label="服务对象" rules={[{ required: true, message: '请选择服务对象' }]}>
            <Select options={person.salesManList.map((item) => ({ value: item.id, label: item.name }))} />
          </Form.Item>
        )}
      </Form>
      {fault !== null && <Alert type="error" showIcon message={fault} />}
    </Modal>
  );
}
