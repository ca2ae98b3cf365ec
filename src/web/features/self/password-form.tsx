import { App, Button, Form, Input } from 'antd';
import { newPasswordFault } from '#engine/values/new-password.ts';
import { callApi } from '#web/data/http.ts';
import { showFault } from '#web/data/show-fault.ts';
import { sealForTransport } from '#web/data/transport-cipher.ts';
import { placeProblems } from './place-problems.ts';

interface PasswordFields {
  readonly old: string;
  readonly next: string;
  readonly again: string;
}

/** Which passwords everybody tries first is known to the server alone. */
const LENGTH = {
  validator: (_: unknown, value: string | undefined): Promise<void> => {
    const fault = value === undefined || value === '' ? null : newPasswordFault(value);
    return fault === null ? Promise.resolve() : Promise.reject(new TypeError(fault));
  },
};

const NAMES = { password: 'old', newPassword: 'next' };

/** Changes the own password; the other sessions of the person end. */
export function PasswordForm({ onChanged }: { readonly onChanged?: () => void }) {
  const { message } = App.useApp();
  const [form] = Form.useForm<PasswordFields>();
  const change = async ({ old, next }: PasswordFields) => {
    try {
      await callApi('POST /self/password', {
        body: { password: sealForTransport(old), newPassword: sealForTransport(next) },
      });
      void message.success('密码已修改，其他设备上的登录已失效');
      form.resetFields();
      onChanged?.();
    } catch (error) {
      if (!placeProblems(form, error, NAMES)) showFault(message, error, '密码没有修改');
    }
  };
  return (
    <section className="details-section">
      <h2>修改密码</h2>
      <Form
        form={form}
        layout="vertical"
        className="self-form"
        scrollToFirstError={{ focus: true }}
        onFinish={(fields: PasswordFields) => void change(fields)}
      >
        <Form.Item name="old" label="原密码" rules={[{ required: true, message: '请输入密码' }]}>
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        <Form.Item name="next" label="新密码" rules={[{ required: true, message: '请输入密码' }, LENGTH]}>
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item
          name="again"
          label="再次输入新密码"
          dependencies={['next']}
          rules={[
            { required: true, message: '请再次输入新密码' },
            ({ getFieldValue }) => ({
              validator: (_, value) =>
                value === getFieldValue('next')
                  ? Promise.resolve()
                  : Promise.reject(new TypeError('两次输入不一致')),
            }),
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Button type="primary" htmlType="submit">
          修改密码
        </Button>
      </Form>
    </section>
  );
}
