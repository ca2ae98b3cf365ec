import { Client } from 'pg';
import { StartRefusal } from '#server/kernel/start-refusal.ts';

/** How a role of the database is reached: by its own login, or by a login that puts the role on. */
export interface RoleLogin {
  readonly url: string;
  /** Put on with the connection; null: the login is the role. */
  readonly role: string | null;
}

/** The three roles of design section 5. */
export interface DatabaseRoles {
  /** Makes and changes tables. */
  readonly owner: RoleLogin;
  /** Serves requests: no superuser, and ledgers only grow under it. */
  readonly application: RoleLogin;
  /** Only reads. */
  readonly reader: RoleLogin;
  /** Whom migrations open the tables to; null when this server has one role for everything. */
  readonly grantees: Grantees | null;
}

/** Names of the roles that tables are opened to. */
export interface Grantees {
  readonly application: string;
  readonly reader: string;
}

/** The roles that are put on where no login of their own is configured. */
export const APPLICATION_ROLE = 'erp_app';
export const READER_ROLE = 'erp_reader';

/** Long: definitions are read at the same time and may hold this process up on a busy machine. */
const START_CONNECT_MS = 60_000;

interface RoleUrls {
  readonly databaseUrl: string;
  readonly ownerUrl: string | null;
  readonly readerUrl: string | null;
  readonly isDemo: boolean;
}

/**
 * Finds out how the three roles are reached on a configured server. What has no login of its own is put on with SET
 * ROLE where the login may, the role being made where it may be made.
 * @throws StartRefusal when the application would be a superuser, or a server cannot be reached
 */
export async function resolveRoles(urls: RoleUrls, warn: (text: string) => void): Promise<DatabaseRoles> {
  const { databaseUrl, ownerUrl, readerUrl, isDemo } = urls;
  const owner = ownerUrl === null ? null : await withClient(ownerUrl, 'ERP_OWNER_DATABASE_URL', whoIs);
  const login = await withClient(databaseUrl, 'DATABASE_URL', async (client) => {
    const { name, isSuper } = await whoIs(client);
    if (isSuper && !isDemo) throw refuseSuperuser('DATABASE_URL', name);
    const isApart = owner !== null && !isSuper && owner.name !== name;
    return {
      name,
      isApart,
      application: isApart ? null : await putOn(client, APPLICATION_ROLE),
      reader: readerUrl === null ? await putOn(client, READER_ROLE) : null,
    };
  });
  const application = { url: databaseUrl, role: login.application };
  const applicationName = login.isApart ? login.name : login.application;
  if (applicationName === null)
    warn(
      `DATABASE_URL 的用户 "${login.name}" 不能切换到角色 ${APPLICATION_ROLE}，应用将以表的所有者身份运行。请设置 ERP_OWNER_DATABASE_URL，或授予该角色。`,
    );
  const reader =
    readerUrl === null
      ? { ...application, role: login.reader ?? login.application }
      : { url: readerUrl, role: null };
  const readerName = readerUrl === null ? reader.role : await nameOfReader(readerUrl, isDemo);
  return {
    owner: { url: ownerUrl ?? databaseUrl, role: null },
    application,
    reader,
    grantees:
      applicationName === null
        ? null
        : { application: applicationName, reader: readerName ?? applicationName },
  };
}

async function nameOfReader(url: string, isDemo: boolean): Promise<string> {
  const { name, isSuper } = await withClient(url, 'ERP_READER_DATABASE_URL', whoIs);
  if (isSuper && !isDemo) throw refuseSuperuser('ERP_READER_DATABASE_URL', name);
  return name;
}

function refuseSuperuser(variable: string, name: string): StartRefusal {
  return new StartRefusal(
    `配置错误：${variable} 的用户 "${name}" 是数据库超级用户，生产环境的应用不能以超级用户运行。请为应用另建普通用户，并用 ERP_OWNER_DATABASE_URL 指定建表的所有者。`,
  );
}

async function whoIs(client: Client): Promise<{ name: string; isSuper: boolean }> {
  const { rows } = await client.query<{ name: string; super: boolean }>(
    'select rolname as name, rolsuper as super from pg_roles where rolname = current_user',
  );
  return { name: rows[0]?.name ?? '', isSuper: rows[0]?.super === true };
}

/** The role when this login may put it on, after making it where that is allowed; else null. */
async function putOn(client: Client, role: string): Promise<string | null> {
  if (await mayPutOn(client, role)) return role;
  await makeRole(client, role);
  return (await mayPutOn(client, role)) ? role : null;
}

async function mayPutOn(client: Client, role: string): Promise<boolean> {
  return succeeds(async () => {
    await client.query(`set role ${role}`);
    await client.query('reset role');
  });
}

/** Processes may do this at once, and most logins may not do it at all: what counts is whether the role can be put on afterwards. */
async function makeRole(client: Client, role: string): Promise<void> {
  await succeeds(() => client.query(`create role ${role} nologin`));
  await succeeds(() => client.query(`grant ${role} to current_user`));
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  );
}

async function withClient<T>(url: string, variable: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: START_CONNECT_MS });
  // A broken connection shows in the next statement.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new StartRefusal(`无法连接数据库，请检查 ${variable} 的主机、端口、用户与密码。`, error);
  }
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
