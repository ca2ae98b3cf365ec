import { Alert, Button, ConfigProvider, Form, Input, Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import type { RegistrationState } from '#contract/forgotten.ts';
import { companyTime } from '#engine/values/dates.ts';
import { useAntdTheme } from '#web/app/antd-theme.ts';
import { callApi, HttpFault } from '#web/data/http.ts';
import { sealForTransport } from '#web/data/transport-cipher.ts';
import { codeSentNote } from './login-calls.ts';
import { correctApplication } from '../register/kept-application.ts';
import { useCountdown } from '../register/use-countdown.ts';

export interface ForgottenDialogProps {
  readonly about: 'password' | 'progress';
  readonly isCustomer: boolean;
  /** With a message when it is done. */
  readonly onClose: (done?: string) => void;
}

interface Values {
  readonly personid?: string;
  readonly mobile?: string;
  readonly sms?: string;
  readonly newPassword?: string;
}

/** A new password, or the state of a registration, for who shows the code that came to the phone. */
export function ForgottenDialog({ about, isCustomer, onClose }: ForgottenDialogProps) {
  const [values, setValues] = useState<Values>({});
  const [note, setNote] = useState<{ readonly type: 'info' | 'error'; readonly text: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [states, setStates] = useState<readonly RegistrationState[] | null>(null);
  const countdown = useCountdown();
  const look = useAntdTheme();
  const isProgress = about === 'progress';
  const { personid = '', mobile = '', sms = '', newPassword = '' } = values;
  const who = { kind: isCustomer ? ('partner' as const) : ('staff' as const), personid, mobile };
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setNote(null);
    try {
      await work();
    } catch (error) {
      setNote({ type: 'error', text: error instanceof HttpFault ? error.message : '没有完成，请重试' });
    } finally {
      setBusy(false);
    }
  };
  const send = () =>
    attempt(async () => {
      if (isProgress) await callApi('POST /sys/registration-state/code', { body: { mobile } });
      else await callApi('POST /sys/forgotten/code', { body: who });
      countdown.start(60);
      setNote({ type: 'info', text: codeSentNote(about) });
    });
  const finish = () =>
    attempt(async () => {
      if (isProgress) {
        setStates(await callApi('POST /sys/registration-state', { body: { mobile, sms } }));
        return;
      }
      await callApi('POST /sys/forgotten/password', {
        body: { ...who, sms, newPassword: sealForTransport(newPassword) },
      });
      onClose('密码已重设，请用新密码登录');
    });
  const field = (name: keyof Values, label: string, control: ReactNode) => (
    <Form.Item label={label} htmlFor={`forgotten-${name}`}>
      {control}
    </Form.Item>
  );
  const change = (name: keyof Values) => (event: { target: { value: string } }) =>
    setValues({ ...values, [name]: event.target.value.trim() });
  return (
    <ConfigProvider button={{ autoInsertSpace: false }} theme={look}>
      <Modal
        open
        title={isProgress ? '查询注册进度' : '重设密码'}
        okText={isProgress ? '查询' : '重设密码'}
        cancelText="关闭"
        confirmLoading={isBusy}
        okButtonProps={{ disabled: sms === '' || (!isProgress && newPassword === '') }}
        onOk={() => void finish()}
        onCancel={() => onClose()}
        width={420}
      >
        <Form layout="vertical">
          {!isProgress &&
            !isCustomer &&
            field(
              'personid',
              '用户名',
              <Input id="forgotten-personid" autoComplete="username" onChange={change('personid')} />,
            )}
          {field(
            'mobile',
            '手机号',
            <Input
              id="forgotten-mobile"
              inputMode="numeric"
              autoComplete="tel"
              maxLength={11}
              onChange={change('mobile')}
            />,
          )}
          {field(
            'sms',
            '验证码',
            <Input
              id="forgotten-sms"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              onChange={change('sms')}
              addonAfter={
                <Button
                  type="link"
                  size="small"
                  disabled={countdown.leftS > 0 || mobile === '' || isBusy}
                  onClick={() => void send()}
                >
                  {countdown.leftS > 0 ? `${countdown.leftS} 秒后重发` : '获取验证码'}
                </Button>
              }
            />,
          )}
          {!isProgress &&
            field(
              'newPassword',
              '新密码',
              <Input.Password
                id="forgotten-newPassword"
                autoComplete="new-password"
                onChange={(event) => setValues({ ...values, newPassword: event.target.value })}
              />,
            )}
        </Form>
        {note !== null && <Alert showIcon type={note.type} message={note.text} />}
        {states !== null && (
          <ul aria-label="注册进度">
            {states.length === 0 && <li>没有用这个手机号注册的记录</li>}
            {states.map(({ name, state, at, reason = '', rejected }) => (
              <li key={`${name} ${at}`}>
                {name}：<b>{state}</b>（{companyTime(at)} 注册）
                {reason !== '' && <p>退回原因：{reason}</p>}
                {rejected !== undefined && (
                  <Button size="small" onClick={() => correctApplication(rejected)}>
                    修改后重新提交
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Modal>
    </ConfigProvider>
  );
}
