import { ADDRESS } from '#web/data/addresses.ts';
import { useEffect, useState } from 'react';
import { currentSite } from '#web/data/site.ts';
import { forgetApplication, keptApplication } from './kept-application.ts';
import { RegisterForm } from './register-form.tsx';
import { serviceCompany } from './register-calls.ts';
import { OutsideCard } from '#web/features/outside/outside-card.tsx';
import './register.css';

const CLOSED = '该平台暂不支持客户注册！';

/** Customer registration (spec section 2.4): the company is the platform's own. */
export function RegisterPage() {
  const site = currentSite();
  const [rejected] = useState(() => keptApplication(location.search));
  const coCode = rejected?.coDeptnameCode ?? site.coCode;
  const [company, setCompany] = useState(coCode === site.coCode ? site.coName : '');
  const [isDone, setDone] = useState(false);
  const isOpen = site.coCode !== '' && site.allowRegister;
  useEffect(() => {
    if (!isOpen) return;
    serviceCompany(coCode)
      .then((name) => name !== null && setCompany(name))
      .catch(() => undefined);
  }, [coCode, isOpen]);

  return (
    <OutsideCard
      title="客户注册"
      back={{ href: ADDRESS.login, text: isDone ? '现在去登录' : '已有账号，去登录' }}
    >
      {isDone ? (
        <Waiting />
      ) : isOpen ? (
        <RegisterForm
          coCode={coCode}
          coName={company}
          rejected={rejected}
          onDone={() => {
            forgetApplication();
            setDone(true);
          }}
        />
      ) : (
        <p className="register-closed" role="alert">
          {CLOSED}
        </p>
      )}
    </OutsideCard>
  );
}

const SHOWN_MS = 4_000;

/** The success message of spec section 4; the login page follows when it was read. */
function Waiting() {
  useEffect(() => {
    const timer = setTimeout(() => location.assign(ADDRESS.login), SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="register-done" role="status">
      <strong>注册成功，请等待平台审核</strong>
      <p>审核通过后，我们会把登录方式用短信发到您的手机。</p>
    </div>
  );
}
