import { describe, expect, it, vi } from 'vitest';
import { DEMO_AES_KEY, readConfig } from '#server/kernel/config.ts';
import { runServer } from '#server/main.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';

const production = {
  DATABASE_URL: 'postgres://erp:secret@db:5432/erp',
  ERP_AES_KEY: '0123456789abcdef',
} as const;

const oidc = {
  ERP_OIDC_ISSUER: 'https://id.example.com',
  ERP_OIDC_CLIENT_ID: 'erp',
  ERP_OIDC_CLIENT_SECRET: '0123456789abcdef',
} as const;

describe('configuration', () => {
  it('is a demo on loopback when nothing is set', () => {
    const config = readConfig({}, '/app');
    expect(config).toMatchObject({
      port: 8080, host: '127.0.0.1', isDemo: true, databaseUrl: null, aesKey: DEMO_AES_KEY, dataDir: '/app/data',
      resourcesDir: '/app/resources', reportsDir: '/app/reports', logLevel: 'info', silentLogin: null, s3: null,
    }); // prettier-ignore
  });

  it('is production on every interface when a database is named', () => {
    const config = readConfig({ ...production, ERP_TRUST_PROXY: '10.0.0.1, 10.0.0.2' }, '/app');
    expect(config).toMatchObject({ host: '0.0.0.0', isDemo: false, trustProxy: ['10.0.0.1', '10.0.0.2'] });
    expect(readConfig({ ...production, ERP_DEMO: '1' }).isDemo).toBe(true);
    expect(readConfig({ ERP_DEMO: '0', ERP_AES_KEY: production.ERP_AES_KEY }).isDemo).toBe(false);
  });

  it.each([
    ['PORT', { PORT: '80a' }],
    ['PORT', { PORT: '70000' }],
    ['ERP_TRUST_PROXY', { ERP_TRUST_PROXY: 'nginx' }],
    ['ERP_TRUST_PROXY', { ERP_TRUST_PROXY: '10.0.0.1, 10.0.0.0/99' }],
    ['ERP_TRUST_PROXY', { ERP_TRUST_PROXY: 'true' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['ERP_DEMO', { ERP_DEMO: 'yes' }],
    ['ERP_AES_KEY', { DATABASE_URL: production.DATABASE_URL }],
    ['ERP_AES_KEY', { ...production, ERP_AES_KEY: DEMO_AES_KEY }],
    ['ERP_AES_KEY', { ERP_AES_KEY: 'short' }],
    ['ERP_ADMIN_PASSWORD', { ERP_ADMIN_PASSWORD: '123' }],
    ['ERP_TOKEN_ACCOUNT', { ERP_TOKEN_SECRET: '0123456789abcdef' }],
    ['ERP_TOKEN_SECRET', { ERP_TOKEN_SECRET: 'short', ERP_TOKEN_ACCOUNT: 'x' }],
    ['ERP_SMS_URL', { ERP_SMS_URL: 'ftp://x' }],
    ['ERP_S3_BUCKET', { ERP_S3_URL: 'https://s3.example.com' }],
    ['ERP_BACKUP_URL', { ERP_BACKUP_URL: 'ftp://backup/erp' }],
    ['ERP_BACKUP_URL', { ERP_BACKUP_URL: 's3://safe/erp', ERP_S3_ACCESS_KEY: 'a', ERP_S3_SECRET_KEY: 'b' }],
    ['ERP_BACKUP_URL', { ERP_BACKUP_URL: 'https://s3.example.com/safe' }],
    ['ERP_BACKUP_URL', { ERP_BACKUP_URL: 'https://a:b@s3.example.com/safe' }],
    ['ERP_BACKUP_URL', { ERP_BACKUP_URL: 'https://s3.example.com/' }],
    ['ERP_BACKUP_URL', { ERP_BACKUP_URL: 'file://host/backups' }],
    ['ERP_BACKUP_KEY', { ERP_BACKUP_KEY: 'short' }],
    ['ERP_METRICS_TOKEN', { ERP_METRICS_TOKEN: 'short' }],
    ['ERP_METRICS_TOKEN', { ERP_METRICS_TOKEN: 'with a blank in the middle' }],
    ['ERP_OIDC_CLIENT_ID', { ERP_OIDC_ISSUER: 'https://id.example.com' }],
    ['ERP_OIDC_ISSUER', { ERP_OIDC_CLIENT_ID: 'erp', ERP_OIDC_CLIENT_SECRET: '0123456789abcdef' }],
    ['ERP_OIDC_ISSUER', { ...oidc, ERP_OIDC_ISSUER: 'http://id.example.com' }],
    ['ERP_OIDC_ISSUER', { ...oidc, ERP_OIDC_ISSUER: 'id.example.com' }],
    ['ERP_OIDC_CLIENT_SECRET', { ...oidc, ERP_OIDC_CLIENT_SECRET: 'short' }],
    ['ERP_PUBLIC_URL', { ERP_PUBLIC_URL: 'erp.example.com' }],
    ['ERP_PUBLIC_URL', { ERP_PUBLIC_URL: 'https://erp.example.com/login' }],
    ['ERP_PUBLIC_URL', { ERP_PUBLIC_URL: 'https://{host}.example.com' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ])('refuses a wrong %s in one line that names it', (name, env) => {
    expect(() => readConfig(env)).toThrow(StartRefusal);
    expect(() => readConfig(env)).toThrow(new RegExp(`^配置错误：${name} [^\n]+$`));
  });
});

describe('the program', () => {
  it('closes whatever it writes to everybody else', async () => {
    const mask = process.umask(0o022);
    const signals = ['SIGTERM', 'SIGINT'] as const;
    const known = signals.map((name) => new Set(process.listeners(name)));
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
      throw new RangeError('ended');
    });
    try {
      await expect(runServer(async () => null, { PORT: 'x' })).rejects.toThrow('ended');
      expect(process.umask()).toBe(0o077);
    } finally {
      exit.mockRestore();
      process.umask(mask);
      for (const [index, name] of signals.entries())
        for (const listener of process.listeners(name))
          if (known[index]?.has(listener) !== true) process.removeListener(name, listener);
    }
  });
});
