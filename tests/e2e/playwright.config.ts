/** Browser tests on the production build, by two workers with a server of their own each. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { defineConfig } from 'playwright/test';

const root = path.resolve(import.meta.dirname, '../..');
const executablePath = execFileSync('node', [path.join(root, 'scripts/find-browser.mjs')], {
  encoding: 'utf8',
}).trim();

export default defineConfig({
  testDir: '.',
  globalSetup: './support/global-setup.ts',
  testMatch: '**/*.spec.ts',
  outputDir: path.join(root, 'node_modules/.cache/e2e'),
  workers: process.env['E2E_URL'] === undefined ? 2 : 1,
  fullyParallel: false,
  // They only end what hangs: the machine may be busy.
  timeout: 400_000,
  expect: { timeout: 30_000 },
  // On a busy machine a browser may stall: what passes the second time is listed as flaky, on a desk it fails at once.
  retries: process.env['CI'] === undefined ? 0 : 1,
  reporter: [['list']],
  use: {
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // A dialog that still grows moves away under the pointer: no test depends on how fast a machine draws.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
