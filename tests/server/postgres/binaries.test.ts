import { execFileSync } from 'node:child_process';
import { chmod, cp, lstat, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPackage, useCopy, useInPlace } from '#server/kernel/postgres/binaries.ts';

let folder: string;
let root: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'erp-binaries-'));
  root = join(folder, 'package');
  const { root: installed } = await findPackage();
  // As npm leaves it when the install script was blocked.
  await cp(installed, root, {
    recursive: true,
    filter: async (path) => !path.endsWith('.a') && !(await lstat(path)).isSymbolicLink(),
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the programs of the package', () => {
  it('run although the install script that makes their symlinks was blocked', async () => {
    const programs = await useInPlace(root);
    expect(execFileSync(programs?.postgres ?? '', ['--version'], { encoding: 'utf8' })).toMatch(/^postgres \(PostgreSQL\) \d+/); // prettier-ignore
    expect(execFileSync(programs?.initdb ?? '', ['--version'], { encoding: 'utf8' })).toMatch(/^initdb/);
  });

  it('are readable to the database user in a copy, whatever the umask of the install was', async () => {
    await chmod(join(root, 'native', 'share', 'postgresql', 'postgres.bki'), 0o600);
    const before = process.umask(0o077);
    const programs = await useCopy(root, '1', folder).finally(() => process.umask(before));
    expect((await stat(join(folder, 'runtime-1'))).mode & 0o777).toBe(0o755);
    expect(execFileSync(programs.postgres, ['--version'], { encoding: 'utf8' })).toContain('PostgreSQL');
    const { mode } = await stat(join(folder, 'runtime-1', 'native', 'share', 'postgresql', 'postgres.bki'));
    expect(mode & 0o777).toBe(0o644);
    expect(await useCopy(root, '1', folder)).toEqual(programs);
  });
});
