import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { mailTasks } from '#server/workflow/mail/mail-job.ts';
import { sendLetter } from '#server/workflow/mail/mail-transport.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { pdfText } from '../../e2e/support/pdf-text.ts';
import { papersSteps, type PapersSteps } from './papers-steps.ts';

let rules: RulesExample;
let steps: PapersSteps;

beforeAll(async () => {
  rules = await startRulesExample({
    'sp.aa': 'SP',
    'dc.aa': 'DC',
    'tm.aa': 'TM',
    'fn.aa': 'FN',
    'gm.aa': 'GM',
  });
  steps = papersSteps(rules);
}, 300_000);
afterAll(() => rules.example.close());

const read = (resource: string, id: unknown, who = 'dc.aa'): Promise<Fields> =>
  must(rules.as(who, 'GET', `/data/${resource}/${String(id)}`));
const lines = (record: Fields, name: string): readonly Fields[] => record[name] as readonly Fields[];

/** A shipment with its invoice and its declaration, which agree. */
async function shipped(): Promise<{ shipment: string; invoice: string; declaration: string }> {
  const { shipment } = await steps.bought('1000', { shipped: '400' });
  const { masters, services } = rules.example;
  await services.db.execute(
    `update shipment__items set packages = 20, gross_weight = 500, net_weight = 460, volume = 3.2 where parent_id = $1::uuid`,
    [shipment],
  );
  const [line] = lines(await read('shipment', shipment), 'items');
  const { invoice_no } = await rules.stored('shipment', shipment);
  const invoice = await rules.given('export_invoice', {
    shipment_id: shipment,
    invoice_no,
    invoice_date: '2026-10-10',
    items: [{ shipment_line: line?.['id'] }],
    status: 'draft',
  });
  const declaration = await rules.given('customs_declaration', {
    shipment_id: shipment,
    dest_port_id: masters.dest,
    packages: 20,
    gross_weight: '500',
    net_weight: '460',
    items: [
      { item_no: 1, shipment_line: line?.['id'], hs_code: `${String(line?.['hs_code'])}00`, quantity: '400', unit: '007', unit_price: '10', amount: '4000.00' },
    ],
    status: 'draft',
  }); // prettier-ignore
  return { shipment, invoice, declaration };
}

async function madeSet(shipment: string, who = 'dc.aa'): Promise<Fields> {
  const { id } = await must(rules.as(who, 'POST', '/data/document_set', { shipment_id: shipment }));
  await must(rules.act(who, 'document_set', String(id), 'make'));
  return read('document_set', id);
}
const differencesOf = (set: Fields): readonly string[] =>
  lines(set, 'differences').map(
    (one) =>
      `${String(one['title'])}: ${String(one['place_a'])}=${String(one['value_a'])} ${String(one['place_b'])}=${String(one['value_b'])}`,
  );

describe('a set of documents', () => {
  it('is one PDF and a zip of one moment, whose planted differences are all found with both places', async () => {
    const { shipment, invoice, declaration } = await shipped();
    const first = await madeSet(shipment);
    expect(differencesOf(first)).toEqual([]);
    expect(first).toMatchObject({ status: 'made', version_no: 1, paper_count: 3 });
    expect(lines(first, 'papers').map(({ title }) => title)).toEqual(['商业发票', '装箱单', '报关单草单']);
    const { services } = rules.example;
    const { db } = services;
    const files = await db.query(`select type, name from sys_file where record_id = $1 order by type`, [
      String(first['id']),
    ]);
    expect(files.map(({ type }) => type)).toEqual(['application/pdf', 'application/zip']);
    const plants: readonly string[] = [
      `update customs_declaration set packages = 21, gross_weight = 501, net_weight = 461, marks = 'OTHER', bl_no = 'B2', consignee = 'NOBODY LTD' where id = $1::uuid`,
      `update customs_declaration__items set quantity = 399, amount = 3990, hs_code = '9405990000' where parent_id = $1::uuid`,
    ];
    for (const plant of plants) await db.execute(plant, [declaration]);
    const credit = await steps.credit();
    const others: readonly (readonly [string, string])[] = [
      [`update letter_of_credit set currency = 'EUR', max_amount = 3999.99, port_loading = 'SHANGHAI', port_discharge = 'ROTTERDAM', applicant = 'OTHER GMBH', latest_shipment = '2026-10-01' where id = $1::uuid`, credit],
      [`update shipment set lc_id = '${credit}', atd = '2026-10-02', port_loading_id = port_dest_id where id = $1::uuid`, shipment],
      [`update customs_declaration set contract_no = 'NO-SUCH-CONTRACT' where id = $1::uuid`, declaration],
      [`update export_invoice__items set quantity = 401 where parent_id = $1::uuid`, invoice],
    ]; // prettier-ignore
    for (const [plant, id] of others) await db.execute(plant, [id]);
    await db.execute(`update shipment set marks = 'OURS', bl_no = 'B1' where id = $1::uuid`, [shipment]);
    await db.execute(
      `update export_invoice set invoice_date = '2026-10-11', incoterm = 'CIF' where id = $1::uuid`,
      [invoice],
    );
    const second = await madeSet(shipment);
    expect([second['version_no'], second['difference_count']]).toEqual([2, differencesOf(second).length]);
    expect(differencesOf(second)).toEqual(
      expect.arrayContaining([
        '金额: 明细单·发票金额=4,000 报关单·总价=3,990',
        '数量: 明细单·数量=400 报关单·成交数量=399',
        expect.stringMatching(/^HS编码: .*报关单·商品编号=9405990000$/) as string,
        '件数: 明细单·件数=20 报关单·件数=21',
        '毛重: 明细单·毛重(KG)=500 报关单·毛重(千克)=501',
        '净重: 明细单·净重(KG)=460 报关单·净重(千克)=461',
        '唛头: 明细单·唛头=OURS 报关单·标记唛码及备注=OTHER',
        '提单号: 明细单·提单号=B1 报关单·提运单号=B2',
        '发票日期: 明细单·发票日期=2026-10-10 外销发票·发票日期=2026-10-11',
        expect.stringMatching(/^客户: .*报关单·境外收货人=NOBODY LTD$/) as string,
        expect.stringMatching(/^价格条款: .*外销发票·成交方式=/) as string,
        '数量: 明细单·数量=400 外销发票·数量=401',
        expect.stringMatching(/^币种: .*信用证·32B 币种=/) as string,
        expect.stringMatching(/^装运港: .*信用证·44E 装货港=SHANGHAI$/) as string,
        expect.stringMatching(/^目的港: .*信用证·44F 卸货港=ROTTERDAM$/) as string,
        expect.stringMatching(/^合同号: .*报关单·合同协议号=NO-SUCH-CONTRACT$/) as string,
        '信用证金额: 明细单·发票金额=4,000 信用证·最高可用金额=3,999.99',
        expect.stringMatching(/^装运期: .*2026-10-02 信用证·44C 最迟装运日=2026-10-01$/) as string,
      ]),
    );
    const [{ checks } = { checks: [] }] = services.definitions.setup().documentSets;
    const found = new Set(lines(second, 'differences').map(({ title }) => title));
    expect(checks.map(({ title }) => title).filter((title) => !found.has(title))).toEqual([]);
    const refused = await rules.act('dc.aa', 'document_set', String(second['id']), 'release');
    expect([refused.status, refused.msg]).toEqual([409, expect.stringContaining('不一致')]);
    expect(
      (await rules.act('dc.aa', 'document_set', String(second['id']), 'accept', { opinion: 'x' })).status,
    ).toBe(403);
    await must(rules.act('tm.aa', 'document_set', String(second['id']), 'accept', { opinion: '客户已确认' }));
  });

  it('is out of date when what stands on it changed since; before it is mailed that is looked at', async () => {
    const { shipment } = await shipped();
    const set = await madeSet(shipment);
    const id = String(set['id']);
    await must(rules.act('dc.aa', 'document_set', id, 'release'));
    expect((await read('document_set', id))['status']).toBe('released');
    // Whoever may do it sees the same papers.
    for (const who of ['dc.aa', 'tm.aa'] as const) {
      await must(rules.act(who, 'document_set', id, 'recheck'));
      expect((await read('document_set', id))['status']).toBe('released');
    }
    await rules.example.services.db.execute(`update shipment set vessel = 'NEW STAR' where id = $1::uuid`, [
      shipment,
    ]);
    await must(rules.act('dc.aa', 'document_set', id, 'recheck'));
    expect(await read('document_set', id)).toMatchObject({ status: 'outdated', is_changed: true });
    const next = await madeSet(shipment);
    await must(rules.act('dc.aa', 'document_set', String(next['id']), 'release'));
    const mail = () =>
      rules.as('dc.aa', 'POST', `/data/document_set/${String(next['id'])}/mails`, {
        ...{ to: ['buyer@abroad.example'], cc: [], subject: 'Documents', body: 'Dear Sirs' },
        ...{ printIds: ['cover'], fileIds: [] },
      });
    // Another transaction was in its way: what it kept the first time is gone.
    const { db } = rules.example.services;
    const { transaction } = db;
    const inTheWay = vi.spyOn(db, 'transaction');
    inTheWay.mockImplementation((work, options) => {
      let isFirst = true;
      return transaction(async (tx) => {
        const made = await work(tx);
        if (isFirst) {
          isFirst = false;
          throw new DatabaseFault(Object.assign(new Error('in the way'), { code: '40001' }));
        }
        return made;
      }, options);
    });
    await must(mail()).finally(() => inTheWay.mockRestore());
    const [kept] = await db.query<{ papers: number; there: number }>(
      `select jsonb_array_length(m.attachments) as papers, (select count(*)::int from sys_file f where f.record_id = m.id) as there
       from sys_mail m where m.record_id = $1::uuid`,
      [next['id']],
    );
    expect(kept).toEqual({ papers: 1, there: 1 });
    const sent = async () => {
      const answer = await rules.as('dc.aa', 'GET', `/data/document_set/${String(next['id'])}/mails`);
      return (answer.data as unknown as readonly { isOutdated: boolean }[]).map(
        ({ isOutdated }) => isOutdated,
      );
    };
    expect(await sent()).toEqual([false]);
    await rules.example.services.db.execute(`update shipment set vessel = 'STAR 2' where id = $1::uuid`, [
      shipment,
    ]);
    const refused = await mail();
    expect([refused.status, refused.msg]).toEqual([409, expect.stringContaining('单证目录现在不能发出')]);
    expect((await read('document_set', next['id']))['status']).toBe('outdated');
    expect(await sent()).toEqual([true]);
  });

  it('shows one moment of a shipment that changes while it is made, and is out of date then', async () => {
    const { shipment } = await shipped();
    const { services } = rules.example;
    const { id } = await must(rules.as('dc.aa', 'POST', '/data/document_set', { shipment_id: shipment }));
    const making = { isOver: false };
    const made = must(rules.act('dc.aa', 'document_set', String(id), 'make')).finally(
      () => (making.isOver = true),
    );
    let moment = 0;
    while (!making.isOver) {
      moment += 1;
      await services.db.execute(`update shipment set vessel = $2::text where id = $1::uuid`, [
        shipment,
        `MOMENT ${moment} STAR`,
      ]);
    }
    await made;
    await services.db.execute(`update shipment set vessel = 'LATER' where id = $1::uuid`, [shipment]);
    const token = `Bearer ${await rules.example.signIn('dc.aa', 'DC')}`;
    const [file] = (await read('document_set', id))['file'] as readonly string[];
    const pdf = await fetch(`${rules.example.url}/erp/api/files/${String(file)}`, {
      headers: { authorization: token },
    });
    const { text } = pdfText(Buffer.from(await pdf.arrayBuffer()));
    const shown = [...text.matchAll(/MOMENT \d+ STAR/g)].map(([one]) => one);
    // On the invoice and on the packing list.
    expect([shown.length, new Set(shown).size]).toEqual([2, 1]);
    await must(rules.act('dc.aa', 'document_set', String(id), 'release'));
    expect((await read('document_set', id))['status']).toBe('outdated');
  });

  it('is out of date with a new version of the shipment', async () => {
    const { shipment } = await shipped();
    const next = await madeSet(shipment);
    await rules.given('shipment_version', {
      shipment_id: shipment,
      reason_kind: 'other',
      reason: '改船期',
      status: 'effective',
    });
    expect(await read('document_set', next['id'])).toMatchObject({ version_no: 1, status: 'outdated' });
  });
});

describe('a change of a shipment that has sailed', () => {
  it('takes what may still change, and says of the rest that it is too late', async () => {
    const { shipment } = await shipped();
    await rules.example.services.db.query(`update shipment set status = 'shipped' where id = $1`, [shipment]);
    const refused = async (field: string, value: string) => {
      const { problems } = await rules.as('sp.aa', 'POST', '/data/shipment_version', {
        shipment_id: shipment,
        reason_kind: '客户要求',
        reason: '客户要求',
        changes: [{ field, op: 'set', new_value: value }],
      });
      return problems.flatMap(({ path, message }) => (path === 'changes.0.field' ? [message] : []));
    };
    expect(await refused('consignee', 'ANOTHER HOUSE GMBH')).toEqual(['出运后不能再变更此项']);
    expect(await refused('marks', 'N/M 2')).toEqual([]);
  });

  it('is judged as one of then when it was drawn before and comes back for another submission', async () => {
    const { shipment } = await shipped();
    const { as, act, example } = rules;
    const made = await must(
      as('sp.aa', 'POST', '/data/shipment_version', {
        shipment_id: shipment,
        reason_kind: '客户要求',
        reason: '客户要求',
        // Name and address, as on the documents.
        changes: [{ field: 'consignee', op: 'set', new_value: `ANOTHER HOUSE GMBH\n${'RUE 9 '.repeat(50)}` }],
      }),
    );
    const version = String(made['id']);
    // Refused, which lets the shipment go on; then it sails.
    await example.services.db.query(`update shipment_version set status = 'rejected' where id = $1`, [
      version,
    ]);
    await example.services.db.query(`update shipment set status = 'shipped' where id = $1`, [shipment]);
    const { problems } = await act('sp.aa', 'shipment_version', version, 'submit');
    expect(problems.map(({ path, message }) => [path, message])).toContainEqual([
      'changes.0.field',
      '出运后不能再变更此项',
    ]);
    await act('sp.aa', 'shipment_version', version, 'abandon');
  });

  it('takes a quantity that was short-shipped, and none that is more', async () => {
    const { shipment } = await shipped();
    const { as, act } = rules;
    await rules.example.services.db.query(`update shipment set status = 'shipped' where id = $1`, [shipment]);
    const change = (new_value: string) => [{ field: 'items.quantity', op: 'set', line_no: 1, new_value }];
    const values = { shipment_id: shipment, reason_kind: '数量短装', reason: '少装一件' };
    const more = await as('sp.aa', 'POST', '/data/shipment_version', { ...values, changes: change('401') });
    expect(more.problems).toMatchObject([
      { path: 'changes.0.new_value', message: '明细单已出运，数量只能减少' },
    ]);
    const made = await must(
      as('sp.aa', 'POST', '/data/shipment_version', { ...values, changes: change('399') }),
    );
    // The state of before stays known while the shipment is being changed.
    expect((await read('shipment', shipment))['status']).toBe('amending');
    const { problems } = await as('sp.aa', 'PATCH', `/data/shipment_version/${String(made['id'])}`, {
      version: made['version'],
      changes: [{ id: (made['changes'] as readonly { id: string }[])[0]?.id, new_value: '402' }],
    });
    expect(problems).toMatchObject([{ path: 'changes.0.new_value', message: '明细单已出运，数量只能减少' }]);
    await must(act('sp.aa', 'shipment_version', String(made['id']), 'abandon'));
  });
});

describe('seals and logo', () => {
  it('stand in the PDF as the company uploaded them; one that is stopped keeps its place empty', async () => {
    const { shipment } = await shipped();
    const { services } = rules.example;
    const disc = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#c00' } })
      .png()
      .toBuffer();
    for (const kind of ['logo', 'document']) {
      const id = randomUUID();
      const stored = await services.files.store({ bytes: disc, name: `${kind}.png` });
      await services.db.transaction(async (tx) => {
        const owner = { coCode: 'AA', createdBy: await rules.idOf('dc.aa'), resource: 'company_seal', recordId: id };
        const file = await services.files.register(tx, stored, { ...owner, field: 'picture', at: new Date() });
        await tx.execute(
          `insert into company_seal (id, version, created_at, updated_at, co_code, name, kind, width_mm, status, picture, is_deleted)
           values ($1, 1, now(), now(), 'AA', $2, $2, 30, 'active', array[$3::uuid], false)`,
          [id, kind, file.id],
        );
      });
    } // prettier-ignore
    const pictures = async (): Promise<readonly number[]> => {
      const token = `Bearer ${await rules.example.signIn('dc.aa', 'DC')}`;
      const path = `/erp/api/data/shipment/${shipment}/print/commercial_invoice`;
      const pdf = await fetch(`${rules.example.url}${path}/pdf`, { headers: { authorization: token } });
      const text = Buffer.from(await pdf.arrayBuffer()).toString('latin1');
      const data = await must(rules.as('dc.aa', 'GET', path.slice('/erp/api'.length)));
      const marks = (data['pages'] as readonly (readonly { readonly kind: string }[])[]).flat();
      return [
        text.match(/\/Subtype \/Image/g)?.length ?? 0,
        marks.filter(({ kind }) => kind === 'picture').length,
        marks.filter(({ kind }) => kind !== 'picture').length,
      ];
    };
    const [images, drawn, rest] = await pictures();
    expect([drawn, (images ?? 0) >= 2]).toEqual([2, true]);
    await services.db.execute(`update company_seal set status = 'disabled'`, []);
    expect(await pictures()).toEqual([0, 0, rest]);
  });
});

/** A mail server that answers each recipient in the same way; `silent` never answers anybody. */
async function mailServer(answer: string): Promise<{ server: Server; url: string; taken: string[] }> {
  const taken: string[] = [];
  const server = createServer((socket) => {
    let isData = false;
    let buffered = '';
    socket.on('error', () => undefined);
    if (answer !== 'silent') socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      if (answer === 'silent') return;
      buffered += chunk.toString();
      if (isData) {
        if (!buffered.includes('\r\n.\r\n')) return;
        taken.push(buffered);
        buffered = '';
        isData = false;
        socket.write('250 taken\r\n');
        return;
      }
      for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (/^DATA/i.test(line)) {
          isData = true;
          socket.write('354 go on\r\n');
        } else socket.write(/^RCPT/i.test(line) ? `${answer}\r\n` : '250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // An address of a listening server is known.
  const { port } = server.address() as AddressInfo;
  return { server, url: `smtp://127.0.0.1:${port}`, taken };
}

const LETTER = {
  id: 'l1',
  to: ['a@b.example'],
  cc: [],
  subject: '商业发票',
  body: 'Dear Sirs',
  attachments: [{ name: '发票.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-') }],
};

describe('a mail', () => {
  it.each([
    ['250 ok', { isTaken: true, way: 'smtp' }],
    [
      '550 no such user',
      { isTaken: false, isFinal: true, reason: expect.stringContaining('no such user') as string },
    ],
    ['451 later', { isTaken: false, isFinal: false, reason: expect.stringContaining('later') as string }],
    ['silent', { isTaken: false, isFinal: false, reason: expect.stringContaining('邮件服务器') as string }],
  ])('to a server that answers %s', async (answer, expected) => {
    const { server, url, taken } = await mailServer(answer);
    const mail = { url, from: 'docs@erp.example', timeoutMs: 400 };
    expect(await sendLetter({ mail, dataDir: '/nowhere' }, LETTER)).toEqual(expected);
    expect(taken.length).toBe(answer.startsWith('250') ? 1 : 0);
    server.close();
  });

  it.each([
    [0, 1],
    [1, 5],
    [2, 30],
    [3, 120],
    [4, null],
  ])('that is refused for now after %i tries is tried again in %s minutes', async (attempts, pauseMin) => {
    const { services } = rules.example;
    const { db, config, clock } = services;
    const { server, url } = await mailServer('451 later');
    Object.assign(config, { mail: { url, from: 'docs@erp.example', timeoutMs: 5_000 } });
    const [row] = await db.query<{ id: string }>(
      `insert into sys_mail (id, resource, record_id, person_name, subject_of, to_addresses, cc_addresses, subject, body,
         attachments, prints, fingerprint, attempts, created_at)
       values (gen_random_uuid(), 'shipment', gen_random_uuid(), '某人', '{}', '{a@b.example}', '{}', 's', 'b', '[]', '[]', '', $1,
         now()) returning id`,
      [attempts],
    );
    const id = row?.id ?? '';
    const from = clock().getTime();
    await mailTasks(services)['send_mail']?.({ id });
    const to = clock().getTime();
    server.close();
    Object.assign(config, { mail: null });
    const jobs = await db.query<{ at: string }>(
      `select run_at as at from graphile_worker._private_jobs where payload ->> 'id' = $1`,
      [id],
    );
    const pauses = jobs.map(({ at }) => new Date(at).getTime());
    const wanted = (pauseMin ?? 0) * 60_000;
    expect(pauses.every((at) => at >= from + wanted && at <= to + wanted)).toBe(true);
    expect(pauses).toHaveLength(pauseMin === null ? 0 : 1);
    expect(await rules.stored('sys_mail', id)).toMatchObject({
      status: pauseMin === null ? 'failed' : 'waiting',
      error: expect.stringContaining('later') as string,
      attempts: attempts + 1,
    });
  });

  it('may not be sent of a record that is not in force, and its paper says so above each page', async () => {
    const { shipment } = await shipped();
    const path = `/data/shipment/${shipment}/print/commercial_invoice`;
    const noted = async (): Promise<boolean> =>
      JSON.stringify((await must(rules.as('sp.aa', 'GET', path)))['pages']).includes('DRAFT - NOT VALID');
    const refusal = async () => (await must(rules.as('sp.aa', 'GET', `${path}/mail`)))['refusal'];
    expect([await noted(), await refusal()]).toEqual([false, null]);
    const { db } = rules.example.services;
    await db.execute(`update shipment set status = 'rejected' where id = $1::uuid`, [shipment]);
    expect([await noted(), await refusal()]).toEqual([true, expect.stringContaining('不能发出')]);
    await db.execute(`update shipment set status = 'shipped' where id = $1::uuid`, [shipment]);
  });

  it('stands on the record with what, whom and when, fails with a reason, is sent again, and tells what changed since', async () => {
    const { shipment } = await shipped();
    const { services } = rules.example;
    const path = `/data/shipment/${shipment}/mails`;
    const form = {
      to: ['buyer@abroad.example'],
      cc: [],
      subject: 'Invoice',
      body: 'Dear Sirs',
      printIds: ['commercial_invoice'],
      fileIds: [],
    };
    const listed = async (): Promise<Fields> =>
      ((await must(rules.as('sp.aa', 'GET', path))) as unknown as readonly Fields[])[0] ?? {};
    const until = async (status: string): Promise<Fields> => {
      for (let tries = 0; tries < 200; tries += 1) {
        const mail = await listed();
        if (mail['status'] === status) return mail;
        await delay(100);
      }
      return listed();
    };
    const draft = await must(
      rules.as('sp.aa', 'GET', `/data/shipment/${shipment}/print/commercial_invoice/mail`),
    );
    expect(draft).toMatchObject({
      way: 'outbox',
      refusal: null,
      subject: expect.stringContaining('Commercial Invoice') as string,
    });
    const { server, url } = await mailServer('550 refused');
    Object.assign(services.config, { mail: { url, from: 'docs@erp.example', timeoutMs: 1_000 } });
    await must(rules.as('sp.aa', 'POST', path, form));
    expect(await until('failed')).toMatchObject({
      error: expect.stringContaining('refused') as string,
      attachments: [expect.stringMatching(/^商业发票 .*\.pdf$/)],
    });
    server.close();
    Object.assign(services.config, { mail: null });
    const heard = await services.db.query(
      `select p.personid, n.content from sys_notice n join person p on p.id = n.person_id
       where n.event = 'MAIL_FAILED' and n.record_id = $1::uuid`,
      [shipment],
    );
    expect(heard).toEqual([
      { personid: 'sp.aa', content: expect.stringMatching(/没有发出：Invoice；.*refused/) as string },
    ]);
    const { id } = await listed();
    const [{ status } = {}] = await services.db.query('select status from shipment where id = $1::uuid', [
      shipment,
    ]);
    const standAt = (state: unknown) =>
      services.db.execute('update shipment set status = $2 where id = $1::uuid', [shipment, state]);
    await standAt('pending');
    const barred = await rules.as('sp.aa', 'POST', `${path}/${String(id)}/resend`);
    expect([barred.status, barred.msg]).toEqual([409, expect.stringContaining('不能发出')]);
    expect((await listed())['status']).toBe('failed');
    await standAt(status);
    await must(rules.as('sp.aa', 'POST', `${path}/${String(id)}/resend`));
    expect(await until('sent')).toMatchObject({ way: 'outbox', isOutdated: false, error: null });
    expect((await rules.as('sp.aa', 'POST', `${path}/${String(id)}/resend`)).status).toBe(409);
    await services.db.execute(`update shipment set vessel = 'OTHER STAR' where id = $1::uuid`, [shipment]);
    expect((await listed())['isOutdated']).toBe(true);
    const told = await services.db.query(
      `select opinion from sys_audit where record_id = $1 and action = 'mail' order by at, id`,
      [shipment],
    );
    expect(told.map(({ opinion }) => String(opinion).split('：')[0])).toEqual([
      '发邮件至 buyer@abroad.example',
      '邮件发送失败',
      '邮件已写入发件箱目录',
    ]);
    expect((await rules.as('gm.aa', 'POST', path, form)).status).toBe(403);
    expect((await rules.as('sp.aa', 'POST', path, { ...form, to: ['no address'] })).status).toBe(400);
    await services.db.execute(`update shipment set status = 'pending' where id = $1::uuid`, [shipment]);
    expect((await rules.as('sp.aa', 'POST', path, form)).status).toBe(409);
  });
});
