import '@ant-design/v5-patch-for-react-19';
import { Alert, ConfigProvider, Form, Modal, Select } from 'antd';
import zhCN from 'antd/es/locale/zh_CN';
import { useState } from 'react';
import { useAntdTheme } from '#web/app/antd-theme.ts';
import { callApi } from '#web/data/http.ts';
import type { Person, PersonChoice } from '#contract/sign-in.ts';

export interface RolePickerProps {
  readonly person: Person;
  /** Several customers of one mobile: one picks the customer, the role is fixed. */
  readonly isCustomer: boolean;
  readonly onChosen: (person: Person) => void;
  readonly onCancel: () => void;
}

interface Position {
  readonly user?: string;
  readonly role?: string;
  readonly sales?: string;
}

/** After the credentials: department (or customer) where several people match, role, and the service target. Cancelling logs out. */
export function RolePicker({ person, isCustomer, onChosen, onCancel }: RolePickerProps) {
  const several = person.userList.length > 0;
  const [user, setUser] = useState<PersonChoice | null>(several ? null : person);
  const [fault, setFault] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const [form] = Form.useForm<Position>();
  const look = useAntdTheme();
  const roles = user?.roleList ?? [];
  const targets = user?.salesManList ?? [];
  // The session is nobody's yet: it is stored when a role is chosen.
  const headers = { Authorization: person.authorization };
  const choose = async (position: Position) => {
    setSending(true);
    setFault(null);
    try {
      const full = await callApi('POST /sys/setPosition', {
        body: {
          id: user?.id ?? person.id,
          roleId: position.role ?? null,
          roleIdList: roles.map((role) => role.roleId),
          saleId: position.sales ?? null,
        },
        headers,
      });
      onChosen(full);
    } catch (error) {
      setFault(error instanceof Error ? error.message : '登录没有完成，请重试');
      setSending(false);
    }
  };
  const cancel = () => {
    callApi('POST /sys/logout', { headers }).catch(() => undefined);
    onCancel();
  };

  return (
    <ConfigProvider locale={zhCN} button={{ autoInsertSpace: false }} theme={look}>
      <Modal
        open
        centered
        title={isCustomer ? '选择客户' : '选择登录身份'}
        okText="进入系统"
        cancelText="取消"
        confirmLoading={isSending}
        maskClosable={false}
        okButtonProps={{ autoFocus: !several }}
        onOk={() => form.submit()}
        onCancel={cancel}
      >
        <Form
          form={form}
          layout="vertical"
          style={{ marginTop: 16 }}
          initialValues={{ role: person.roleList[0]?.roleId, sales: person.salesManList[0]?.id }}
          onFinish={(position: Position) => void choose(position)}
        >
          {several && (
            <Form.Item
              name="user"
              label={isCustomer ? '客户' : '部门'}
              rules={[{ required: true, message: isCustomer ? '请选择客户' : '请选择登录部门' }]}
            >
              <Select
                autoFocus
                placeholder={isCustomer ? '请选择客户' : '请选择登录部门'}
                options={person.userList.map((item) => ({
                  value: item.id,
                  label: isCustomer
                    ? `${item.name}（${item.coName}）`
                    : `${item.coName} ${item.deptName} ${item.name}`,
                }))}
                onChange={(id: string) => {
                  const chosen = person.userList.find((item) => item.id === id) ?? null;
                  setUser(chosen);
                  form.setFieldValue('role', chosen?.roleList[0]?.roleId);
                  form.setFieldValue('sales', chosen?.salesManList[0]?.id);
                }}
              />
            </Form.Item>
          )}
          <Form.Item
            name="role"
            label="角色"
            hidden={isCustomer}
            rules={[{ required: true, message: '请选择登录角色' }]}
          >
            <Select
              placeholder="请选择登录角色"
              options={roles.map((role) => ({ value: role.roleId, label: role.roleName }))}
            />
          </Form.Item>
          {targets.length > 1 && (
            <Form.Item name="sales" label="服务对象" rules={[{ required: true, message: '请选择服务对象' }]}>
              <Select options={targets.map((item) => ({ value: item.id, label: item.name }))} />
            </Form.Item>
          )}
        </Form>
        {fault !== null && <Alert type="error" showIcon message={fault} />}
      </Modal>
    </ConfigProvider>
  );
}
