import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { type Environment, refuse, requireHttpUrl, text } from './environment.ts';
import {
  type BackupConfig,
  type HttpProvider,
  type MailServer,
  type OidcConfig,
  readBackup,
  readMailServer,
  readOidc,
  readProvider,
  readS3,
  type S3Config,
} from './outside-config.ts';

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
    trustProxy: readTrustProxy(env),
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

/** Names of address ranges that stand for themselves. */
const RANGES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

function readTrustProxy(env: Environment): readonly string[] {
  const given = (text(env, 'ERP_TRUST_PROXY') ?? '').split(',').map((address) => address.trim());
  return given
    .filter((address) => address !== '')
    .map((address) =>
      RANGES.has(address) || isAddressOrNet(address)
        ? address
        : refuse(
            'ERP_TRUST_PROXY',
            `应为用逗号分隔的 IP 地址或网段（如 10.0.0.1,192.168.0.0/16），现有 "${address}"`,
          ),
    );
}

/** @example isAddressOrNet('10.0.0.0/8') // true */
function isAddressOrNet(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const kind = isIP(address);
  if (kind === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 4 ? 32 : 128));
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

function readLogLevel(env: Environment): LogLevel {
  const given = text(env, 'LOG_LEVEL');
  if (given === null) return 'info';
  return (
    LOG_LEVELS.find((level) => level === given) ??
    refuse('LOG_LEVEL', `应为 ${LOG_LEVELS.join('、')} 之一，现为 "${given}"`)
  );
}
