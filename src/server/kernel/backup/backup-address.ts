import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { S3Config } from '#server/kernel/outside-config.ts';

/** Where backups lie, each in a folder of its own below it. */
export type BackupAddress =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 's3'; readonly s3: S3Config; /** Without slashes around it. */ readonly prefix: string };

/** The store that `s3://` means, and the keys for any. */
export interface S3Service {
  /** Null: only a whole `https://` address says which store it is. */
  readonly url: string | null;
  readonly region: string;
  readonly accessKey: string | null;
  readonly secretKey: string | null;
}

const PREFIX = /^[\w.-]+(\/[\w.-]+)*$/;

/**
 * Reads a folder (path or `file://`), `s3://bucket/prefix` or `https://host/bucket/prefix`.
 * @returns the address, or what is to be mended
 */
export function readBackupAddress(
  text: string,
  { cwd, service }: { readonly cwd: string; readonly service: S3Service },
): BackupAddress | string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { kind: 'folder', folder: resolve(cwd, text) };
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return `不是有效的地址，现为 "${text}"`;
  if (`${url.username}${url.password}` !== '')
    return '不写密钥，密钥由 ERP_S3_ACCESS_KEY 与 ERP_S3_SECRET_KEY 给出';
  if (`${url.search}${url.hash}` !== '') return `不带 ? 与 # 之后的部分，现为 "${text}"`;
  if (url.protocol === 'file:') return folderOf(url, text);
  if (url.protocol === 's3:')
    return service.url === null
      ? '写作 s3://… 时须设置 ERP_S3_URL；或写全地址 https://主机/桶/前缀'
      : bucketOf(service.url, `${url.host}${url.pathname}`, service);
  if (/^https?:$/.test(url.protocol)) return bucketOf(url.origin, url.pathname, service);
  return `应为目录、file://、s3://桶/前缀 或 https://主机/桶/前缀，现为 "${text}"`;
}

function folderOf(url: URL, text: string): BackupAddress | string {
  const isLocal = url.host === '' && !/%2f|%5c/i.test(url.pathname) && isAbsolute(fileURLToPath(url));
  return isLocal ? { kind: 'folder', folder: fileURLToPath(url) } : `应为本机目录 file:///…，现为 "${text}"`;
}

function bucketOf(url: string, path: string, service: S3Service): BackupAddress | string {
  const [bucket = '', ...parts] = path.split('/').filter((part) => part !== '');
  const prefix = parts.join('/');
  if (bucket === '') return '须写明桶，如 s3://桶/前缀';
  if (![bucket, ...parts].every((part) => PREFIX.test(part) && !/^\.+$/.test(part)))
    return `的桶与前缀只含字母、数字和 . _ -，现为 "${path}"`;
  const { region, accessKey, secretKey } = service;
  if (accessKey === null || secretKey === null)
    return '指向对象存储，须设置 ERP_S3_ACCESS_KEY 与 ERP_S3_SECRET_KEY';
  return { kind: 's3', s3: { url, bucket, region, accessKey, secretKey }, prefix };
}
