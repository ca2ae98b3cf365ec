import { type FormEvent, useState } from 'react';
import {
  BAD_SMS_MOBILE,
  isRegistrationMobile,
  normaliseRegistration,
  REGISTRATION_LENGTH,
  type RegistrationForm,
  registrationProblems,
} from '#trade/registration.ts';
import type { RejectedRegistration } from '#contract/forgotten.ts';
import { HttpFault } from '#web/data/http.ts';
import { register, sendRegistrationCode } from './register-calls.ts';
import { RegisterField } from './register-field.tsx';
import { useCountdown } from './use-countdown.ts';

export interface RegisterFormProps {
  readonly coCode: string;
  readonly coName: string;
  /** What is corrected and sent again; null for a first registration. */
  readonly rejected: RejectedRegistration | null;
  readonly onDone: () => void;
}

type Faults = Readonly<Partial<Record<string, string>>>;

const EMPTY = { custname: '', corpType: '1', comNo: '', psNo: '', linkMan: '', mobile: '', sms: '' };
const TYPES = [
  { value: '1', label: '企业' },
  { value: '2', label: '个人' },
] as const;
const PAUSE_S = 60;

/** The form: the same check as the server's before anything is sent, and the server's refusals beside their fields. */
export function RegisterForm({ coCode, coName, rejected, onDone }: RegisterFormProps) {
  const [values, setValues] = useState(() => beginning(rejected));
  const [faults, setFaults] = useState<Faults>({});
  const [message, setMessage] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const form: RegistrationForm = normaliseRegistration({ ...values, coDeptnameCode: coCode });
  const bind = (name: keyof typeof EMPTY) => ({
    id: name,
    value: values[name],
    fault: faults[name],
    onChange: (value: string) => {
      setValues((current) => ({ ...current, [name]: value }));
      setFaults((current) => ({ ...current, [name]: undefined }));
    },
    onLeave: () => {
      // What was left empty is told when the form is sent; what was typed wrong at once.
      if (values[name].trim() !== '') setFaults((current) => ({ ...current, [name]: faultsOf(form)[name] }));
    },
  });
  const show = (found: Faults) => {
    setFaults(found);
    const [first] = Object.keys(found);
    if (first !== undefined) document.getElementById(first)?.focus();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(form);
    setMessage(null);
    show(found);
    if (isSending || Object.keys(found).length > 0) return;
    setSending(true);
    try {
      await register({ ...form, coName, ...(rejected === null ? {} : { again: rejected.again }) });
      onDone();
    } catch (error) {
      const refused = error instanceof HttpFault ? error.problems : [];
      const beside = Object.fromEntries(refused.map(({ path, message: text }) => [path, text]));
      show(beside);
      if (!refused.some(({ path }) => path in EMPTY))
        setMessage(error instanceof HttpFault ? error.message : '注册没有完成，请重试');
    } finally {
      setSending(false);
    }
  };

  return (
    <form className="register-form" onSubmit={(event) => void submit(event)} noValidate>
      <RegisterField
        {...bind('custname')}
        label="客户名称"
        autoComplete="organization"
        maxLength={REGISTRATION_LENGTH.custname}
      />
      <fieldset className="register-types">
        <legend>类型</legend>
        {TYPES.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name="corpType"
              value={value}
              checked={values.corpType === value}
              onChange={() => {
                setValues((current) => ({ ...current, corpType: value }));
                setFaults((current) => ({ ...current, comNo: undefined, psNo: undefined }));
              }}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {values.corpType === '1' ? (
        <RegisterField
          {...bind('comNo')}
          label="组织机构代码"
          hint="18位统一社会信用代码，或9位组织机构代码"
          maxLength={30}
        />
      ) : (
        <RegisterField {...bind('psNo')} label="身份证号" maxLength={30} />
      )}
      <RegisterField
        id="coName"
        label="服务公司"
        value={coName}
        fault={faults['coDeptnameCode']}
        isReadOnly
      />
      <RegisterField
        {...bind('linkMan')}
        label="联系人"
        autoComplete="name"
        maxLength={REGISTRATION_LENGTH.linkMan}
      />
      <RegisterField
        {...bind('mobile')}
        label="手机号码"
        autoComplete="tel"
        inputMode="tel"
        maxLength={20}
        isReadOnly={rejected !== null}
        {...(rejected === null ? {} : { hint: '原注册申请的手机号码' })}
      />
      <RegisterField
        {...bind('sms')}
        label="验证码"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={6}
        action={
          <SmsButton
            mobile={form.mobile}
            onFault={(text) => setFaults((current) => ({ ...current, mobile: text }))}
            onSent={() => document.getElementById('sms')?.focus()}
          />
        }
      />
      <div className="register-message" role="alert">
        {message}
      </div>
      <button type="submit" className="register-submit" disabled={isSending}>
        {isSending ? '正在提交…' : rejected === null ? '注册' : '重新提交'}
      </button>
    </form>
  );
}

function beginning(rejected: RejectedRegistration | null): typeof EMPTY {
  if (rejected === null) return EMPTY;
  const { custname, corpType, comNo, psNo, linkMan, mobile } = rejected;
  return { custname, corpType, comNo, psNo, linkMan, mobile, sms: '' };
}

interface SmsButtonProps {
  readonly mobile: string;
  readonly onFault: (message: string | undefined) => void;
  readonly onSent: () => void;
}

/** 获取验证码: disabled for a minute after a message was sent. */
function SmsButton({ mobile, onFault, onSent }: SmsButtonProps) {
  const { leftS, start } = useCountdown();
  const [isSending, setSending] = useState(false);
  const send = async () => {
    if (!isRegistrationMobile(mobile)) {
      onFault(BAD_SMS_MOBILE);
      document.getElementById('mobile')?.focus();
      return;
    }
    setSending(true);
    onFault(undefined);
    try {
      await sendRegistrationCode(mobile);
      start(PAUSE_S);
      onSent();
    } catch (error) {
      onFault(error instanceof HttpFault ? error.message : '验证码没有发出，请重试');
    } finally {
      setSending(false);
    }
  };
  return (
    <button
      type="button"
      className="register-code"
      disabled={isSending || leftS > 0}
      onClick={() => void send()}
    >
      {isSending ? '正在发送…' : leftS > 0 ? `${leftS}秒后重新获取` : '获取验证码'}
    </button>
  );
}

function faultsOf(form: RegistrationForm): Faults {
  return Object.fromEntries(registrationProblems(form).map(({ path, message }) => [path, message]));
}
