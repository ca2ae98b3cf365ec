import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEMO_AES_KEY } from '#server/kernel/config.ts';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { insertRecord } from '#server/records/write/system-write.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { ENTERPRISE, type RegistrationExample, startRegistrationExample } from './registration-example.ts';

let example: RegistrationExample;

beforeAll(async () => {
  example = await startRegistrationExample();
});
afterAll(() => example.close());
// Beyond every limit of the hour.
beforeEach(() => example.advance(61));

const BAD: readonly (readonly [
  what: string,
  change: Readonly<Record<string, unknown>>,
  path: string,
  message: string,
])[] = [
  ['no name', { custname: '' }, 'custname', '客户名称不能为空'],
  ['a name of blanks', { custname: ' \u3000 ' }, 'custname', '客户名称不能为空'],
  ['a null name', { custname: null }, 'custname', '客户名称不能为空'],
  ['a long name', { custname: '名'.repeat(121) }, 'custname', '客户名称不能超过120个字符'],
  ['no type', { corpType: '' }, 'corpType', '不能为空'],
  ['a null type', { corpType: null }, 'corpType', '不能为空'],
  ['a third type', { corpType: '3' }, 'corpType', '请选择企业或个人'],
  ['no organisation code', { comNo: '' }, 'comNo', '组织机构代码不能为空'],
  ['a short organisation code', { comNo: '9131011' }, 'comNo', '应为18位统一社会信用代码或9位组织机构代码'],
  [
    'letters that no code has',
    { comNo: '91310115MA0I000000' },
    'comNo',
    '统一社会信用代码中没有字母I（不用I、O、S、V、Z），请核对',
  ],
  [
    'a wrong check digit of a credit code',
    { comNo: '91310115MA0DEM0070' },
    'comNo',
    '统一社会信用代码校验位不正确',
  ],
  ['a wrong check digit of an old code', { comNo: '580000010' }, 'comNo', '组织机构代码校验位不正确'],
  [
    'full-width digits',
    { comNo: '９１310115MA0DEM0077' },
    'comNo',
    '统一社会信用代码只含数字和大写字母，不能有“９”',
  ],
  ['no identity number', { corpType: '2' }, 'psNo', '身份证号不能为空'],
  ['a short identity number', { corpType: '2', psNo: '110105491231002' }, 'psNo', '应为18位身份证号'],
  [
    'a month that is none',
    { corpType: '2', psNo: '110105194913310020' },
    'psNo',
    '身份证号中的出生日期不正确',
  ],
  [
    'a wrong check digit of a person',
    { corpType: '2', psNo: '440305198504121230' },
    'psNo',
    '身份证号校验位不正确',
  ],
  ['no service company', { coDeptnameCode: '' }, 'coDeptnameCode', '服务公司不能为空'],
  ['an unknown company', { coDeptnameCode: 'ZZ' }, 'coDeptnameCode', '服务公司不存在'],
  ['a department as the company', { coDeptnameCode: 'AA01' }, 'coDeptnameCode', '服务公司不存在'],
  ['no contact', { linkMan: '' }, 'linkMan', '联系人不能为空'],
  ['a long contact', { linkMan: '长'.repeat(31) }, 'linkMan', '联系人不能超过30个字符'],
  ['no mobile', { mobile: '' }, 'mobile', '手机号码不能为空'],
  ['a mobile of another range', { mobile: '17012345678' }, 'mobile', '请输入正确手机号'],
  ['a mobile of ten digits', { mobile: '1351234567' }, 'mobile', '请输入正确手机号'],
  ['a mobile with a country code', { mobile: '+8613512345678' }, 'mobile', '请输入正确手机号'],
  ['no code', { sms: '' }, 'sms', '验证码不能为空'],
  ['a code of five digits', { sms: '12345' }, 'sms', '验证码应为6位数字'],
  ['a code with letters', { sms: '12a456' }, 'sms', '验证码应为6位数字'],
  ['a code nobody sent', { sms: '000000' }, 'sms', '验证码错误或已失效'],
  ['an object for a name', { custname: {} }, 'custname', '应为文字'],
  ['a number for a mobile', { mobile: 13_512_345_678 }, 'mobile', '应为文字'],
  ['a field nobody knows', { status: 'active' }, 'status', '是未知字段'],
];

describe('the registration form', () => {
  it.each(BAD)('refuses %s beside its field', async (_what, change, path, message) => {
    const { status, problems } = await example.register({ ...ENTERPRISE, ...change });
    expect(status).toBe(400);
    expect(problems.find((problem) => problem.path === path)?.message).toBe(message);
  });

  it('tells every fault at once, in the order of the fields', async () => {
    const { msg, problems } = await example.register({});
    expect(msg).toBe('客户名称不能为空');
    expect(problems.map(({ path }) => path)).toEqual([
      'custname',
      'comNo',
      'coDeptnameCode',
      'linkMan',
      'mobile',
      'sms',
    ]);
  });

  it('sends no code to a number that may not register', async () => {
    for (const iphone of ['', '17012345678', '135', '13512345678; drop'])
      expect(await example.sendCode(iphone)).toMatchObject({ status: 400, msg: '请输入正确的手机号码' });
  });
});

describe('a registration', () => {
  it('makes a partner that waits for review, with contact and a closed account, and tells customer service', async () => {
    const mobile = '13500000001';
    const sms = await example.codeFor(mobile);
    const form = {
      ...ENTERPRISE,
      custname: ' 上海浦东甲注册有限公司 ',
      comNo: '91440305ma1tea1174',
      mobile,
      sms,
    };
    const answer = await example.register(form);
    expect([answer.status, answer.msg, answer.data]).toEqual([200, '注册成功，请等待平台审核', {}]);
    const token = await example.signIn('cs.aa');
    const partner = await findPartner(token, '上海浦东甲注册有限公司');
    expect(partner).toMatchObject({
      status: 'pending',
      corp_type: '1',
      credit_code: '91440305MA1TEA1174',
      source: 'register',
      co_code: 'AA',
      sales_id: null,
      contacts: [{ name: '林小满', mobile, is_default: true }],
      accounts: [{ name: '林小满', mobile, status: 'disabled' }],
    });
    const inbox = await example.call(token, 'POST', '/approval/tasks/query', { tab: 'mine' });
    expect(JSON.stringify(inbox.data)).toContain(String(partner['id']));
    const notices = await example.call(token, 'POST', '/notice/query', {});
    expect(JSON.stringify(notices.data)).toContain('新客户注册：上海浦东甲注册有限公司');
    const other = await example.signIn('cs.ae');
    expect((await example.call(other, 'GET', `/data/partner/${String(partner['id'])}`)).status).toBe(404);
  });

  it('lets the partner in once customer service, risk control and trade management have approved', async () => {
    const mobile = '13500000002';
    const sms = await example.codeFor(mobile);
    const custname = '杭州乙注册有限公司';
    expect(
      await example.register({ ...ENTERPRISE, custname, comNo: '91350206MA5BCDE37Y', mobile, sms }),
    ).toMatchObject({ status: 200 });
    const cs = await example.signIn('cs.aa');
    const { id } = await findPartner(cs, custname);
    const early = await approve(cs, String(id));
    expect([early.status, early.problems.map(({ path }) => path)]).toEqual([
      400,
      ['enterprise_kind', 'taxpayer_type', 'legal_person', 'reg_address', 'license_file'],
    ]);
    const file = await upload(cs);
    const filled = await example.call(cs, 'PATCH', `/data/partner/${String(id)}`, {
      version: (await read(cs, String(id)))['version'],
      enterprise_kind: 'manufacturer',
      taxpayer_type: 'general',
      legal_person: '林小满',
      reg_address: '杭州市文三路 1 号',
      license_file: [file],
    });
    expect([filled.status, filled.msg]).toEqual([200, expect.any(String)]);
    expect((await approve(cs, String(id))).status).toBe(200);
    expect((await approve(await example.signIn('rk.aa'), String(id))).status).toBe(200);
    expect(await loginPartner(mobile, 'whatever')).toMatchObject({ status: 400, msg: '用户名或密码错误' });
    const tm = await example.signIn('tm.aa');
    const owned = await approve(tm, String(id), {
      export_modes: ['entrusted'],
      sales_id: example.masters.sales,
    });
    expect([owned.status, owned.msg]).toEqual([200, expect.any(String)]);
    expect(await read(cs, String(id))).toMatchObject({ status: 'active', accounts: [{ status: 'active' }] });
    const told = await example.lastSms(mobile);
    expect(told).toContain('已通过审核，可以登录平台');
    const password = /初始密码 (\w+)/.exec(told)?.[1] ?? '';
    const login = await loginPartner(mobile, password);
    expect([login.status, login.data['roleList']]).toEqual([200, [{ roleId: 'PT', roleName: '委托方' }]]);
  });

  it('takes an individual by the identity number', async () => {
    const mobile = '18800000003';
    const sms = await example.codeFor(mobile);
    const form = {
      ...ENTERPRISE,
      custname: '个体丙',
      corpType: '2',
      comNo: 'ignored',
      psNo: '11010519491231002x',
    };
    expect((await example.register({ ...form, mobile, sms })).status).toBe(200);
    const partner = await findPartner(await example.signIn('cs.aa'), '个体丙');
    expect(partner).toMatchObject({ corp_type: '2', credit_code: null });
  });

  it('is refused for a number or name registered before, in this company only, and the code stays good', async () => {
    const mobile = '13500000004';
    const first = { ...ENTERPRISE, custname: '丁一有限公司', comNo: 'MA0DEMO08', mobile };
    expect((await example.register({ ...first, sms: await example.codeFor(mobile) })).status).toBe(200);
    example.advance(2);
    const sms = await example.codeFor(mobile);
    const again = await example.register({ ...first, custname: '丁二有限公司', sms });
    expect([again.status, again.problems]).toEqual([
      409,
      [expect.objectContaining({ path: 'comNo', message: '组织机构代码已登记' })],
    ]);
    const named = await example.register({ ...first, comNo: 'MA1TEST10', sms });
    expect([named.status, named.problems[0]?.path]).toEqual([409, 'custname']);
    expect((await example.register({ ...first, coDeptnameCode: 'AE', sms })).status).toBe(200);
  });

  it('is made once when it is sent twenty times at once', async () => {
    const mobile = '13500000005';
    const sms = await example.codeFor(mobile);
    const form = { ...ENTERPRISE, custname: '戊注册有限公司', comNo: '580000014', mobile, sms };
    const answers = await Promise.all(Array.from({ length: 20 }, () => example.register(form)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      answers.filter(({ status }) => status !== 200).map(({ status, msg }) => `${status} ${msg}`),
    ).toEqual(Array.from({ length: 19 }, () => expect.stringMatching(/^400 验证码错误或已失效$/)));
    const [row] = await example.services.db.query(
      `select count(*)::int as n from partner where name = '戊注册有限公司'`,
      [],
    );
    expect(row).toEqual({ n: 1 });
  });

  it('is answered again under its key, which is nothing to anybody else', async () => {
    const [mobile, stranger] = ['13500000041', '13500000042'];
    const sms = await example.codeFor(mobile);
    const form = { ...ENTERPRISE, custname: '同键一有限公司', comNo: '91350206MA5BCDE962', mobile, sms };
    const first = await example.registerAs('same-key', form);
    expect([first.status, first.msg]).toEqual([200, '注册成功，请等待平台审核']);
    expect(await example.registerAs('same-key', form)).toEqual(first);
    expect((await example.registerAs('same-key', { ...form, custname: '同键改有限公司' })).status).toBe(422);
    expect((await example.registerAs('other-key', form)).status).toBe(400);
    const code = await example.codeFor(stranger);
    const theirs = { ...form, custname: '同键二有限公司', comNo: '91350206MA5BCDEA50', mobile: stranger };
    expect((await example.registerAs('same-key', { ...theirs, sms: '000000' })).status).toBe(400);
    expect((await example.registerAs('same-key', { ...theirs, sms: code })).status).toBe(200);
    const [row] = await example.services.db.query(
      `select count(*)::int as n from partner where name like '同键%'`,
      [],
    );
    expect(row).toEqual({ n: 2 });
  });

  it('of a company on the blacklist is refused without a word of it', async () => {
    const { services } = example;
    await services.db.transaction((tx) =>
      insertRecord({ tx, services, caller: systemCaller(services, 'AA') }, 'blacklist', {
        name: '黑名单有限公司',
        status: 'active',
      }),
    );
    const mobile = '13500000006';
    const sms = await example.codeFor(mobile);
    const form = { ...ENTERPRISE, custname: '黑名单有限公司', comNo: '741100025', mobile, sms };
    const answer = await example.register(form);
    expect([answer.status, answer.msg]).toEqual([400, '资料需人工核实，请联系业务员']);
    expect(JSON.stringify(answer.problems)).not.toMatch(/黑名单，|命中/);
  });

  it('is not offered where the company or the platform takes none', async () => {
    const { db } = example.services;
    await db.query(`update department set allow_register = false where code = 'AE'`, []);
    const sms = await example.codeFor('13500000007');
    const form = { ...ENTERPRISE, mobile: '13500000007', coDeptnameCode: 'AE', sms };
    expect(await example.register(form)).toMatchObject({ status: 400, msg: '该平台暂不支持客户注册！' });
    for (const [call, body] of [
      ['erpSendSmsCode', { iphone: '13500000008' }],
      ['erpRegisterAgcust', ENTERPRISE],
    ] as const)
      expect(await postAsHost('nobody.example', `/erp/api/sys/${call}`, body)).toContain(
        '该平台暂不支持客户注册！',
      );
    const atAe = await postAsHost('ae.erp.example', '/erp/api/sys/erpSendSmsCode', { iphone: '13500000008' });
    expect(atAe).toContain('该平台暂不支持客户注册！');
  });
});

describe('a rejected registration', () => {
  const REASON = '营业执照与组织机构代码不符';
  let cs = '';
  beforeEach(async () => {
    cs = await example.signIn('cs.aa');
  });

  /** Registers a company and has it rejected; gives its record. */
  const rejected = async (form: Readonly<Record<string, unknown>> & { readonly mobile: string }) => {
    const sms = await example.codeFor(form.mobile);
    expect((await example.register({ ...ENTERPRISE, ...form, sms })).status).toBe(200);
    const { id } = await findPartner(cs, String(form['custname']));
    expect((await decide(cs, String(id), { kind: 'reject', opinion: REASON })).status).toBe(200);
    example.advance(2);
    return String(id);
  };
  const progressOf = async (mobile: string) => {
    await example.call('', 'POST', '/sys/registration-state/code', { mobile });
    const sms = /验证码 (\d{6})/.exec(await example.lastSms(mobile))?.[1];
    return example.call('', 'POST', '/sys/registration-state', { mobile, sms });
  };

  it('is told by SMS and in the progress with its reason, corrected, and waits again as the same record', async () => {
    const mobile = '13500000031';
    const custname = '己退回有限公司';
    const id = await rejected({ custname, comNo: '91350206MA5BCDE45R', mobile });
    expect(await example.lastSms(mobile)).toBe(
      `您的企业「${custname}」的注册申请未通过审核：${REASON}。请在登录页“客户登录”中点“查询注册进度”，修改后重新提交。`,
    );
    const { data } = await progressOf(mobile);
    const again = {
      ...{ again: id, custname, corpType: '1', comNo: '91350206MA5BCDE45R', psNo: '' },
      ...{ coDeptnameCode: 'AA', linkMan: '林小满', mobile },
    };
    expect(data).toEqual([
      { name: custname, state: '已退回', at: expect.any(String), reason: REASON, rejected: again },
    ]);
    const form = { ...again, custname: '己改正有限公司', linkMan: '林大满' };
    example.advance(2);
    expect(await example.register({ ...form, sms: '000000' })).toMatchObject({
      status: 400,
      msg: '验证码错误或已失效',
    });
    const sms = await example.codeFor(mobile);
    expect(await example.register({ ...form, sms })).toMatchObject({
      status: 200,
      msg: '注册成功，请等待平台审核',
    });
    expect(await read(cs, id)).toMatchObject({
      ...{
        status: 'pending',
        name: '己改正有限公司',
        credit_code: '91350206MA5BCDE45R',
        reject_reason: null,
      },
      contacts: [{ name: '林大满', mobile, is_default: true }],
      accounts: [{ name: '林大满', mobile, status: 'disabled' }],
    });
    example.advance(2);
    expect((await progressOf(mobile)).data).toEqual([
      { name: '己改正有限公司', state: '审核中', at: expect.any(String) },
    ]);
    expect((await decide(cs, id, { kind: 'reject', opinion: REASON })).status).toBe(200);
  });

  it('is found again by its code where it is typed anew', async () => {
    const mobile = '13500000032';
    const id = await rejected({ custname: '庚退回有限公司', comNo: '91350206MA5BCDE53L', mobile });
    const form = { ...ENTERPRISE, custname: '庚改正有限公司', comNo: '91350206MA5BCDE53L', mobile };
    expect((await example.register({ ...form, sms: await example.codeFor(mobile) })).status).toBe(200);
    expect(await read(cs, id)).toMatchObject({ status: 'pending', name: '庚改正有限公司' });
  });

  it('may become an individual', async () => {
    const mobile = '13500000033';
    const id = await rejected({ custname: '辛退回', comNo: '91350206MA5BCDE61F', mobile });
    const form = { ...ENTERPRISE, custname: '辛退回', corpType: '2', psNo: '440305198504121233', mobile };
    const sms = await example.codeFor(mobile);
    expect(await example.register({ ...form, again: id, sms })).toMatchObject({ status: 200 });
    expect(await read(cs, id)).toMatchObject({ status: 'pending', corp_type: '2', credit_code: null });
  });

  it('is taken up by nobody else, and not once it waits again', async () => {
    const mobile = '13500000034';
    const stranger = '13500000035';
    const custname = '壬退回有限公司';
    const id = await rejected({ custname, comNo: '91350206MA5BCDE70D', mobile });
    const form = { ...ENTERPRISE, custname, comNo: '91350206MA5BCDE70D' };
    const sms = await example.codeFor(stranger);
    expect(await example.register({ ...form, again: id, mobile: stranger, sms })).toMatchObject({
      status: 409,
      msg: '原注册申请已不在退回状态，或不是用该手机号码提交的，请重新查询注册进度',
    });
    expect(await example.register({ ...form, mobile: stranger, sms })).toMatchObject({ status: 409 });
    expect(await read(cs, id)).toMatchObject({ status: 'rejected', accounts: [{ mobile }] });
    const own = await example.codeFor(mobile);
    expect((await example.register({ ...form, again: id, mobile, sms: own })).status).toBe(200);
    example.advance(2);
    const late = await example.codeFor(mobile);
    expect((await example.register({ ...form, again: id, mobile, sms: late })).status).toBe(409);
  });

  it('is nothing of a customer whom the house made', async () => {
    const mobile = '13500000036';
    const id = await rejected({ custname: '癸退回有限公司', comNo: '91350206MA5BCDE887', mobile });
    await example.services.db.query(`update partner set source = 'sales' where id = $1`, [id]);
    const { data } = await progressOf(mobile);
    expect(data).toEqual([{ name: '癸退回有限公司', state: '已退回', at: expect.any(String) }]);
  });
});

async function findPartner(token: string, name: string): Promise<Record<string, unknown>> {
  const found = await example.call(token, 'POST', '/data/partner/query', { filters: { name: { eq: name } } });
  const [record] = found.data['records'] as unknown as readonly { readonly id: string }[];
  return read(token, record?.id ?? '');
}

async function read(token: string, id: string): Promise<Record<string, unknown>> {
  return (await example.call(token, 'GET', `/data/partner/${id}`)).data;
}

function approve(token: string, id: string, fields: Readonly<Record<string, unknown>> = {}) {
  return decide(token, id, { kind: 'approve', fields });
}

async function decide(
  token: string,
  id: string,
  { kind, ...decision }: Readonly<Record<string, unknown>> & { readonly kind: 'approve' | 'reject' },
) {
  const inbox = await example.call(token, 'POST', '/approval/tasks/query', { tab: 'mine', pageSize: 50 });
  const tasks = inbox.data['records'] as unknown as readonly {
    readonly id: string;
    readonly record_id: string;
  }[];
  const task = tasks.find((candidate) => candidate.record_id === id);
  const { version } = await read(token, id);
  return example.call(token, 'POST', `/approval/${task?.id ?? ''}/${kind}`, { version, ...decision });
}

async function upload(token: string): Promise<unknown> {
  const form = new FormData();
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  form.append('files', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), '营业执照.png');
  const response = await fetch(`${example.url}/erp/api/files?resource=partner&field=license_file`, {
    method: 'POST',
    headers: { authorization: token },
    body: form,
  });
  const answer = (await response.json()) as {
    readonly data: { readonly id: string }[] | { readonly id: string };
  };
  return [answer.data].flat()[0]?.id;
}

function loginPartner(mobile: string, password: string) {
  return example.call('', 'POST', '/sys/loginByAgcustMobileNo', {
    personid: mobile,
    password: sealEnvelope(password, DEMO_AES_KEY),
  });
}

/** A call as if the address bar named another host; fetch sets the header itself. */
function postAsHost(host: string, path: string, body: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${example.url}${path}`,
      { method: 'POST', headers: { host, 'content-type': 'application/json' } },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
      },
    );
    call.on('error', reject);
    call.end(JSON.stringify(body));
  });
}
