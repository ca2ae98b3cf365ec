import { join, resolve } from 'node:path';
import { type BackupAddress, readBackupAddress } from './backup/backup-address.ts';
import { StartRefusal } from './start-refusal.ts';

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

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything the environment decides, parsed once at start. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Embedded database, files, outbox, backups. */
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Owner (migrations) and reader (reports) of the same database; null: SET ROLE from `databaseUrl`. */
  readonly ownerDatabaseUrl: string | null;
  readonly readerDatabaseUrl: string | null;
  /** Demo companies and accounts; false is production. */
  readonly isDemo: boolean;
  /** How much business the demo has: none, a first dozen of documents, or all of it. */
  readonly demoData: 'none' | 'small' | 'full';
  /** Password of the first administrator, needed at the first start in production. */
  readonly adminPassword: string | null;
  /** Transport key of passwords: 16, 24 or 32 characters, the same as in the browser's build. */
  readonly aesKey: string;
  /** Silent login; null is off. */
  readonly silentLogin: { readonly secret: string; readonly account: string } | null;
  /** Login by an identity provider; null is off. */
  readonly oidc: OidcConfig | null;
  readonly sms: HttpProvider | null;
  readonly invoice: HttpProvider | null;
  /** Null: mails are written to the outbox folder. */
  readonly mail: MailServer | null;
  readonly s3: S3Config | null;
  readonly backup: BackupConfig;
  /** Bearer token of /metrics; null: this machine only. */
  readonly metricsToken: string | null;
  /** Where users reach the product, for links in messages; `{company}` stands for the company code. Null: by regions.json. */
  readonly publicUrl: string | null;
  /** Proxies whose X-Forwarded headers count. */
  readonly trustProxy: readonly string[];
  readonly resourcesDir: string;
  readonly reportsDir: string;
  /** The built pages. */
  readonly webDir: string;
  /** What installation prepared for a first start; need not be there. */
  readonly seedDir: string;
  readonly logLevel: LogLevel;
}

export const DEMO_AES_KEY = 'erp-demo-aes-key';
/** The password of every demo account. */
export const DEMO_PASSWORD = 'Demo-2026';

/** Guessing goes on where nobody counts the tries. */
const MIN_BACKUP_KEY = 16;

/** It seals the cookie of a login, too. */
const MIN_CLIENT_SECRET = 16;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration (design section 8).
 * @throws StartRefusal with one line that names the variable and the mend.
 */
export function readConfig(env: Environment, cwd = process.cwd()): Config {
  const databaseUrl = readDatabaseUrl(env, 'DATABASE_URL');
  const isDemo = readSwitch(env, 'ERP_DEMO') ?? databaseUrl === null;
  const dataDir = resolve(cwd, text(env, 'ERP_DATA_DIR') ?? './data');
  return {
    port: readPort(env),
    host: text(env, 'HOST') ?? (isDemo ? '127.0.0.1' : '0.0.0.0'),
    dataDir,
    databaseUrl,
    ownerDatabaseUrl: readFurtherUrl(env, 'ERP_OWNER_DATABASE_URL', databaseUrl),
    readerDatabaseUrl: readFurtherUrl(env, 'ERP_READER_DATABASE_URL', databaseUrl),
    isDemo,
    demoData: isDemo ? readDemoData(env) : 'none',
    adminPassword: readAdminPassword(env),
    aesKey: readAesKey(env, isDemo),
    silentLogin: readSilentLogin(env),
    oidc: readOidc(env),
    sms: readProvider(env, 'ERP_SMS'),
    invoice: readProvider(env, 'ERP_INVOICE'),
    mail: readMailServer(env),
    s3: readS3(env),
    backup: readBackup(env, { cwd, dataDir }),
    metricsToken: readMetricsToken(env),
    publicUrl: readPublicUrl(env),
    trustProxy: (text(env, 'ERP_TRUST_PROXY') ?? '')
      .split(',')
      .map((address) => address.trim())
      .filter((address) => address !== ''),
    resourcesDir: resolve(cwd, text(env, 'ERP_RESOURCES_DIR') ?? './resources'),
    // Beside the resources, so that other definitions come with reports of their own.
    reportsDir: resolve(
      cwd,
      text(env, 'ERP_REPORTS_DIR') ?? join(text(env, 'ERP_RESOURCES_DIR') ?? './resources', '../reports'),
    ),
    webDir: resolve(cwd, 'dist/web'),
    seedDir: resolve(cwd, 'dist/seed'),
    logLevel: readLogLevel(env),
  };
}

function text(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}

function refuse(name: string, mend: string): never {
  throw new StartRefusal(`配置错误：${name} ${mend}`);
}

function readPort(env: Environment): number {
  const given = text(env, 'PORT');
  if (given === null) return 8080;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : -1;
  return port >= 0 && port <= 65_535 ? port : refuse('PORT', `应为 0 到 65535 的整数，现为 "${given}"`);
}

function readDatabaseUrl(env: Environment, name: string): string | null {
  const given = text(env, name);
  if (given === null) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol))
    refuse(name, '应为 postgres://用户:密码@主机:端口/数据库');
  return given;
}

function readFurtherUrl(env: Environment, name: string, databaseUrl: string | null): string | null {
  const given = readDatabaseUrl(env, name);
  if (given !== null && databaseUrl === null)
    refuse(name, '已设置，而 DATABASE_URL 未设置；请一并设置或一并去掉');
  return given;
}

function readSwitch(env: Environment, name: string): boolean | null {
  const given = text(env, name);
  if (given === null) return null;
  return given === '1' || given === '0' ? given === '1' : refuse(name, `应为 0 或 1，现为 "${given}"`);
}

function readDemoData(env: Environment): Config['demoData'] {
  const given = text(env, 'ERP_DEMO_DATA') ?? '1';
  if (given === 'small') return given;
  return given === '1'
    ? 'full'
    : given === '0'
      ? 'none'
      : refuse('ERP_DEMO_DATA', `应为 0、1 或 small，现为 "${given}"`);
}

function readAdminPassword(env: Environment): string | null {
  const given = text(env, 'ERP_ADMIN_PASSWORD');
  if (given !== null && (given.length < 8 || given.length > 30))
    refuse('ERP_ADMIN_PASSWORD', '长度应在 8 到 30 个字符');
  return given;
}

function readAesKey(env: Environment, isDemo: boolean): string {
  const given = text(env, 'ERP_AES_KEY');
  if (given === null)
    return isDemo
      ? DEMO_AES_KEY
      : refuse('ERP_AES_KEY', '在生产环境必须设置：16、24 或 32 个字符，与页面构建时一致');
  if (![16, 24, 32].includes(Buffer.byteLength(given, 'utf8')))
    refuse('ERP_AES_KEY', '应为 16、24 或 32 个字符（UTF-8 字节）');
  if (!isDemo && given === DEMO_AES_KEY)
    refuse('ERP_AES_KEY', '不能在生产环境使用演示密钥，请另设 16、24 或 32 个字符');
  return given;
}

function readSilentLogin(env: Environment): Config['silentLogin'] {
  const secret = text(env, 'ERP_TOKEN_SECRET');
  const account = text(env, 'ERP_TOKEN_ACCOUNT');
  if (secret === null && account === null) return null;
  if (secret === null)
    refuse('ERP_TOKEN_SECRET', '未设置，而 ERP_TOKEN_ACCOUNT 已设置；请一并设置或一并去掉');
  if (account === null)
    refuse('ERP_TOKEN_ACCOUNT', '未设置，而 ERP_TOKEN_SECRET 已设置；请一并设置或一并去掉');
  if (secret.length < 16) refuse('ERP_TOKEN_SECRET', '至少 16 个字符');
  return { secret, account };
}

function readOidc(env: Environment): OidcConfig | null {
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

function readProvider(env: Environment, prefix: string): HttpProvider | null {
  const url = text(env, `${prefix}_URL`);
  if (url === null) return null;
  requireHttpUrl(`${prefix}_URL`, url);
  return { url, token: text(env, `${prefix}_TOKEN`) };
}

function readMailServer(env: Environment): MailServer | null {
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

function readS3(env: Environment): S3Config | null {
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

function readBackup(
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

function readMetricsToken(env: Environment): string | null {
  const token = text(env, 'ERP_METRICS_TOKEN');
  if (token !== null && !/^[\x21-\x7e]{16,}$/.test(token))
    refuse('ERP_METRICS_TOKEN', '至少 16 个字符，只含可见的 ASCII 字符，不含空格');
  return token;
}

/** `https://erp.example.com` or `https://{company}.example.com`: an origin, nothing behind it. */
function readPublicUrl(env: Environment): string | null {
  const given = text(env, 'ERP_PUBLIC_URL')?.replace(/\/+$/, '') ?? null;
  if (given === null) return null;
  const sample = given.replace('{company}', 'aa');
  requireHttpUrl('ERP_PUBLIC_URL', sample);
  const { pathname, search, hash, username, password } = new URL(sample);
  if (pathname !== '/' || `${search}${hash}${username}${password}` !== '' || sample.includes('{'))
    refuse('ERP_PUBLIC_URL', `只写协议、主机和端口，如 https://{company}.example.com，现为 "${given}"`);
  return given;
}

function requireHttpUrl(name: string, url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    refuse(name, `应为 http:// 或 https:// 开头的地址，现为 "${url}"`);
}

function readLogLevel(env: Environment): LogLevel {
  const given = text(env, 'LOG_LEVEL');
  if (given === null) return 'info';
  return (
    LOG_LEVELS.find((level) => level === given) ??
    refuse('LOG_LEVEL', `应为 ${LOG_LEVELS.join('、')} 之一，现为 "${given}"`)
  );
}
