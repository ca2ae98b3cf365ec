import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BackupConfig } from '#server/kernel/outside-config.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { readBackupAddress } from './backup-address.ts';
import { type BackupPlace, createFolderPlace, placeBelow, placeToRead, sealedPlace } from './backup-place.ts';
import { MANIFEST } from './manifest.ts';

/** Said once a backup that anybody can read. */
export const UNSEALED_WARNING = '警告：ERP_BACKUP_KEY 未设置，备份未加密。';

/** Where a new backup goes, sealed when there is a key: the folder that was named, or one below ERP_BACKUP_URL. */
export function newBackup(
  { address, key }: BackupConfig,
  named: { readonly argument?: string | undefined; readonly name: string },
): BackupPlace {
  const place =
    named.argument === undefined
      ? placeBelow(address, named.name)
      : createFolderPlace(folderOf(named.argument));
  return sealedPlace(place, key);
}

/** `2026-03-01T020000`: the name of a backup made then, in UTC. */
export function backupName(now: Date): string {
  return now.toISOString().replaceAll(':', '').slice(0, 17);
}

/**
 * The backup that a restore names: a folder, or the name of one below ERP_BACKUP_URL.
 * @throws StartRefusal when it is sealed and there is no key
 */
export async function backupToRead({ address, key }: BackupConfig, argument: string): Promise<BackupPlace> {
  const isName = /^[\w.-]+$/.test(argument) && !(await isFolder(argument));
  const place = isName ? placeBelow(address, argument) : createFolderPlace(folderOf(argument));
  return placeToRead(place, { key, first: MANIFEST });
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(resolve(path)).catch(() => null);
  return found?.isDirectory() === true;
}

function folderOf(argument: string): string {
  const service = { url: null, region: '', accessKey: null, secretKey: null };
  const address = readBackupAddress(argument, { cwd: process.cwd(), service });
  if (typeof address !== 'string' && address.kind === 'folder') return address.folder;
  throw new StartRefusal('对象存储的地址请写在 ERP_BACKUP_URL 中，命令后只写备份的名字或本机目录。');
}
