import { App, Button, Form, Input } from 'antd';
import { http } from '#web/data/http.ts';
import { sealForTransport } from '#web/data/transport-cipher.ts';

export interface MobileFormProps {
  readonly mobile: string | null;
  readonly onChanged: () => void;
}

interface MobileFields {
  readonly password: string;
  readonly mobile: string;
}

/** Changes the own mobile number, which also logs in. */
export function MobileForm({ mobile, onChanged }: MobileFormProps) {
  const { message } = App.useApp();
  const [form] = Form.useForm<MobileFields>();
  const change = async (fields: MobileFields) => {
    try {
      await http.post('/self/mobile', { password: sealForTransport(fields.password), mobile: fields.mobile });
      void message.success('手机号码已修改');
      form.resetFields();
      onChanged();
    } catch (error) {
      void message.error(error instanceof Error ? error.message : '手机号码没有修改', 4);
    }
  };
  return (
    <section className="details-section">
      <h2>
        修改手机号 <small>{mobile === null ? '' : `现在是 ${mobile}`}</small>
      </h2>
      <Form
        form={form}
        layout="vertical"
        className="self-form"
        onFinish={(fields: MobileFields) => void change(fields)}
      >
        <Form.Item
          name="mobile"
          label="新手机号"
          validateFirst
          rules={[
            { required: true, message: '请输入手机号' },
            { len: 11, message: '请输入11位手机号' },
            { pattern: /^1[3-9]\d{9}$/, message: '手机号格式不正确' },
          ]}
        >
          <Input inputMode="numeric" autoComplete="tel" maxLength={20} />
        </Form.Item>
        <Form.Item name="password" label="登录密码" rules={[{ required: true, message: '请输入密码' }]}>
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        <Button type="primary" htmlType="submit">
          修改手机号
        </Button>
      </Form>
    </section>
  );
}
