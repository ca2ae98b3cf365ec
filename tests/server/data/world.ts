import type { RoleDuty } from '#engine/access/role-duties.ts';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
import { buildCatalog } from '#engine/schema/build-catalog.ts';
import { expandResource } from '#engine/schema/expand-resource.ts';
import type { Setup } from '#engine/schema/setup-files.ts';
import type { Catalog, RoleDefinition, Subject } from '#engine/schema/resource.ts';
import { staffSubjects } from '#server/auth/subject.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { migrate } from '#server/kernel/migrations/migrate.ts';
import { type Call, openCall } from '#server/records/call/open-call.ts';
import { loadOverrides, overridesOf, paramsOf } from '#server/records/call/overrides.ts';
import { buildFollowing } from '#server/workflow/following.ts';
import {
  buildRuleRegistry,
  type Check,
  type Effect,
  type RuleSet,
} from '#server/records/rules/rule-registry.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { createTestDatabase } from '../../support/database.ts';
import { FIXTURES } from './fixtures.ts';

/** Operations on a database of their own: fixture resources, people, a clock that stands still. */
export interface World {
  readonly services: Services;
  readonly db: Database;
  readonly notices: { event: string; to: readonly string[]; title: string }[];
  readonly callerOf: (person: Partial<Subject>) => Caller;
  readonly open: (person: Partial<Subject>, key: string, operation: string) => Call;
  readonly setClock: (iso: string) => void;
  readonly close: () => Promise<void>;
}

export const IDS = {
  sales: '00000000-0000-7000-8000-000000000001',
  other: '00000000-0000-7000-8000-000000000002',
  manager: '00000000-0000-7000-8000-000000000003',
  finance: '00000000-0000-7000-8000-000000000004',
  finance2: '00000000-0000-7000-8000-000000000005',
  boss: '00000000-0000-7000-8000-000000000006',
  admin: '00000000-0000-7000-8000-000000000007',
  foreign: '00000000-0000-7000-8000-000000000008',
  department: '00000000-0000-7000-8000-0000000000d1',
} as const;

const ROLES: readonly RoleDefinition[] = [
  aRole('SP', 'target'),
  aRole('DM', 'dept', 'department_head'),
  aRole('FN', 'company'),
  aRole('GM', 'company', 'last_approver'),
  aRole('AD', 'all', 'administration'),
  aRole('PT', 'partner', 'partner'),
];

function aRole(code: string, row_scope: string, duty?: RoleDuty): RoleDefinition {
  return {
    code,
    name: code,
    row_scope,
    can_represent: false,
    hidden_paths: [],
    ...(duty === undefined ? {} : { duty }),
  };
}

/** Asks for a field of the buyer that salespeople do not see beside one that they do. */
const PRINTS: Setup['prints'] = {
  contract: {
    print: 'contract',
    resource: 'contract',
    title: '合同',
    language: 'zh',
    blocks: [
      {
        kind: 'fields',
        items: [
          { label: '国别', value: '{buyer_id.country}' },
          { label: '风险', value: '{buyer_id.risk_level}' },
        ],
      },
    ],
  },
};

/** Rules of a test, which declare nothing. */
export interface PlainRules {
  readonly checks?: Readonly<Record<string, Check>>;
  readonly effects?: Readonly<Record<string, Effect>>;
}

function declared({ checks = {}, effects = {} }: PlainRules): RuleSet {
  const named = <Run>(rules: Readonly<Record<string, Run>>) =>
    Object.fromEntries(Object.entries(rules).map(([name, run]) => [name, { run, reads: [], why: 'test' }]));
  return { checks: named(checks), effects: named(effects) };
}

export async function aWorld(
  options: {
    readonly definitions?: readonly ResourceDefinition[];
    readonly rules?: PlainRules;
    readonly accounts?: Catalog['accounts'];
    readonly events?: Setup['events'];
  } = {},
): Promise<World> {
  const definitions = options.definitions ?? FIXTURES;
  const catalog = {
    ...aCatalog(definitions),
    ...(options.accounts === undefined ? {} : { accounts: options.accounts }),
  };
  const database = await createTestDatabase({
    key: `world ${JSON.stringify(definitions)}`,
    fill: async (url) => {
      const db = openDatabase({ url });
      try {
        await migrate(db, catalog);
        await seedPeople(db);
      } finally {
        await db.close();
      }
    },
  });
  const db = openDatabase({ url: database.url });
  let now = new Date('2026-03-31T02:00:00Z');
  const notices: World['notices'] = [];
  const services = {
    db,
    walled: {
      behind: () => db,
      watched: (
        _wall: unknown,
        { text, values }: { readonly text: string; readonly values: readonly unknown[] },
      ) => db.query(text, values),
    },
    clock: () => now,
    rules: buildRuleRegistry([declared(options.rules ?? {})]),
    log: { error: console.error, warn: () => undefined, info: () => undefined },
    bus: { id: 'test', publish: async () => undefined },
    notices: {
      notify: async (_tx: unknown, notice: World['notices'][number]) => {
        notices.push(notice);
      },
      settle: async () => undefined,
    },
    following: buildFollowing({
      endSessions: async () => undefined,
      subjectsOf: (on, personId) => staffSubjects(on, personId, now),
    }),
    definitions: {
      catalog: () => catalog,
      setup: () => ({
        files: {},
        events: options.events ?? {},
        flows: [],
        dictionaries: [],
        roles: [],
        menu: [],
        pages: [],
        prints: PRINTS,
      }),
      refreshOverrides: async () => {
        await loadOverrides(services);
      },
    },
  } as unknown as Services;
  await loadOverrides(services);
  const callerOf = (person: Partial<Subject>): Caller => {
    const subject = aSubject(person);
    return {
      subject,
      sessionId: 's',
      requestId: 'r',
      address: '127.0.0.1',
      context: {
        subject,
        today: now.toISOString().slice(0, 10),
        now: now.toISOString(),
        params: paramsOf(overridesOf(services), subject.co_code, now.toISOString().slice(0, 10)),
        rate: (currency) => (currency === 'CNY' ? '1' : currency === 'USD' ? '7.1' : null),
      },
    };
  };
  return {
    services,
    db,
    notices,
    callerOf,
    open: (person, key, operation) => openCall(services, callerOf(person), key, operation),
    setClock: (iso) => {
      now = new Date(iso);
    },
    close: async () => {
      await db.close();
      await database.drop();
    },
  };
}

export function aSubject(changes: Partial<Subject> = {}): Subject {
  const id = changes.id ?? IDS.sales;
  return {
    id,
    personid: 'sp.aa',
    name: '张三',
    kind: 'staff',
    role_code: 'SP',
    role_codes: ['SP'],
    co_code: 'AA',
    dept_code: 'D1',
    dept_codes: ['D1'],
    sales_ids: [id],
    sales_id: id,
    partner_id: null,
    super_permission: false,
    scope_override: null,
    ...changes,
  };
}

export const SALES: Partial<Subject> = { id: IDS.sales, role_code: 'SP' };
export const OTHER: Partial<Subject> = { id: IDS.other, role_code: 'SP', name: '李四' };
export const MANAGER: Partial<Subject> = { id: IDS.manager, role_code: 'DM', name: '王经理' };
export const FINANCE: Partial<Subject> = { id: IDS.finance, role_code: 'FN', name: '赵会计' };
export const FINANCE2: Partial<Subject> = { id: IDS.finance2, role_code: 'FN', name: '钱会计' };
export const BOSS: Partial<Subject> = { id: IDS.boss, role_code: 'GM', name: '总经理' };
export const ADMIN: Partial<Subject> = { id: IDS.admin, role_code: 'AD', name: '管理员' };
export const FOREIGN: Partial<Subject> = { id: IDS.foreign, role_code: 'SP', co_code: 'AE', name: '外公司' };

function aCatalog(definitions: readonly ResourceDefinition[]): Catalog {
  const resources = definitions.map((definition) => expandResource(definition, JSON.stringify(definition)));
  return {
    ...buildCatalog({ resources, dictionaries: [], roles: [], menu: [] }),
    dictionaries: {
      incoterm: {
        name: 'incoterm',
        label: '成交方式',
        builtin: false,
        items: [
          { value: 'FOB', label: '离岸价' },
          { value: 'CIF', label: '到岸价' },
        ],
      },
      business_type: {
        name: 'business_type',
        label: '业务类型',
        builtin: true,
        items: [
          { value: 'agency', label: '代理' },
          { value: 'self', label: '自营' },
        ],
      },
      currency_code: {
        name: 'currency_code',
        label: '币种',
        builtin: false,
        items: [],
        from: { resource: 'currency', value: 'code', label: 'name' },
      },
      department_code: {
        name: 'department_code',
        label: '部门',
        builtin: false,
        items: [],
        from: { resource: 'department', value: 'code', label: 'name' },
      },
      task_status: { name: 'task_status', label: '任务状态', builtin: true, items: [] },
    },
    roles: Object.fromEntries(ROLES.map((role) => [role.code, role])),
    menu: [],
  };
}

async function seedPeople(db: Database): Promise<void> {
  const roles = new Map(
    ROLES.map((role, index) => [role.code, `00000000-0000-7000-8000-00000000a00${index}`]),
  );
  for (const role of ROLES)
    await db.query(`insert into role (id, code, name, status) values ($1, $2, $2, 'active')`, [
      roles.get(role.code),
      role.code,
    ]);
  await db.query(
    `insert into department (id, co_code, name, code, manager_id, status) values ($1, 'AA', '业务一部', 'D1', $2, 'active')`,
    [IDS.department, IDS.manager],
  );
  const people: readonly (readonly [string, string, string, string])[] = [
    [IDS.sales, '张三', 'SP', 'AA'],
    [IDS.other, '李四', 'SP', 'AA'],
    [IDS.manager, '王经理', 'DM', 'AA'],
    [IDS.finance, '赵会计', 'FN', 'AA'],
    [IDS.finance2, '钱会计', 'FN', 'AA'],
    [IDS.boss, '总经理', 'GM', 'AA'],
    [IDS.admin, '管理员', 'AD', 'AA'],
    [IDS.foreign, '外公司', 'SP', 'AE'],
  ];
  for (const [id, name, role, company] of people)
    await db.query(
      `insert into person (id, co_code, name, dept_id, role_ids, status) values ($1, $2, $3, $5, $4, 'active')`,
      [id, company, name, [roles.get(role)], company === 'AA' ? IDS.department : null],
    );
  for (const [code, name] of [
    ['USD', '美元'],
    ['CNY', '人民币'],
    ['JPY', '日元'],
  ])
    await db.query(
      `insert into currency (id, code, name, status) values (gen_random_uuid(), $1, $2, 'active')`,
      [code, name],
    );
}
