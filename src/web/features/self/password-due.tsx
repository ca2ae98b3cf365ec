import { Alert, Button } from 'antd';
import { logOut } from '#web/data/log-out.ts';
import { storedPerson, storePerson } from '#web/data/stored-person.ts';
import { PasswordForm } from './password-form.tsx';
import './self.css';

/** Instead of the application, while a password stands that was made for the person. */
export function PasswordDue() {
  const person = storedPerson();
  return (
    <main className="password-due">
      <h1>请先修改登录密码</h1>
      <Alert
        type="info"
        showIcon
        message={`${person?.name ?? ''}您好，当前密码由系统生成，请先设置自己的密码，再继续使用。`}
      />
      <PasswordForm
        onChanged={() => {
          if (person !== null) storePerson({ ...person, mustChangePassword: false });
        }}
      />
      <Button type="link" onClick={() => void logOut().then((next) => location.assign(next))}>
        退出登录
      </Button>
    </main>
  );
}
