import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';

/** Who a definition file belongs to on this machine; `file` where the system does not say, or the file is gone. */
export async function fileAuthor(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found === null || process.platform === 'win32') return UNKNOWN;
  const own = userInfo();
  if (found.uid === own.uid) return own.username;
  return (await accountNames()).get(found.uid) ?? UNKNOWN;
}

const UNKNOWN = 'file';

async function accountNames(): Promise<ReadonlyMap<number, string>> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return new Map(
    text.split('\n').flatMap((line): readonly (readonly [number, string])[] => {
      const [name, , uid] = line.split(':');
      return name === undefined || uid === undefined || uid === '' ? [] : [[Number(uid), name]];
    }),
  );
}
