import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, findPackage, useCopy, useInPlace } from './binaries.ts';
import { canReach, databaseUser, type SystemUser } from './system-user.ts';

/** Where programs and data lie, and as whom and from where the server is run. */
export interface Placement {
  readonly binaries: Binaries;
  /** The folder of the database: owner file, password, log and cluster. */
  readonly home: string;
  readonly cluster: string;
  /** How the server itself names a data folder while it stands in it. */
  readonly nameOf: (folder: string) => string;
  /** null: as ourselves. */
  readonly user: SystemUser | null;
}

/** Programs of a root process whose own folders nobody else can enter. */
const SHARED_FOLDER = '/var/lib/trade-erp';

/** Chooses programs, user and folders for the database under `home`, and makes the folders that are missing. */
export async function placeDatabase(home: string): Promise<Placement> {
  const user = await databaseUser();
  await mkdir(home, { recursive: true, mode: 0o755 });
  const place = { home, cluster: join(home, 'cluster'), user };
  const { root, version } = await findPackage();
  if (user === null) {
    const binaries = (await useInPlace(root)) ?? (await useCopy(root, version, home));
    return { ...place, binaries, nameOf: (folder) => folder };
  }
  await chown(home, user.uid, user.gid);
  await chmod(home, 0o755);
  const isReachable = await canReach(join(home, 'cluster'), user);
  return {
    ...place,
    binaries: await binariesFor(user, root, version, isReachable ? home : SHARED_FOLDER),
    // Below a folder with mode 0700 the path is closed to the user, but the server is started standing in its
    // folder and may come back to it through this link.
    nameOf: (folder) => (isReachable ? folder : '/proc/self/cwd'),
  };
}

async function binariesFor(
  user: SystemUser,
  root: string,
  version: string,
  folder: string,
): Promise<Binaries> {
  const inPlace = await useInPlace(root);
  if (inPlace !== null && (await canReach(inPlace.postgres, user)) && (await isOpen(inPlace.postgres)))
    return inPlace;
  return useCopy(root, version, folder);
}

async function isOpen(program: string): Promise<boolean> {
  const { mode } = await stat(program);
  return (mode & 0o005) === 0o005;
}
