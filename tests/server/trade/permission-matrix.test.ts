import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTradeExample, type TradeExample } from './trade-example.ts';

let example: TradeExample;
let later = 0;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  example = await startTradeExample({ clock: () => new Date(Date.now() + later) });
  tokens['admin'] = await example.signIn('ad.aa', 'AD');
  tokens['boss'] = await example.signIn('gm.aa', 'GM');
  tokens['finance2'] = await example.signIn('fn2.aa', 'FN');
  tokens['finance'] = await example.signIn('fn.aa', 'FN');
}, 600_000);
afterAll(() => example.close());

const as = (who: string, method: string, path: string, body?: unknown) =>
  example.call(tokens[who] ?? '', method, path, body);

interface Matrix {
  readonly roles: readonly { readonly id: string; readonly code: string }[];
  readonly resources: readonly {
    readonly resource: string;
    readonly operations: readonly { readonly name: string; readonly title: string }[];
    readonly shipped: Readonly<
      Record<
        string,
        {
          readonly actions: readonly string[];
          readonly hidden_fields: readonly string[];
          readonly isConditional: boolean;
        }
      >
    >;
  }[];
}

async function matrix(): Promise<Matrix> {
  const { data } = await as('admin', 'GET', '/meta/permission-matrix');
  return data as unknown as Matrix;
}

it('shows what every file grants to every role', async () => {
  const { roles, resources } = await matrix();
  expect(roles.map(({ code }) => code)).toEqual(expect.arrayContaining(['SP', 'TM', 'FN', 'AD', 'PT']));
  const shipment = resources.find(({ resource }) => resource === 'shipment');
  expect(shipment?.shipped['TM']?.actions).toEqual(
    expect.arrayContaining(['list', 'read', 'approve', 'cancel']),
  );
  expect(shipment?.shipped['PT']?.hidden_fields).toContain('purchase_total');
  expect(shipment?.shipped['PT']?.actions).not.toContain('create');
  expect(shipment?.shipped['SP']?.isConditional).toBe(true);
  const names = shipment?.operations.map(({ name }) => name) ?? [];
  expect(names).toEqual(expect.arrayContaining(['list', 'create', 'submit', 'withdraw', 'approve', 'ship']));
  // What only the system does cannot be granted.
  expect(names).not.toContain('settle');
  expect(shipment?.operations.every(({ title }) => /\p{Script=Han}/u.test(title))).toBe(true);
});

it('a file that an action asks for is taken from those who may act, and from nobody else', async () => {
  const { resources } = await matrix();
  const catalog = example.services.definitions.catalog().resources;
  const asked = resources.flatMap(({ resource, shipped }) =>
    Object.entries(catalog[resource]?.lifecycle?.actions ?? {}).flatMap(([action, { inputs = {} }]) =>
      Object.entries(inputs).flatMap(([name, { type }]) =>
        type === 'attachment' ? [{ resource, shipped, action, field: `${action}.${name}` }] : [],
      ),
    ),
  );
  const told = { taken: new Set<string>(), refused: new Set<string>() };
  for (const { resource, shipped, action, field } of asked)
    for (const role of ['RK', 'FN', 'SP', 'DC']) {
      const token = await example.signIn(`${role.toLowerCase()}.aa`, role);
      const status = await uploaded(token, `resource=${resource}&field=${field}`);
      const may = shipped[role]?.actions.includes(action) === true;
      expect([resource, field, role, status]).toEqual([resource, field, role, may ? 200 : 403]);
      told[may ? 'taken' : 'refused'].add(field);
    }
  expect([...told.taken]).toEqual(
    expect.arrayContaining(['report.report_file', 'deem_receipt.deemed_proof']),
  );
  expect(told.refused.size).toBe(asked.length);
  const boss = tokens['boss'] ?? '';
  expect(await uploaded(boss, 'resource=credit_investigation&field=report.unknown')).toBe(400);
  expect(await uploaded(boss, 'resource=credit_investigation&field=unknown.report_file')).toBe(400);
});

async function uploaded(token: string, place: string): Promise<number> {
  const body = new FormData();
  body.append('file', new Blob(['报告编号,结论']), '报告.csv');
  const url = `${example.url}/erp/api/files?${place}`;
  return (await fetch(url, { method: 'POST', headers: { authorization: token }, body })).status;
}

it('is for administrators alone', async () => {
  expect((await as('finance', 'GET', '/meta/permission-matrix')).status).toBe(403);
});

const finances = async (): Promise<number> =>
  (await as('finance', 'POST', '/data/shipment/query', {})).status;

/** The document that asks a second person, from the answer of a write. */
const asked = ({ data }: { readonly data: object }): string => {
  const [document] = (Reflect.get(data, '_created') ?? []) as readonly { resource: string; id: string }[];
  expect(document?.resource).toBe('setting_change');
  return document?.id ?? '';
};

async function decide(who: string, change: string, decision = 'approve'): Promise<Answer> {
  const [task] = await example.services.db.query(
    `select id from approval_task where record_id = $1 and status = 'pending'`,
    [change],
  );
  const version = Number(
    (await example.services.db.query('select version from setting_change where id = $1', [change]))[0]?.[
      'version'
    ],
  );
  return as(who, 'POST', `/approval/${String(task?.['id'])}/${decision}`, { version, opinion: '复核' });
}

/** The day in the company, so many days from now. */
const dayFromNow = (days: number): string =>
  new Date(Date.now() + later + (days * 24 + 8) * 3_600_000).toISOString().slice(0, 10);

const person = async (personid: string): Promise<Readonly<Record<string, unknown>>> =>
  (await example.services.db.query('select * from person where personid = $1', [personid]))[0] ?? {};

it('takes a change when a second person agrees, and gives it back so', async () => {
  const { roles } = await matrix();
  const role = roles.find(({ code }) => code === 'FN');
  expect(await finances()).toBe(200);
  const made = await as('admin', 'POST', '/data/permission_rule', {
    role_id: role?.id,
    resource: 'shipment',
    actions: ['print'],
  });
  expect([made.status, made.data['status']]).toEqual([200, 'disabled']);
  expect(await finances()).toBe(200);
  expect((await decide('admin', asked(made))).status).toBeGreaterThanOrEqual(400);
  expect(await finances()).toBe(200);
  const agreed = await decide('boss', asked(made));
  expect([agreed.status, agreed.msg]).toEqual([200, expect.any(String)]);
  expect(await finances()).toBe(403);
  const id = String(made.data['id']);
  const gone = await as('admin', 'DELETE', `/data/permission_rule/${id}?version=2`);
  expect([gone.status, gone.msg]).toEqual([200, expect.stringContaining('已提交复核')]);
  expect(await finances()).toBe(403);
  const [waiting] = await example.services.db.query(`select id from setting_change where status = 'pending'`);
  expect((await decide('boss', String(waiting?.['id']))).status).toBe(200);
  expect(await finances()).toBe(200);
});

it('a new rule takes no other change while it waits, and what was refused is shown to whoever enables it', async () => {
  const { roles } = await matrix();
  const role_id = roles.find(({ code }) => code === 'FN')?.id;
  const made = await as('admin', 'POST', '/data/permission_rule', {
    role_id,
    resource: 'shipment',
    actions: ['list', 'print'],
  });
  const id = String(made.data['id']);
  const version = Number(made.data['version']);
  const path = `/data/permission_rule/${id}`;
  const { data } = await as('boss', 'GET', `/data/setting_change/${asked(made)}`);
  const waiting = [400, expect.stringContaining(`${String(data['change_no'])}待复核`)];
  const again = [
    await as('admin', 'PATCH', path, { version, actions: ['read'] }),
    await as('admin', 'POST', `${path}/actions/enable`, { version }),
    await as('admin', 'DELETE', `${path}?version=${version}`),
  ];
  for (const { status, msg } of again) expect([status, msg]).toEqual(waiting);
  expect((await decide('boss', asked(made), 'reject')).status).toBe(200);

  const enabled = await as('admin', 'POST', `${path}/actions/enable`, { version });
  const shown = await as('boss', 'GET', `/data/setting_change/${asked(enabled)}`);
  expect(shown.data['changes']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ title: '动作', new_value: expect.stringContaining('、') }),
    ]),
  );
  expect((await decide('boss', asked(enabled), 'reject')).status).toBe(200);
  await example.services.db.execute('delete from permission_rule where id = $1', [id]);
});

it('takes rights from customers, and gives them none that the file does not', async () => {
  const { roles } = await matrix();
  const rule = { role_id: roles.find(({ code }) => code === 'PT')?.id, resource: 'shipment' };
  const wider = await as('admin', 'POST', '/data/permission_rule', { ...rule, actions: ['list', 'delete'] });
  expect([wider.status, wider.problems]).toEqual([
    400,
    [{ path: 'actions', code: 'wider', message: expect.stringMatching(/外部角色，只能.*不能增加：删除$/) }],
  ]);
  const narrower = await as('admin', 'POST', '/data/permission_rule', { ...rule, actions: ['list'] });
  expect((await decide('boss', asked(narrower), 'reject')).status).toBe(200);
});

it('enables and disables a role when a second person agrees', async () => {
  const made = await as('admin', 'POST', '/data/role', { code: 'ZZ', name: '试用' });
  const id = String(made.data['id']);
  const statusOf = async () =>
    (await example.services.db.query('select status from role where id = $1', [id]))[0]?.['status'];
  const run = async (action: string) => {
    const [role] = await example.services.db.query('select version from role where id = $1', [id]);
    return as('admin', 'POST', `/data/role/${id}/actions/${action}`, { version: Number(role?.['version']) });
  };
  for (const [action, from, to] of [
    ['disable', 'active', 'disabled'],
    ['enable', 'disabled', 'active'],
  ] as const) {
    const answer = await run(action);
    const change = asked(answer);
    expect([answer.status, await statusOf()]).toEqual([200, from]);
    expect((await decide('admin', change)).status).toBeGreaterThanOrEqual(400);
    expect((await decide('boss', change)).status).toBe(200);
    expect(await statusOf()).toBe(to);
  }
});

it('holds from its answer on for everybody who is reading at that moment', async () => {
  const { roles } = await matrix();
  const role_id = roles.find(({ code }) => code === 'FN')?.id;
  const filters = { total_amount: { gte: '0' } };
  const read = async () =>
    (await as('finance', 'POST', '/data/shipment/query', { pageSize: 5, filters })).status;
  const hidden = {
    role_id,
    resource: 'shipment',
    actions: ['list', 'read'],
    hidden_fields: ['total_amount'],
  };
  for (let round = 0; round < 3; round += 1) {
    let isHidden = false;
    const [early, late] = [new Set<number>(), new Set<number>()];
    const reader = async (): Promise<void> => {
      // Whoever asks after the rule was answered reads under it: the readers compiled before are not theirs.
      for (let left = 10; left > 0; left -= isHidden ? 1 : 0) {
        const isAfter = isHidden;
        (isAfter ? late : early).add(await read());
      }
    };
    expect(await read()).toBe(200);
    const reading = Array.from({ length: 6 }, reader);
    const made = await as('admin', 'POST', '/data/permission_rule', hidden);
    expect((await decide('boss', asked(made))).status).toBe(200);
    isHidden = true;
    await Promise.all(reading);
    expect([...early]).toContain(200);
    expect([...late]).toEqual([400]);
    const gone = await as('admin', 'DELETE', `/data/permission_rule/${String(made.data['id'])}?version=2`);
    expect(gone.status).toBe(200);
    const [waiting] = await example.services.db.query(
      `select id from setting_change where status = 'pending'`,
    );
    expect((await decide('boss', String(waiting?.['id']))).status).toBe(200);
    expect(await read()).toBe(200);
  }
});

describe('a second person', () => {
  const change = async (fields: object, who = 'admin') => {
    const { id, version } = await person('cs.aa');
    return as(who, 'PATCH', `/data/person/${String(id)}`, { version: Number(version), ...fields });
  };
  const roleId = async (code: string): Promise<string> =>
    String((await example.services.db.query('select id from role where code = $1', [code]))[0]?.['id']);

  it('decides on roles, while the rest of the form is saved at once', async () => {
    const gm = await roleId('GM');
    const saved = await change({ role_ids: [gm], default_role_id: gm, position: '客服主管' });
    expect([saved.status, saved.msg]).toEqual([200, expect.any(String)]);
    const now = await person('cs.aa');
    expect(now['position']).toBe('客服主管');
    expect(now['role_ids']).not.toContain(gm);
    const shown = await as('boss', 'GET', `/data/setting_change/${asked(saved)}`);
    expect(shown.data['body']).toBeUndefined();
    expect(JSON.stringify(shown.data['changes'])).toContain('总经理');
    expect((await decide('boss', asked(saved))).status).toBe(200);
    expect((await person('cs.aa'))['role_ids']).toEqual([gm]);
    const [row] = await example.services.db.query(
      `select person_name, opinion from sys_audit where record_id = $1 order by at desc, id desc limit 1`,
      [now['id']],
    );
    expect(row?.['opinion']).toContain('复核');
  });

  it('agrees to what was asked, by somebody who may still ask it', async () => {
    const [cs, gm] = [await roleId('CS'), await roleId('GM')];
    const first = asked(await change({ role_ids: [cs], default_role_id: cs }));
    const second = asked(await change({ role_ids: [gm, cs] }));
    expect((await decide('boss', first)).status).toBe(200);
    const stale = await decide('boss', second);
    expect([stale.status, stale.msg]).toEqual([400, expect.stringContaining('已变更')]);
    expect((await decide('boss', second, 'reject')).status).toBe(200);
    const third = asked(await change({ scope_override: 'all' }));
    await example.services.db.execute(`update person set status = 'disabled' where personid = 'ad.aa'`);
    expect((await decide('boss', third)).status).toBe(400);
    await example.services.db.execute(`update person set status = 'active' where personid = 'ad.aa'`);
    expect((await person('cs.aa'))['scope_override']).toBeNull();
  });

  it('of super permission holds it, where anybody else does', async () => {
    const saved = await change({ super_permission: true });
    await example.services.db.execute(`update person set super_permission = true where personid = 'ad.ae'`);
    const refused = await decide('boss', asked(saved));
    expect([refused.status, refused.msg]).toEqual([400, expect.stringContaining('超级权限')]);
    await example.services.db.execute(`update person set super_permission = false where personid = 'ad.ae'`);
    expect((await person('cs.aa'))['super_permission']).toBe(false);
  });

  it('decides on accounts of the company, new and changed', async () => {
    const [account] = await example.services.db.query('select * from company_bank_account');
    const { id, version, account_no: number } = account ?? {};
    const saved = await as('finance', 'PATCH', `/data/company_bank_account/${String(id)}`, {
      version: Number(version),
      account_no: '99887766',
      account_kind: 'fx',
      swift: 'BKCHCNBJ',
    });
    expect([saved.status, saved.msg, saved.data['account_no']]).toEqual([200, expect.any(String), number]);
    expect((await decide('finance', asked(saved))).status).toBeGreaterThanOrEqual(400);
    expect((await decide('finance2', asked(saved))).status).toBe(200);
    const [after] = await example.services.db.query(
      'select account_no from company_bank_account where id = $1',
      [id],
    );
    expect(after?.['account_no']).toBe('99887766');
  });

  it('is not passed by a file, whatever a rule grants', async () => {
    const { db, definitions } = example.services;
    const [rule] = await db.query(
      `insert into permission_rule (id, version, created_at, updated_at, role_id, resource, actions, status)
       select gen_random_uuid(), 1, now(), now(), id, 'company_bank_account', '{list,read,create,update,import}', 'active'
       from role where code = 'FN' returning id`,
    );
    await definitions.refreshOverrides();
    const send = async (path: string) => {
      const body = new FormData();
      body.append('file', new Blob(['公司,户名\nAA,改名\n']), '账户.csv');
      const answer = await fetch(`${example.url}/erp/api/data/company_bank_account/import${path}`, {
        method: path === '/template' ? 'GET' : 'POST',
        headers: { authorization: tokens['finance'] ?? '' },
        ...(path === '' ? { body } : {}),
      });
      return [answer.status, ((await answer.json()) as { msg: string }).msg];
    };
    const refusal = [400, expect.stringContaining('须由另一人复核')];
    expect(await send('')).toEqual(refusal);
    expect(await send('/template')).toEqual(refusal);
    expect(await send('/00000000-0000-7000-8000-000000000001/commit')).toEqual(refusal);
    await db.execute('delete from permission_rule where id = $1', [rule?.['id']]);
    await definitions.refreshOverrides();
  });

  it('decides on a last day that has come and is moved on, not on one that is written down', async () => {
    for (const leave_date of [dayFromNow(3), dayFromNow(-3), dayFromNow(-2)]) {
      const saved = await change({ leave_date });
      expect([saved.status, saved.data['leave_date'], saved.data['_created']]).toEqual([
        200,
        leave_date,
        undefined,
      ]);
    }
    for (const leave_date of [dayFromNow(5), null]) {
      const saved = await change({ leave_date });
      expect([saved.status, saved.data['leave_date']]).toEqual([200, dayFromNow(-2)]);
      expect((await decide('boss', asked(saved), leave_date === null ? 'approve' : 'reject')).status).toBe(
        200,
      );
    }
    expect((await person('cs.aa'))['leave_date']).toBeNull();
  });

  it('is not waited for where there is none', async () => {
    await example.services.db.execute(`update person set status = 'disabled' where personid = 'gm.aa'`);
    const saved = await change({ scope_override: 'dept' });
    await example.services.db.execute(`update person set status = 'active' where personid = 'gm.aa'`);
    expect([saved.status, saved.data['_created']]).toEqual([200, undefined]);
    expect((await person('cs.aa'))['scope_override']).toBe('dept');
  });

  describe('whose account was closed a moment ago', () => {
    const edit = async (personid: string, fields: object) => {
      const { id, version } = await person(personid);
      return as('admin', 'PATCH', `/data/person/${String(id)}`, { version: Number(version), ...fields });
    };
    const run = async (personid: string, action: string) => {
      const { id, version } = await person(personid);
      const body = { version: Number(version), inputs: {} };
      return as('admin', 'POST', `/data/person/${String(id)}/actions/${action}`, body);
    };

    it.each([
      ['停用', () => run('gm.aa', 'disable'), () => run('gm.aa', 'enable')],
      [
        '离职',
        () => edit('gm.aa', { leave_date: dayFromNow(-3) }),
        () => edit('gm.aa', { leave_date: null }),
      ],
    ])('is brought back first: %s', async (how, close, open) => {
      const before = await person('gm.aa');
      const closed = await close();
      expect([closed.status, closed.msg, closed.data['_created']]).toEqual([
        200,
        expect.any(String),
        undefined,
      ]);
      const refused = await change({ scope_override: 'all' });
      expect([refused.status, refused.msg]).toEqual([
        400,
        expect.stringMatching(
          new RegExp(
            `${String(before['name'])}（${dayFromNow(0)}${how}）.*${dayFromNow(7)}起.*请先启用其账号，或由其他复核人员办理`,
          ),
        ),
      ]);
      const raised = await edit('gm.aa', { super_permission: true });
      expect([raised.status, raised.msg]).toEqual([400, refused.msg]);
      const back = await open();
      expect([back.status, back.msg, back.data['_created']]).toEqual([200, expect.any(String), undefined]);
      expect(await person('gm.aa')).toMatchObject({
        status: 'active',
        leave_date: null,
        super_permission: before['super_permission'],
      });
      const waits = asked(await change({ scope_override: 'all' }));
      tokens['boss'] = await example.signIn('gm.aa', 'GM');
      expect((await decide('boss', waits, 'reject')).status).toBe(200);
    });

    it('is not somebody who never came into force', async () => {
      const { dept_id } = await person('cs.aa');
      const role_ids = [await roleId('GM')];
      const made = await as('admin', 'POST', '/data/person', {
        personid: 'second.aa',
        name: '自立',
        mobile: '13600002001',
        dept_id,
        role_ids,
        password: 'Second-Person-1',
      });
      expect((await decide('boss', asked(made), 'reject')).status).toBe(200);
      expect((await run('gm.aa', 'disable')).status).toBe(200);
      const refused = await run('second.aa', 'enable');
      expect([refused.status, refused.msg]).toEqual([400, expect.not.stringContaining('自立')]);
      expect((await person('second.aa'))['status']).toBe('disabled');
    });

    it('is not waited for after a week', async () => {
      later += 6 * 86_400_000;
      tokens['admin'] = await example.signIn('ad.aa', 'AD');
      expect((await change({ scope_override: 'all' })).status).toBe(400);
      later += 86_400_000;
      tokens['admin'] = await example.signIn('ad.aa', 'AD');
      const saved = await change({ scope_override: 'all' });
      expect([saved.status, saved.data['_created']]).toEqual([200, undefined]);
      expect((await person('cs.aa'))['scope_override']).toBe('all');
    });
  });
});
