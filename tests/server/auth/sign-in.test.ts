import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Example, sealed, startExample } from '../support/running-example.ts';

interface Person {
  readonly authorization: string;
  readonly id: string;
  readonly personid: string;
  readonly roleList: { roleId: string; roleName: string }[];
  readonly roleIdList: string[];
  readonly roleId: string;
  readonly saleId: string | null;
  readonly salesManList: { id: string; name: string }[];
  readonly userList: {
    id: string;
    deptName: string;
    roleList: unknown[];
    salesManList: { id: string; name: string }[];
  }[];
  readonly menuList: { url: string; name: string; list: { url: string; list: { url: string }[] }[] }[];
  readonly coCode: string;
  readonly superPermission: number;
  readonly qxStatus: string;
}

let example: Example;

beforeAll(async () => {
  example = await startExample();
});
afterAll(() => example.close());

const login = (personid: string, password = sealed()) =>
  example.call('POST', '/erp/api/sys/login', { body: { personid, password } });

describe('signing in', () => {
  it('gives a pending session that can only pick a role or log out', async () => {
    const { status, body } = await login('SP.aa');
    const person = body.data as Person;
    expect([status, body.code, body.msg]).toEqual([200, 200, '登录成功！']);
    expect(person.roleList).toEqual([
      { roleId: 'SP', roleName: '业务员' },
      { roleId: 'DM', roleName: '部门经理' },
    ]);
    expect(person.salesManList.map(({ name }) => name)).toEqual(['周明', '韩雪']);
    expect([person.coCode, person.superPermission, person.qxStatus, person.menuList]).toEqual([
      'AA',
      0,
      'active',
      [],
    ]);
    const early = await example.call('GET', '/erp/api/sys/session', { token: person.authorization });
    expect([early.status, early.body.msg]).toEqual([401, '请先选择登录角色']);
  });

  it('opens the chosen position, and the old token dies', async () => {
    const pending = (await login('sp.aa')).body.data as Person;
    const placed = await example.call('POST', '/erp/api/sys/setPosition', {
      token: pending.authorization,
      body: { ...pending, superPermission: 1, coCode: 'AE', roleId: 'SP' },
    });
    const person = placed.body.data as Person;
    expect(person.roleId).toBe('SP');
    expect(person.coCode).toBe('AA');
    expect(person.superPermission).toBe(0);
    expect(person.menuList.map((group) => [group.name, group.list.map(({ url }) => url)])).toEqual([
      ['组织', ['/user/person']],
      ['业务', ['/x/notes', '']],
    ]);
    const old = await example.call('GET', '/erp/api/sys/session', { token: pending.authorization });
    expect(old.status).toBe(401);
    const again = await example.call('GET', '/erp/api/sys/session', { token: person.authorization });
    expect((again.body.data as Person).personid).toBe('sp.aa');
  });

  it('refuses roles, people and service targets that are not theirs', async () => {
    for (const wrong of [
      { roleId: 'AD' },
      { id: '019ab000-0000-7000-8000-000000000000' },
      { saleId: 'nobody' },
    ]) {
      const pending = (await login('sp.aa')).body.data as Person;
      const placed = await example.call('POST', '/erp/api/sys/setPosition', {
        token: pending.authorization,
        body: { ...pending, ...wrong },
      });
      expect([placed.status, placed.body.msg]).toEqual([403, '不能选择该角色、部门或服务对象']);
    }
  });

  it('switches the role in a full session and narrows to a service target', async () => {
    const token = await example.signIn('sp.aa', 'DM');
    const session = (await example.call('GET', '/erp/api/sys/session', { token })).body.data as Person;
    const target = session.salesManList[1]?.id;
    const switched = await example.call('POST', '/erp/api/sys/setPosition', {
      token,
      body: { roleId: 'SP', roleIdList: ['SP', 'DM'], saleId: target },
    });
    expect((switched.body.data as Person).saleId).toBe(target);
    expect((await example.call('GET', '/erp/api/sys/session', { token })).status).toBe(401);
  });

  it('answers alike for an unknown user, a wrong password and a broken envelope', async () => {
    const answers = await Promise.all([
      login('nobody.x'),
      login('dm.aa', sealed('wrong-one')),
      login('tm.aa', 'no base64!'),
    ]);
    for (const { status, body } of answers) {
      expect([status, body.code, body.msg, body.data]).toEqual([400, 400, '用户名或密码错误', null]);
      expect(body.requestId).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('locks an account after five failures, from that address only, for a quarter of an hour', async () => {
    for (let count = 0; count < 5; count += 1)
      expect((await login('fn.aa', sealed('wrong'))).status).toBe(400);
    expect((await login('fn.aa')).body.msg).toBe('登录失败次数过多，请15分钟后再试');
    expect((await login('fn2.aa')).status).toBe(200);
    example.advance(15 * 60_000 + 1_000);
    expect((await login('fn.aa')).status).toBe(200);
  });

  it('does not count forms that are refused', async () => {
    for (let count = 0; count < 7; count += 1)
      expect((await example.call('POST', '/erp/api/sys/login', { body: { personid: 'rk.aa' } })).status).toBe(
        400,
      );
    expect((await login('rk.aa')).status).toBe(200);
  });

  it('lets several people of one mobile choose their department', async () => {
    const found = await example.call('POST', '/erp/api/sys/loginByMobile', {
      body: { psMobile: '13800000009', password: sealed() },
    });
    const person = found.body.data as Person;
    expect(person.userList.map(({ deptName }) => deptName)).toEqual(['业务一部', '业务二部']);
    expect(person.id).toBe('');
    const chosen = person.userList[1];
    const placed = await example.call('POST', '/erp/api/sys/setPosition', {
      token: person.authorization,
      body: { id: chosen?.id, roleIdList: ['SP'], roleId: 'SP' },
    });
    expect((placed.body.data as Person).personid).toBe('sp3.aa');
  });

  it('offers each of them whom it may serve, before a session is anybody’s', async () => {
    const personOf = async (personid: string) =>
      (
        await example.server.services.db.query('select id, name, co_code from person where personid = $1', [
          personid,
        ])
      )[0];
    const [own, served] = [await personOf('sp3.aa'), await personOf('sp.aa')];
    await example.owner.execute(
      `insert into person__service_targets (id, parent_id, co_code, line_order, sales_id) values (gen_random_uuid(), $1, $2, 1, $3)`,
      [own?.['id'], own?.['co_code'], served?.['id']],
    );
    const byMobile = async () =>
      (
        await example.call('POST', '/erp/api/sys/loginByMobile', {
          body: { psMobile: '13800000009', password: sealed() },
        })
      ).body.data as Person;
    const person = await byMobile();
    expect(person.salesManList).toEqual([]);
    const chosen = person.userList.find(({ id }) => id === own?.['id']);
    const other = person.userList.find(({ id }) => id !== own?.['id']);
    expect(chosen?.salesManList.map(({ name }) => name)).toEqual([own?.['name'], served?.['name']]);
    expect(other?.salesManList.map(({ id }) => id)).toEqual([other?.id]);
    const place = (authorization: string, id: string | undefined) =>
      example.call('POST', '/erp/api/sys/setPosition', {
        token: authorization,
        body: { id, roleIdList: ['SP'], roleId: 'SP', saleId: served?.['id'] },
      });
    expect((await place(person.authorization, other?.id)).status).toBe(403);
    const placed = await place((await byMobile()).authorization, chosen?.id);
    expect(placed.body.data).toMatchObject({ personid: 'sp3.aa', saleId: served?.['id'] });
  });
});

describe('sessions', () => {
  it('end after thirty idle minutes and twelve hours at most', async () => {
    const idle = await example.signIn('dc.aa');
    example.advance(31 * 60_000);
    expect((await example.call('GET', '/erp/api/sys/session', { token: idle })).status).toBe(401);
    const busy = await example.signIn('dc.aa');
    for (let half = 0; half < 30; half += 1) {
      example.advance(25 * 60_000);
      await example.call('GET', '/erp/api/sys/session', { token: busy });
    }
    expect((await example.call('GET', '/erp/api/sys/session', { token: busy })).status).toBe(401);
  });

  it('end on logout, at once', async () => {
    const token = await example.signIn('tr.aa');
    expect((await example.call('POST', '/erp/api/sys/logout', { token })).status).toBe(200);
    expect((await example.call('GET', '/erp/api/sys/session', { token })).status).toBe(401);
  });

  it('of a person end when an administrator disables the account', async () => {
    const token = await example.signIn('rk2.aa');
    await example.server.services.db.execute(
      `update person set status = 'disabled' where personid = 'rk2.aa'`,
    );
    example.advance(5_001);
    expect((await example.call('GET', '/erp/api/sys/session', { token })).status).toBe(401);
    expect((await login('rk2.aa')).body.msg).toBe('用户名或密码错误');
  });

  it('but the own one end when the password is changed', async () => {
    const [first, second] = [await example.signIn('cs.aa'), await example.signIn('cs.aa')];
    const wrong = await example.call('POST', '/erp/api/self/password', {
      token: first,
      body: { password: sealed('nope-nope'), newPassword: sealed('Another-1') },
    });
    expect(wrong.body.msg).toBe('原密码错误');
    const changed = await example.call('POST', '/erp/api/self/password', {
      token: first,
      body: { password: sealed(), newPassword: sealed('Another-1') },
    });
    expect(changed.status).toBe(200);
    expect((await example.call('GET', '/erp/api/self', { token: first })).status).toBe(200);
    expect((await example.call('GET', '/erp/api/self', { token: second })).status).toBe(401);
  });
});

const byMobile = (personid: string, password = sealed()) =>
  example.call('POST', '/erp/api/sys/loginByAgcustMobileNo', {
    body: { personid, password, isp: '1' },
  });

describe('customers', () => {
  beforeAll(async () => {
    const token = await example.signIn('sp.aa', 'SP');
    for (const [name, mobiles] of [
      ['通达', ['13900000001', '13900000002']],
      ['远洋', ['13900000002']],
    ] as const) {
      const made = await example.call('POST', '/erp/api/data/partner', {
        token,
        body: {
          name,
          accounts: mobiles.map((mobile) => ({
            mobile,
            name: '经办',
            password: 'Demo-2026',
            status: 'active',
          })),
        },
      });
      if (made.status !== 200) throw new Error(made.body.msg);
    }
  });

  it('of one partner come in directly', async () => {
    const { status, body } = await byMobile('13900000001');
    const person = body.data as Person;
    expect(status).toBe(200);
    expect([person.roleId, person.userList, person.roleList]).toEqual([
      'PT',
      [],
      [{ roleId: 'PT', roleName: '委托方' }],
    ]);
    const session = await example.call('GET', '/erp/api/sys/session', { token: person.authorization });
    expect(session.status).toBe(200);
    const [account] = await example.server.services.db.query(
      `select last_login_at is not null as is_noted from partner__accounts where mobile = '13900000001'`,
    );
    expect(account).toEqual({ is_noted: true });
  });

  it('of several partners choose', async () => {
    const person = (await byMobile('13900000002')).body.data as Person;
    expect(person.userList).toHaveLength(2);
    const placed = await example.call('POST', '/erp/api/sys/setPosition', {
      token: person.authorization,
      body: { id: person.userList[0]?.id, roleId: 'PT', roleIdList: ['PT'] },
    });
    expect(placed.status).toBe(200);
  });

  it('of several partners go from one to the other, as long as both may come in', async () => {
    const pending = (await byMobile('13900000002')).body.data as Person;
    const [one = '', other = ''] = pending.userList.map(({ id }) => id);
    const become = async (token: string, id: string) => {
      const answer = await example.call('POST', '/erp/api/sys/setPosition', { token, body: { id } });
      return { status: answer.status, person: answer.body.data as Person };
    };
    const first = await become(pending.authorization, one);
    expect(first.person.userList.map(({ id }) => id)).toEqual([one, other]);
    const second = await become(first.person.authorization, other);
    expect([second.status, second.person.id]).toEqual([200, other]);
    const read = (token: string) => example.call('GET', '/erp/api/sys/session', { token });
    expect((await read(first.person.authorization)).status).toBe(401);
    expect(await become(second.person.authorization, '01900000-0000-7000-8000-000000000000')).toMatchObject({
      status: 403,
    });
    // A call that names nobody stays with whom it is.
    const stayed = await become(second.person.authorization, '');
    expect([stayed.status, stayed.person.id]).toEqual([200, other]);
    second.person = stayed.person;
    // Whoever must not come in as one of them any more does not get there from the other.
    const { db, sessions } = example.server.services;
    const set = (status: string) =>
      db.execute('update partner__accounts set status = $2 where id = $1', [one, status]);
    await set('disabled');
    expect((await become(second.person.authorization, one)).status).toBe(403);
    expect(((await read(second.person.authorization)).body.data as Person).userList).toEqual([]);
    await set('active');
    await sessions.revokePeople(db, [one]);
    expect((await become(second.person.authorization, one)).status).toBe(403);
    expect((await read(second.person.authorization)).status).toBe(200);
  });

  it('that nobody knows are told so, five times an hour', async () => {
    for (let count = 0; count < 5; count += 1)
      expect((await byMobile(`1391111000${count}`)).body.msg).toBe('客户未注册');
    // After that an unknown number is told from a known one by nothing.
    const [unknown, known] = [
      await byMobile('13911110009'),
      await byMobile('13900000001', sealed('wrong-one')),
    ];
    expect([unknown.status, unknown.body.msg]).toEqual([400, '用户名或密码错误']);
    expect([known.status, known.body.msg]).toEqual([unknown.status, unknown.body.msg]);
  });
});
