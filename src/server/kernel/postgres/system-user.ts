import { spawnSync } from 'node:child_process';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartRefusal } from '#server/kernel/start-refusal.ts';

/** Whom the database runs as: PostgreSQL refuses to run as root. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const USER_NAME = 'trade-erp-db';
const FIRST_UID = 700;
const LAST_UID = 998;

/** The database's own user, made when it is missing; null when this process is not root and can run the server itself. */
export async function databaseUser(): Promise<SystemUser | null> {
  if (process.getuid?.() !== 0) return null;
  const existing = await findUser();
  if (existing !== null) return existing;
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', USER_NAME]);
  const added = await findUser();
  return added ?? appendUser();
}

/** True when the user can enter every folder above `path`. */
export async function canReach(path: string, user: SystemUser): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

async function findUser(): Promise<SystemUser | null> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = users.split('\n').find((line) => line.startsWith(`${USER_NAME}:`))?.split(':'); // prettier-ignore
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
  return fields !== undefined && uid > 0 && gid > 0 ? { uid, gid } : null;
}

/** Small images have no useradd: initdb only needs the passwd entry. */
async function appendUser(): Promise<SystemUser> {
  try {
    const taken = new Set(
      (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':')[2]),
    );
    let uid = LAST_UID;
    while (uid > FIRST_UID && taken.has(String(uid))) uid -= 1;
    await appendFile('/etc/group', `${USER_NAME}:x:${uid}:\n`);
    await appendFile('/etc/passwd', `${USER_NAME}:x:${uid}:${uid}::/nonexistent:/usr/sbin/nologin\n`);
    return { uid, gid: uid };
  } catch (error) {
    throw new StartRefusal(
      `无法以root启动内置数据库：不能创建系统用户 ${USER_NAME}。请改用普通用户运行，或设置 DATABASE_URL。`,
      error,
    );
  }
}
