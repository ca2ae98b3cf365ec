import '@ant-design/v5-patch-for-react-19';
import { defineTradeChecks } from './trade-checks.ts';
import { ROOT } from './root.ts';
import { Shell } from './shell.tsx';

/** Shows the application behind the login. */
export function showShell(): void {
  defineTradeChecks();
  ROOT.current?.render(<Shell />);
}
