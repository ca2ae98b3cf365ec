import { join } from 'node:path';
import { type BackupAddress, readBackupAddress } from './backup/backup-address.ts';
import { type Environment, refuse, requireHttpUrl, text } from './environment.ts';

export interface HttpProvider {
  readonly url: string;
  readonly token: string | null;
}

export interface MailServer {
  /** `smtp://user:password@host:port`, `smtps://` with TLS from the beginning. */
  readonly url: string;
  /** Who mails come from. */
  readonly from: string;
  /** How long one answer of it is waited for. */
  readonly timeoutMs: number;
}

export interface S3Config {
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The client of an identity provider (OpenID Connect). */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface BackupConfig {
  readonly address: BackupAddress;
  /** Null: backups are not encrypted. */
  readonly key: string | null;
}

/** Guessing goes on where nobody counts the tries. */
const MIN_BACKUP_KEY = 16;

/** It seals the cookie of a login, too. */
const MIN_CLIENT_SECRET = 16;

/** The identity provider that people log in by, or null. @throws StartRefusal where it is half set or wrong */
export function readOidc(env: Environment): OidcConfig | null {
  const names = ['ERP_OIDC_ISSUER', 'ERP_OIDC_CLIENT_ID', 'ERP_OIDC_CLIENT_SECRET'] as const;
  if (names.every((name) => text(env, name) === null)) return null;
  const [issuer, clientId, clientSecret] = names.map(
    (name) => text(env, name) ?? refuse(name, `未设置；${names.join('、')} 请一并设置或一并去掉`),
  ) as [string, string, string];
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  const isLocal = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    refuse('ERP_OIDC_ISSUER', `应为 https:// 开头的签发方地址（http:// 只用于本机），现为 "${issuer}"`);
  if (clientSecret.length < MIN_CLIENT_SECRET)
    refuse('ERP_OIDC_CLIENT_SECRET', `至少 ${MIN_CLIENT_SECRET} 个字符`);
  return { issuer, clientId, clientSecret };
}

/** A service that is asked over HTTP, or null. @throws StartRefusal where it is half set or wrong */
export function readProvider(env: Environment, prefix: string): HttpProvider | null {
  const url = text(env, `${prefix}_URL`);
  if (url === null) return null;
  requireHttpUrl(`${prefix}_URL`, url);
  return { url, token: text(env, `${prefix}_TOKEN`) };
}

/** The server that takes mails, or null: they are written to the outbox folder. @throws StartRefusal where it is half set or wrong */
export function readMailServer(env: Environment): MailServer | null {
  const url = text(env, 'ERP_SMTP_URL');
  if (url === null) return null;
  if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol) || new URL(url).hostname === '')
    refuse('ERP_SMTP_URL', '应为 smtp://用户:密码@主机:端口 或 smtps://…');
  const from = text(env, 'ERP_MAIL_FROM') ?? refuse('ERP_MAIL_FROM', '未设置，而 ERP_SMTP_URL 已设置');
  if (!/[^\s@<>]+@[^\s@<>]+/.test(from)) refuse('ERP_MAIL_FROM', `应为邮箱地址，现为 "${from}"`);
  const timeout = text(env, 'ERP_SMTP_TIMEOUT_MS') ?? '20000';
  if (!/^\d{3,6}$/.test(timeout)) refuse('ERP_SMTP_TIMEOUT_MS', `应为 100 到 999999，现为 "${timeout}"`);
  return { url, from, timeoutMs: Number(timeout) };
}

/** The store of files, or null: they lie in the data directory. @throws StartRefusal where it is half set or wrong */
export function readS3(env: Environment): S3Config | null {
  const url = text(env, 'ERP_S3_URL');
  if (url === null) return null;
  requireHttpUrl('ERP_S3_URL', url);
  const need = (name: string): string => text(env, name) ?? refuse(name, '未设置，而 ERP_S3_URL 已设置');
  return {
    url: url.replace(/\/+$/, ''),
    bucket: need('ERP_S3_BUCKET'),
    region: s3Region(env),
    accessKey: need('ERP_S3_ACCESS_KEY'),
    secretKey: need('ERP_S3_SECRET_KEY'),
  };
}

function s3Region(env: Environment): string {
  return text(env, 'ERP_S3_REGION') ?? 'us-east-1';
}

/** Where backups go, and what they are sealed with. @throws StartRefusal where it is half set or wrong */
export function readBackup(
  env: Environment,
  { cwd, dataDir }: { readonly cwd: string; readonly dataDir: string },
): BackupConfig {
  const service = {
    url: text(env, 'ERP_S3_URL')?.replace(/\/+$/, '') ?? null,
    region: s3Region(env),
    accessKey: text(env, 'ERP_S3_ACCESS_KEY'),
    secretKey: text(env, 'ERP_S3_SECRET_KEY'),
  };
  const given = text(env, 'ERP_BACKUP_URL') ?? join(dataDir, 'backups');
  const address = readBackupAddress(given, { cwd, service });
  if (typeof address === 'string') refuse('ERP_BACKUP_URL', address);
  const key = text(env, 'ERP_BACKUP_KEY');
  if (key !== null && key.length < MIN_BACKUP_KEY)
    refuse('ERP_BACKUP_KEY', `至少 ${MIN_BACKUP_KEY} 个字符，请妥善另存：没有它备份无法恢复`);
  return { address, key };
}
