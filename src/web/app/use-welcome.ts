import { App } from 'antd';
import { useEffect } from 'react';

/** What the login page had to say: it cannot show messages of its own any more when it has gone. */
export function useWelcome(): void {
  const { message } = App.useApp();
  useEffect(() => {
    const text = sessionStorage.getItem('login-message');
    if (text === null) return;
    sessionStorage.removeItem('login-message');
    void message.success(text);
  }, [message]);
}
