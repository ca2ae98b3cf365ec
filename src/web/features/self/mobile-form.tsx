import { App, Button, Form, Input, Space } from 'antd';
import { callApi, HttpFault } from '#web/data/http.ts';
import { showFault } from '#web/data/show-fault.ts';
import { sealForTransport } from '#web/data/transport-cipher.ts';
import { useCountdown } from '#web/features/register/use-countdown.ts';
import { placeProblems } from './place-problems.ts';

export interface MobileFormProps {
  readonly mobile: string | null;
  readonly onChanged: () => void;
}

interface MobileFields {
  readonly password: string;
  readonly mobile: string;
  readonly sms: string;
}

/** Seconds until another code may be asked for (spec section 9). */
const PAUSE_S = 60;
const NAMES = { password: 'password', mobile: 'mobile', sms: 'sms' };

/** Changes the own mobile number, which also logs in: the new number shows the code that was sent to it. */
export function MobileForm({ mobile, onChanged }: MobileFormProps) {
  const { message } = App.useApp();
  const [form] = Form.useForm<MobileFields>();
  const { leftS, start } = useCountdown();
  const refuse = (error: unknown, otherwise: string) => {
    if (!placeProblems(form, error, NAMES)) showFault(message, error, otherwise);
  };
  const sendCode = async () => {
    try {
      const fields = await form.validateFields(['mobile']);
      await callApi('POST /self/mobile/code', { body: { mobile: fields.mobile } });
      start(PAUSE_S);
      void message.success('验证码已发送');
    } catch (error) {
      if (error instanceof HttpFault) refuse(error, '验证码没有发送');
    }
  };
  const change = async (fields: MobileFields) => {
    try {
      await callApi('POST /self/mobile', {
        body: { password: sealForTransport(fields.password), mobile: fields.mobile, sms: fields.sms },
      });
      void message.success('手机号码已修改');
      form.resetFields();
      onChanged();
    } catch (error) {
      refuse(error, '手机号码没有修改');
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
        scrollToFirstError={{ focus: true }}
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
        <Form.Item label="验证码" required htmlFor="self-sms">
          <Space.Compact block>
            <Form.Item
              name="sms"
              noStyle
              rules={[
                { required: true, message: '请输入验证码' },
                { pattern: /^\d{6}$/, message: '验证码应为6位数字' },
              ]}
            >
              <Input id="self-sms" inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
            </Form.Item>
            <Button disabled={leftS > 0} onClick={() => void sendCode()}>
              {leftS > 0 ? `${leftS} 秒后可再发` : '发送验证码'}
            </Button>
          </Space.Compact>
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
