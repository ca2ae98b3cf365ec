import { ADDRESS } from '#web/data/addresses.ts';
import {
  type FormEvent,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { type LoginFaults, loginFaults, type LoginTab } from '#engine/values/login-form.ts';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { lazyPart } from '#web/faults/lazy-part.tsx';
import { HttpFault } from '#web/data/http.ts';
import { currentSite } from '#web/data/site.ts';
import type { Person } from '#contract/sign-in.ts';
import { LOGIN_REASON_KEY, onSignedInElsewhere } from '#web/data/stored-person.ts';
import {
  codeLogin,
  enterDirectly,
  enterShell,
  isBackFromProvider,
  oidcAddress,
  signIn,
  signInByCode,
  signInByProvider,
  wantedAddress,
  withoutProvider,
} from './login-calls.ts';
import { LoginForm } from './login-form.tsx';
import './login.css';

const NO_REGISTRATION = '该平台暂不支持客户注册！';
/** Long enough to read why one is taken to the registration. */
const BEFORE_REGISTER_MS = 1_500;
const ForgottenDialog = lazyPart(async () => (await import('./forgotten-dialog.tsx')).ForgottenDialog);
const RolePicker = lazyPart(async () => (await import('./role-picker.tsx')).RolePicker);
let prefetched: Promise<unknown> | null = null;

/** The login page: a plain form, so that it stands at once; the role picker and the shell come while typing. */
export function LoginPage() {
  const site = currentSite();
  const isReady = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const [link] = useState(() => codeLogin(new URLSearchParams(location.search)));
  const [isBack] = useState(() => isBackFromProvider(location.search));
  const [tab, setTab] = useState<LoginTab>(() => (link === null ? rememberedTab() : 'customer'));
  const [faults, setFaults] = useState<LoginFaults>({});
  const [message, setMessage] = useState<string | null>(() => sessionStorage.getItem(LOGIN_REASON_KEY));
  const [isSending, setSending] = useState(false);
  const [person, setPerson] = useState<Person | null>(null);
  const [forgotten, setForgotten] = useState<'password' | 'progress' | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    document.title = `登录 - ${site.label}`;
    sessionStorage.removeItem(LOGIN_REASON_KEY);
    // On a phone the keyboard would cover half the page before anybody asked for it.
    // Whoever was quicker than the program stays where he types.
    const isElsewhere = document.activeElement instanceof HTMLInputElement;
    if (link === null && !isElsewhere && matchMedia('(pointer: fine)').matches) focusOn('account');
  }, [site.label, link]);

  const register = () => {
    if (site.coCode !== '' && site.allowRegister) location.assign(ADDRESS.register);
    else setMessage(NO_REGISTRATION);
  };
  const attempt = async (call: () => Promise<Person>, kind: LoginTab) => {
    setSending(true);
    setMessage(null);
    try {
      const answer = await call();
      if (kind === 'customer' && answer.userList.length === 0) await enterDirectly(answer);
      else setPerson(answer);
    } catch (error) {
      const text = error instanceof HttpFault ? error.message : '登录没有完成，请重试';
      setMessage(text);
      focusOn('password');
      if (text === '客户未注册') setTimeout(register, BEFORE_REGISTER_MS);
    } finally {
      setSending(false);
    }
  };
  const enterByLink = useEffectEvent(() => {
    if (link === null) return;
    // Tried once: a reload must not count as one more failure, and the history keeps no code.
    history.replaceState(null, '', ADDRESS.login);
    void attempt(() => signInByCode(link), 'customer');
  });
  useEffect(() => enterByLink(), []);
  const enterByProvider = useEffectEvent(() => {
    if (!isBack) return;
    history.replaceState(null, '', withoutProvider(location.search));
    setTab('management');
    void attempt(signInByProvider, 'management');
  });
  useEffect(() => enterByProvider(), []);
  // What ended the session of all windows is over once one of them has signed in again.
  useEffect(() => onSignedInElsewhere(() => location.assign(wantedAddress(location.search))), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (form.current === null || isSending) return;
    // Read from the form itself: a password manager may fill it without telling.
    const data = new FormData(form.current);
    const [account, password] = [textOf(data, 'account').trim(), textOf(data, 'password')];
    const found = loginFaults(tab, { account, password });
    setFaults(found);
    setMessage(null);
    const [first] = Object.keys(found);
    if (first !== undefined) return focusOn(first);
    await attempt(() => signIn(tab, account, password), tab);
  };
  const change = (next: LoginTab) => {
    setTab(next);
    rememberTab(next);
    setFaults({});
    setMessage(null);
  };

  return (
    <LoginForm
      form={form}
      site={site}
      tab={tab}
      isReady={isReady}
      isSending={isSending}
      faults={faults}
      message={message}
      oidcAddress={isReady ? oidcAddress(location.search) : undefined}
      onTab={change}
      onSubmit={(event) => void submit(event)}
      onInput={() => prefetchShell(tab)}
      onForgotten={setForgotten}
      onRegister={(event) => {
        event.preventDefault();
        register();
      }}
    >
      {forgotten !== null && (
        <FaultBoundary what="找回密码">
          <Suspense fallback={null}>
            <ForgottenDialog
              about={forgotten}
              isCustomer={tab === 'customer'}
              onClose={(done) => {
                setForgotten(null);
                if (done !== undefined) setMessage(done);
              }}
            />
          </Suspense>
        </FaultBoundary>
      )}
      {person !== null && (
        <FaultBoundary what="身份选择">
          <Suspense fallback={null}>
            <RolePicker
              person={person}
              isCustomer={tab === 'customer'}
              onChosen={enterShell}
              onCancel={() => {
                setPerson(null);
                clearPassword(form.current);
              }}
            />
          </Suspense>
        </FaultBoundary>
      )}
    </LoginForm>
  );
}

const TAB_KEY = 'login-tab';
const YEAR_S = 31_536_000;

const neverChanges = () => () => undefined;

/**
 * Whether the page shows at first exactly what the server wrote for a way in: no link is tried, and nothing is said about
 * why the last session ended.
 */
export function isAsWritten(tab: string | undefined): boolean {
  const isPlain = codeLogin(new URLSearchParams(location.search)) === null;
  return isPlain && tab === rememberedTab() && sessionStorage.getItem(LOGIN_REASON_KEY) === null;
}

/** The way in that was used last in this browser; a cookie, since coming here clears the local storage. */
function rememberedTab(): LoginTab {
  const known = /(?:^|; )login-tab=(\w+)/.exec(document.cookie)?.[1];
  return known === 'mobile' || known === 'customer' ? known : 'management';
}

function rememberTab(tab: LoginTab): void {
  document.cookie = `${TAB_KEY}=${tab}; path=/login; max-age=${YEAR_S}; SameSite=Lax`;
}

function focusOn(id: string): void {
  document.getElementById(id)?.focus();
}

function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}

/** Whoever cancelled starts over with the password. */
function clearPassword(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLInputElement>('#password') ?? null;
  if (field === null) return;
  field.value = '';
  field.focus();
}

/**
 * While somebody types, what comes after is on its way: for customers only their light home page, since few of them have
 * a role to pick and the picker brings half of the shell.
 */
function prefetchShell(tab: LoginTab): void {
  if (prefetched !== null) return;
  const parts =
    tab === 'customer'
      ? [import('#web/features/face/show-face.tsx')]
      : [import('./role-picker.tsx'), import('#web/app/show-shell.tsx')];
  prefetched = Promise.all(parts).catch(() => {
    prefetched = null;
  });
}
