import { useEffect, useState } from 'react';
import { currentSite } from '#web/data/site.ts';
import { RegisterForm } from './register-form.tsx';
import { serviceCompany } from './register-calls.ts';
import './register.css';

const CLOSED = '该平台暂不支持客户注册！';

/** Customer registration (spec section 2.4): the company is the platform's own. */
export function RegisterPage() {
  const site = currentSite();
  const [company, setCompany] = useState(site.coName);
  const [isDone, setDone] = useState(false);
  const isOpen = site.coCode !== '' && site.allowRegister;
  useEffect(() => {
    document.title = `客户注册 - ${site.label}`;
    if (!isOpen) return;
    serviceCompany(site.coCode)
      .then((name) => name !== null && setCompany(name))
      .catch(() => undefined);
  }, [site, isOpen]);

  return (
    <main
      className="register"
      style={site.background === null ? undefined : { backgroundImage: `url(${site.background})` }}
    >
      <section className="register-card" aria-labelledby="register-title">
        <header>
          <p>{site.label}</p>
          <h1 id="register-title">客户注册</h1>
        </header>
        {isDone ? (
          <Waiting />
        ) : isOpen ? (
          <RegisterForm coCode={site.coCode} coName={company} onDone={() => setDone(true)} />
        ) : (
          <p className="register-closed" role="alert">
            {CLOSED}
          </p>
        )}
        <a className="register-back" href="/login">
          {isDone ? '现在去登录' : '已有账号，去登录'}
        </a>
      </section>
      <footer>
        {site.copyright} {site.hotline === '' ? '' : `服务热线：${site.hotline}`}
      </footer>
    </main>
  );
}

const SHOWN_MS = 4_000;

/** The success message of spec section 4; the login page follows when it was read. */
function Waiting() {
  useEffect(() => {
    const timer = setTimeout(() => location.assign('/login'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="register-done" role="status">
      <strong>注册成功，请等待平台审核</strong>
      <p>审核通过后，我们会把登录方式用短信发到您的手机。</p>
    </div>
  );
}
