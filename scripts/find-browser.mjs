/**
 * Prints the path of a Chromium that the browser tests can drive: the headless shell before the whole browser, which draws a
 * window around each page and loads the pages of its own address bar with it. `--install` fetches Debian's package when there
 * is none (in CI: no shell) and we may (root with apt); otherwise the refusal says what to do.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';

const SHELL = '/usr/bin/chromium-headless-shell';
const CANDIDATES = [
  process.env.CHROMIUM_PATH,
  SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const find = () => CANDIDATES.find((path) => path && existsSync(path));

function installWithApt() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const install = (browser) => {
    execFileSync('apt-get', ['update', '-qq'], options);
    const packages = [browser, 'fonts-noto-cjk'];
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
  };
  try {
    install('chromium-headless-shell');
  } catch {
    if (!find()) install('chromium');
  }
}

let path = find();
// A desk keeps the browser that it has; the machine that decides what lands takes the fast one.
const isWanted = !path || (process.env.CI && path !== SHELL && path !== process.env.CHROMIUM_PATH);
if (process.argv.includes('--install') && isWanted) {
  installWithApt();
  path = find();
}
if (!path) {
  console.error(
    '未找到 Chromium：请安装 chromium（Debian：apt-get install chromium-headless-shell fonts-noto-cjk），或用 CHROMIUM_PATH 指定路径。',
  );
  process.exit(1);
}
console.log(path);
