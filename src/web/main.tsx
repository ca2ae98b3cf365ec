import { createRoot } from 'react-dom/client';
import { loadSite } from '#web/data/site.ts';
import { clearStored } from '#web/data/stored-person.ts';
import { ROOT } from '#web/app/root.ts';
import './styles/base.css';

/** Two ways in: the login page alone, light; or the shell with everything else. */
async function start(): Promise<void> {
  await loadSite();
  const element = document.getElementById('root');
  if (element === null) return;
  ROOT.current = createRoot(element);
  if (location.pathname === '/' || location.pathname === '/login') {
    clearStored();
    const { LoginPage } = await import('#web/features/login/login-page.tsx');
    ROOT.current.render(<LoginPage />);
    return;
  }
  const { showShell } = await import('#web/app/show-shell.tsx');
  showShell();
}

void start();
