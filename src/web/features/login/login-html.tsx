import { Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import { type WrittenLogins, writeLogins } from '#engine/values/written-login.ts';
import { ADDRESS } from '#web/data/addresses.ts';
import { LoginForm } from './login-form.tsx';

/** The login page as the browser shows it first, for the server to write into its page; made once, by the build. */
export function loginHtml(): WrittenLogins {
  return writeLogins(['/', ADDRESS.login], (tab, site) =>
    renderToString(
      // The same boundary as in outside-pages.tsx: taking over compares the two.
      <Suspense fallback={null}>
        <LoginForm
          site={site}
          tab={tab}
          isReady={false}
          isSending={false}
          faults={{}}
          message={null}
          onTab={nothing}
          onSubmit={nothing}
          onInput={nothing}
          onForgotten={nothing}
          onRegister={nothing}
        />
      </Suspense>,
    ),
  );
}

function nothing(): void {}
