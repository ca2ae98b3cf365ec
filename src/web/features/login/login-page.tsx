import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react';
import { http, HttpFault } from '#web/data/http.ts';
import { currentSite } from '#web/data/site.ts';
import { type Person, storePerson } from '#web/data/stored-person.ts';
import { sealForTransport } from '#web/data/transport-cipher.ts';
import { type LoginFaults, type LoginTab, loginFaults } from './login-rules.ts';
import './login.css';

const TABS: readonly { readonly key: LoginTab; readonly title: string; readonly label: string }[] = [
  { key: 'management', title: '管理登录', label: '用户名' },
  { key: 'mobile', title: '手机登录', label: '手机号' },
  { key: 'customer', title: '客户登录', label: '手机号' },
];
const RolePicker = lazy(() => import('./role-picker.tsx').then((module) => ({ default: module.RolePicker })));
let prefetched: Promise<unknown> | null = null;

/** The login page: a plain form, so that it stands at once; the role picker and the shell come while typing. */
export function LoginPage() {
  const site = currentSite();
  const [tab, setTab] = useState<LoginTab>('management');
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<LoginFaults>({});
  const [message, setMessage] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const [person, setPerson] = useState<Person | null>(null);
  useEffect(() => {
    document.title = `登录 - ${site.label}`;
  }, [site.label]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = loginFaults(tab, { account: account.trim(), password });
    setFaults(found);
    setMessage(null);
    if (Object.keys(found).length > 0 || isSending) return;
    setSending(true);
    try {
      const answer = await signIn(tab, account.trim(), password);
      if (tab === 'customer' && answer.userList.length === 0)
        await enter(
          answer,
          answer.roleList.map((role) => role.roleId),
        );
      else setPerson(answer);
    } catch (error) {
      const text = error instanceof HttpFault ? error.message : '登录没有完成，请重试';
      if (text === '客户未注册') location.assign('/Register');
      setMessage(text);
    } finally {
      setSending(false);
    }
  };
  const current = TABS.find((item) => item.key === tab);

  return (
    <main
      className="login"
      style={site.background === null ? undefined : { backgroundImage: `url(${site.background})` }}
    >
      <section className="login-brand">
        <p className="login-label">{site.label}</p>
        <h1>{site.coName}</h1>
        <p>{site.slogan}</p>
      </section>
      <form
        className="login-card"
        onSubmit={(event) => void submit(event)}
        noValidate
        onFocus={prefetchShell}
      >
        <div className="login-tabs" role="tablist" aria-label="登录方式">
          {TABS.map((item) => (
            <button
              key={item.key}
              type="button"
              role="tab"
              aria-selected={item.key === tab}
              onClick={() => {
                setTab(item.key);
                setFaults({});
                setMessage(null);
              }}
            >
              {item.title}
            </button>
          ))}
        </div>
        <Field
          id="account"
          label={current?.label ?? ''}
          value={account}
          fault={faults.account}
          autoComplete="username"
          inputMode={tab === 'management' ? 'text' : 'numeric'}
          onChange={setAccount}
        />
        <Field
          id="password"
          label="密码"
          type="password"
          value={password}
          fault={faults.password}
          autoComplete="current-password"
          onChange={setPassword}
        />
        <div className="login-message" role="alert">
          {message}
        </div>
        <button type="submit" className="login-submit" disabled={isSending}>
          {isSending ? '登录中…' : '登录'}
        </button>
        {tab === 'customer' && (
          <a className="login-register" href="/Register">
            客户注册
          </a>
        )}
      </form>
      <footer>
        {site.copyright} {site.hotline === '' ? '' : `服务热线：${site.hotline}`}
      </footer>
      {person !== null && (
        <Suspense fallback={null}>
          <RolePicker
            person={person}
            onChosen={(full) => finish(full)}
            onCancel={() => {
              setPerson(null);
              setPassword('');
            }}
          />
        </Suspense>
      )}
    </main>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly type?: 'text' | 'password';
  readonly autoComplete: string;
  readonly inputMode?: 'text' | 'numeric';
  readonly onChange: (value: string) => void;
}

function Field({ id, label, value, fault, type = 'text', autoComplete, inputMode, onChange }: FieldProps) {
  return (
    <div className="login-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={id}
        type={type}
        value={value}
        autoComplete={autoComplete}
        inputMode={inputMode}
        maxLength={60}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
        onChange={(event) => onChange(event.target.value)}
      />
      <small id={`${id}-fault`} role={fault === undefined ? undefined : 'alert'}>
        {fault}
      </small>
    </div>
  );
}

function signIn(tab: LoginTab, account: string, password: string): Promise<Person> {
  const sealed = sealForTransport(password);
  if (tab === 'management') return http.post('/sys/login', { personid: account, password: sealed });
  if (tab === 'mobile') return http.post('/sys/loginByMobile', { psMobile: account, password: sealed });
  return http.post('/sys/loginByAgcustMobileNo', { personid: account, password: sealed });
}

/** A partner with one account needs no picker. */
async function enter(person: Person, roleIdList: readonly string[]): Promise<void> {
  const [roleId = ''] = roleIdList;
  localStorage.setItem('authorization', person.authorization);
  finish(await http.post<Person>('/sys/setPosition', { id: person.id, roleId, roleIdList, saleId: null }));
}

/** Keeps the person and opens the page one wanted, else the home page. */
function finish(person: Person): void {
  storePerson(person);
  sessionStorage.setItem('login-message', '登录成功！');
  const back = new URLSearchParams(location.search).get('back');
  const target = back !== null && /^\/(?![/\\])/.test(back) ? back : '/index/index';
  history.replaceState(null, '', target);
  void import('#web/app/show-shell.tsx').then(({ showShell }) => showShell());
}

/** While somebody types, the shell is on its way. */
function prefetchShell(): void {
  prefetched ??= Promise.all([import('./role-picker.tsx'), import('#web/app/show-shell.tsx')]).catch(() => {
    prefetched = null;
  });
}
