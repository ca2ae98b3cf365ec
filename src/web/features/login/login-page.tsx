import { type FormEvent, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { http, HttpFault } from '#web/data/http.ts';
import { currentSite } from '#web/data/site.ts';
import { LOGIN_REASON_KEY, type Person } from '#web/data/stored-person.ts';
import { codeLogin, enterShell, signIn, signInByCode } from './login-calls.ts';
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
  const [link] = useState(() => codeLogin(new URLSearchParams(location.search)));
  const [tab, setTab] = useState<LoginTab>(link === null ? 'management' : 'customer');
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<LoginFaults>({});
  const [message, setMessage] = useState<string | null>(() => sessionStorage.getItem(LOGIN_REASON_KEY));
  const [isSending, setSending] = useState(false);
  const [person, setPerson] = useState<Person | null>(null);
  useEffect(() => {
    document.title = `登录 - ${site.label}`;
    sessionStorage.removeItem(LOGIN_REASON_KEY);
  }, [site.label]);

  const attempt = async (call: () => Promise<Person>, kind: LoginTab) => {
    setSending(true);
    setMessage(null);
    try {
      const answer = await call();
      if (kind === 'customer' && answer.userList.length === 0) await enter(answer);
      else setPerson(answer);
    } catch (error) {
      const text = error instanceof HttpFault ? error.message : '登录没有完成，请重试';
      if (text === '客户未注册' && link === null) location.assign('/Register');
      setMessage(text);
      document.getElementById('password')?.focus();
    } finally {
      setSending(false);
    }
  };
  const enterByLink = useEffectEvent(() => {
    if (link !== null) void attempt(() => signInByCode(link), 'customer');
  });
  useEffect(() => enterByLink(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = loginFaults(tab, { account: account.trim(), password });
    setFaults(found);
    const [first] = Object.keys(found);
    if (first !== undefined) return document.getElementById(first)?.focus();
    if (!isSending) await attempt(() => signIn(tab, account.trim(), password), tab);
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
            isCustomer={tab === 'customer'}
            onChosen={enterShell}
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

/** A partner with one account needs no picker; some servers open the session at once, others want the position said. */
async function enter(person: Person): Promise<void> {
  if (person.menuList.length > 0) return enterShell(person);
  const roleIdList = person.roleList.map((role) => role.roleId);
  localStorage.setItem('authorization', person.authorization);
  enterShell(
    await http.post<Person>('/sys/setPosition', {
      id: person.id,
      roleId: roleIdList[0] ?? '',
      roleIdList,
      saleId: null,
    }),
  );
}

/** While somebody types, the shell is on its way. */
function prefetchShell(): void {
  prefetched ??= Promise.all([import('./role-picker.tsx'), import('#web/app/show-shell.tsx')]).catch(() => {
    prefetched = null;
  });
}
