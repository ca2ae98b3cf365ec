/**
 * Prints the path of a Chromium that the browser tests can drive. `--install` fetches Debian's package
 * when none is found and we may (root with apt); otherwise the refusal says what to do.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';

const CANDIDATES = [
  process.env.CHROMIUM_PATH,
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
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-cjk'],
    options,
  );
}

let path = find();
if (!path && process.argv.includes('--install')) {
  installWithApt();
  path = find();
}
if (!path) {
  console.error(
    '未找到 Chromium：请安装 chromium（Debian：apt-get install chromium fonts-noto-cjk），或用 CHROMIUM_PATH 指定路径。',
  );
  process.exit(1);
}
console.log(path);
