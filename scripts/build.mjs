/**
 * Builds what `npm start` runs: the pages into dist/web (when src/web has an index.html), compressed beside the originals,
 * and the server into dist/server. A stamp tells from which sources and with which transport key.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = join(ROOT, 'dist', 'stamp.json');
const SEED = join(ROOT, 'dist', 'seed');
const CONFIG = join(ROOT, 'vite.config.ts');
const DEMO_AES_KEY = 'erp-demo-aes-key';
const SOURCES = [
  'src',
  'scripts/demo',
  'scripts/serve.ts',
  'scripts/make-seed.ts',
  'scripts/speak-chinese.ts',
  'scripts/start-ahead.ts',
  'package-lock.json',
  'vite.config.ts',
  'package.json',
];
const COMPRESSED = /\.(js|css|html|svg|json|ttf|wasm)$/;
const SEED_TIMEOUT_MS = 180_000;
const MIN_COMPRESSED_BYTES = 1_024;

/** Hash of every source and of the key: the output is stale when it differs. */
export async function sourceHash() {
  const hash = createHash('sha256').update(process.env.ERP_AES_KEY ?? DEMO_AES_KEY);
  for (const source of SOURCES) await hashPath(hash, join(ROOT, source));
  return hash.digest('hex');
}

/** True when dist holds a build of the sources as they are. Sources that look as they did are not read again. */
export async function isBuilt() {
  const stamp = JSON.parse(await readFile(STAMP, 'utf8').catch(() => '{}'));
  const looks = sourceLooks();
  if (stamp.looks === looks) return true;
  if (stamp.sources !== (await sourceHash())) return false;
  await writeFile(STAMP, JSON.stringify({ ...stamp, looks }));
  return true;
}

/** Hash of names, times and sizes of the sources, and of the key. */
function sourceLooks() {
  const hash = createHash('sha256').update(process.env.ERP_AES_KEY ?? DEMO_AES_KEY);
  for (const source of SOURCES) lookAt(hash, join(ROOT, source));
  return hash.digest('hex');
}

function lookAt(hash, path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory()) for (const name of readdirSync(path).sort()) lookAt(hash, join(path, name));
  else
    hash.update(`${path.slice(ROOT.length)} ${found.mtimeMs} ${found.ctimeMs} ${found.size} ${found.ino}\n`);
}

/** Builds pages and server. */
async function build() {
  const { build: viteBuild } = await import('vite');
  await rm(STAMP, { force: true });
  await rm(SEED, { recursive: true, force: true });
  const looks = sourceLooks();
  const sources = await sourceHash();
  const hasPages = await exists(join(ROOT, 'src', 'web', 'index.html'));
  if (hasPages) await buildPages(viteBuild);
  await viteBuild({ configFile: CONFIG, logLevel: 'warn', build: { ssr: true } });
  if (hasPages) await writeLogins();
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  await writeFile(STAMP, JSON.stringify({ sources, looks, at: new Date().toISOString() }));
}

async function buildPages(viteBuild) {
  await viteBuild({ configFile: CONFIG, logLevel: 'warn' });
  const web = join(ROOT, 'dist', 'web');
  const stamp = await stampOf(web);
  await putStamp(join(web, 'index.html'), stamp);
  await compressAll(web);
  const transportKey = fingerprint(process.env.ERP_AES_KEY ?? DEMO_AES_KEY);
  await writeFile(join(web, 'build.json'), JSON.stringify({ stamp, transportKey }));
}

/** The login page as HTML: the server writes it into its page, so that it stands before the program has come. */
async function writeLogins() {
  const { loginHtml } = await import(pathToFileURL(join(ROOT, 'dist', 'server', 'login-html.js')).href);
  await writeFile(join(ROOT, 'dist', 'web', 'login.json'), JSON.stringify(loginHtml()));
}

/** The same for the same pages: the files carry the hashes of their contents in their names. */
async function stampOf(web) {
  const names = await readdir(web, { recursive: true });
  return createHash('sha256').update(names.sort().join('\n')).digest('hex').slice(0, 16);
}

/** An open page compares its own stamp with the server's. */
async function putStamp(page, stamp) {
  const html = await readFile(page, 'utf8');
  await writeFile(page, html.replace('</head>', `<meta name="build" content="${stamp}" /></head>`));
}

/** The same as keyFingerprint in src/server/auth/transport-cipher.ts. */
function fingerprint(key) {
  return createHash('sha256').update(`erp transport key ${key}`).digest('hex').slice(0, 16);
}

async function compressAll(folder) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue;
    const bytes = await readFile(path);
    if (bytes.length < MIN_COMPRESSED_BYTES) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: bytes.length > 2_000_000 ? 7 : 11 };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
}

async function hashPath(hash, path) {
  const found = await stat(path).catch(() => null);
  if (found === null) return;
  if (found.isFile()) {
    hash.update(path.slice(ROOT.length)).update(await readFile(path));
    return;
  }
  for (const name of (await readdir(path)).sort()) await hashPath(hash, join(path, name));
}

function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** What a first start begins with; on its way it has a database running, which it ends when it is told to. */
async function makeSeed() {
  const program = join(ROOT, 'dist', 'server', 'make-seed.js');
  await promisify(execFile)(process.execPath, [program], { cwd: ROOT, timeout: SEED_TIMEOUT_MS });
}

/**
 * `--stale` builds only what is missing or old; `--install` too, prepares first starts, and leaves both to `npm start`
 * where it cannot.
 */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , how] = process.argv;
  try {
    if (how === undefined || !(await isBuilt())) await build();
    // A server beside the application is filled by its first start.
    if (how === '--install' && !process.env.DATABASE_URL) await makeSeed();
  } catch (error) {
    if (how !== '--install') throw error;
    process.stderr.write(
      `安装时未能准备好，npm start 时再做：${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}
