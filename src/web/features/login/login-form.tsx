import { type FormEventHandler, type MouseEventHandler, type ReactNode, type Ref } from 'react';
import type { Site } from '#contract/meta.ts';
import type { LoginFaults, LoginTab } from '#engine/values/login-form.ts';
import { ADDRESS } from '#web/data/addresses.ts';
import { LoginField } from './login-field.tsx';
import { LoginTabs, tabPanelId } from './login-tabs.tsx';

const ACCOUNT_LABELS = {
  management: '用户名',
  mobile: '手机号',
  customer: '手机号',
} as const satisfies Record<LoginTab, string>;

export interface LoginFormProps {
  readonly site: Site;
  readonly tab: LoginTab;
  /** False while only what the server wrote stands there: one may type, and nothing can be sent yet. */
  readonly isReady: boolean;
  readonly isSending: boolean;
  readonly faults: LoginFaults;
  readonly message: string | null;
  /** Where 统一身份登录 begins; absent while nothing can be sent yet. */
  readonly oidcAddress?: string | undefined;
  readonly form?: Ref<HTMLFormElement>;
  readonly onTab: (tab: LoginTab) => void;
  readonly onSubmit: FormEventHandler;
  readonly onInput: () => void;
  readonly onForgotten: (what: 'password' | 'progress') => void;
  readonly onRegister: MouseEventHandler;
  /** Dialogs. */
  readonly children?: ReactNode;
}

/** What the login page looks like: the server writes it into the page, the browser takes it over (main.tsx). */
export function LoginForm(props: LoginFormProps) {
  const { site, tab, isReady, isSending, faults } = props;
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
        ref={props.form}
        className="login-card"
        onSubmit={props.onSubmit}
        noValidate
        onInput={props.onInput}
      >
        <LoginTabs tab={tab} isReady={isReady} onChange={props.onTab} />
        <div key={tab} id={tabPanelId(tab)} role="tabpanel" aria-labelledby={`tab-${tab}`}>
          <LoginField
            id="account"
            label={ACCOUNT_LABELS[tab]}
            fault={faults.account}
            autoComplete="username"
            inputMode={tab === 'management' ? 'text' : 'numeric'}
          />
          <LoginField
            id="password"
            label="密码"
            type="password"
            isReady={isReady}
            fault={faults.password}
            autoComplete="current-password"
          />
        </div>
        <div className="login-message" role="alert">
          {props.message}
        </div>
        <button
          type="submit"
          className="login-submit"
          disabled={!isReady || isSending}
          aria-busy={isSending || undefined}
        >
          {isSending ? '登录中…' : '登录'}
        </button>
        {site.hasOidc && tab !== 'customer' && (
          <a className="login-oidc" href={props.oidcAddress}>
            用统一身份登录
          </a>
        )}
        <p className="login-ways">
          <button type="button" disabled={!isReady} onClick={() => props.onForgotten('password')}>
            忘记密码
          </button>
          {tab === 'customer' && (
            <button type="button" disabled={!isReady} onClick={() => props.onForgotten('progress')}>
              查询注册进度
            </button>
          )}
        </p>
        <a
          className="login-register"
          href={isReady ? ADDRESS.register : undefined}
          onClick={props.onRegister}
        >
          客户注册
        </a>
      </form>
      <footer>
        <span>{site.copyright}</span>
        {site.hotline !== '' && <span>服务热线：{site.hotline}</span>}
      </footer>
      {props.children}
    </main>
  );
}
