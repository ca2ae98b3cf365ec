import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_DIGEST, FIRST_HASH, linkHash, sealAudit } from '#server/kernel/audit/seal-audit.ts';
import { checkAudit } from '#server/workflow/jobs/verify-audit.ts';
import { type Example, startExample } from '../support/running-example.ts';

let example: Example;
let token: string;
let admin: string;

beforeAll(async () => {
  example = await startExample();
  token = await example.signIn('sp.aa', 'SP');
  admin = await example.signIn('ad.aa', 'AD');
  for (let n = 1; n <= 5; n += 1) await save(`第${n}条`);
}, 600_000);
afterAll(() => example.close());

const save = async (title: string): Promise<string> =>
  ((await example.call('POST', '/erp/api/data/note', { token, body: { title } })).body.data as { id: string })
    .id;
const check = () => checkAudit(example.server.services);
/** As the owner of the database, who may turn every wall off. */
const asOwner = (text: string, values: readonly unknown[] = []): Promise<unknown> =>
  example.owner.transaction(async (tx) => {
    await tx.execute('alter table sys_audit disable trigger all');
    await tx.execute(text, values);
    await tx.execute('alter table sys_audit enable trigger all');
  });
async function aRow(): Promise<{ id: string; record_id: string }> {
  const [row] = await example.owner.query<{ id: string; record_id: string }>(
    `select id, record_id from sys_audit where resource = 'note' and action = 'create' order by id limit 1`,
  );
  if (row === undefined) throw new Error('no audit row');
  return row;
}

function noted(): Promise<unknown> {
  return example.owner.query(
    `select resource, address, opinion from sys_audit where action = 'refused' and person_name =
           (select name from person where personid = 'sp.aa')`,
  );
}

describe('the audit', () => {
  it('says from which address somebody wrote, and is chained behind the writers', async () => {
    const verdict = await check();
    expect(verdict).toMatchObject({ total: 0, faults: [] });
    const [row] = await example.owner.query(
      `select a.address, a.person_name, s.seq from sys_audit a join sys_audit_seal s on s.audit_id = a.id
       where a.id = $1::uuid`,
      [(await aRow()).id],
    );
    expect(row).toMatchObject({ address: '127.0.0.1', seq: expect.stringMatching(/^\d+$/) });
  });

  it('has one chain when many write and two processes chain', async () => {
    const { db } = example.server.services;
    const isDone = { value: false };
    const sealing = [0, 1].map(async () => {
      while (!isDone.value) await sealAudit(db);
    });
    await Promise.all(Array.from({ length: 16 }, (_, n) => save(`同时${n}`)));
    isDone.value = true;
    await Promise.all(sealing);
    const { total, links } = await check();
    const [rows] = await db.query('select count(*)::int as n from sys_audit');
    expect([total, links]).toEqual([0, rows?.['n']]);
  });

  it('is noted outside of the database, closed to others', async () => {
    const path = join(example.config.dataDir, 'audit-heads.jsonl');
    const { head } = await check();
    expect((await readFile(path, 'utf8')).trim().split('\n').at(-1)).toContain(String(head?.hash));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});

describe('when the owner of the database', () => {
  it('changes a row, the row is named, and the administrators hear of it', async () => {
    const { id, record_id } = await aRow();
    await asOwner(`update sys_audit set person_name = '别人' where id = $1::uuid`, [id]);
    const { total, faults } = await check();
    expect(total).toBe(1);
    expect(faults[0]).toMatchObject({ kind: 'changed', audit_id: id, resource: 'note', record_id });
    const told = await example.owner.query(
      `select n.content, p.personid from sys_notice n join person p on p.id = n.person_id where n.event = 'AUDIT_FAULT'`,
    );
    expect(told.map(({ personid }) => personid)).toEqual(['ad.aa']);
    expect(told[0]?.['content']).toContain(`操作记录被修改：第`);
    expect(told[0]?.['content']).toContain(record_id);
    await asOwner(`update sys_audit set person_name = (select name from person where personid = 'sp.aa') where id = $1::uuid`, [id]); // prettier-ignore
    expect((await check()).total).toBe(0);
  });

  it('deletes a row, the gap is found with its time', async () => {
    await save('将被抹去');
    await sealAudit(example.server.services.db);
    const [gone] = await example.owner.query<{ id: string; at: string }>(
      'select id, at from sys_audit order by id desc limit 1',
    );
    await asOwner('delete from sys_audit where id = $1::uuid', [gone?.id]);
    const { faults } = await check();
    expect(faults).toEqual([expect.objectContaining({ kind: 'missing', audit_id: gone?.id, at: gone?.at })]);
    await asOwner(`delete from sys_audit_seal where audit_id = $1::uuid`, [gone?.id]);
    // The last link was taken out with the row: only the note outside of the database still knows of it.
    await writeFile(
      join(example.config.dataDir, 'audit-heads.jsonl'),
      `${JSON.stringify({ seq: faults[0]?.seq, hash: FIRST_HASH })}\n`,
    );
    expect((await check()).faults).toEqual([expect.objectContaining({ kind: 'rewritten' })]);
    await writeFile(join(example.config.dataDir, 'audit-heads.jsonl'), '');
  });

  it('puts a row in past the trigger, it is found', async () => {
    const id = '00000000-0000-4000-8000-000000000001';
    await asOwner(
      `insert into sys_audit (id, resource, action, person_name) values ($1, 'note', 'approve', '总经理')`,
      [id],
    );
    expect((await check()).faults).toEqual([
      expect.objectContaining({ kind: 'unsealed', audit_id: id, action: 'approve' }),
    ]);
    await asOwner('delete from sys_audit where id = $1::uuid', [id]);
  });

  it('computes the whole chain anew behind a changed row, the note outside of the database tells', async () => {
    expect((await check()).total).toBe(0);
    const { id } = await aRow();
    await asOwner(`update sys_audit set opinion = '同意' where id = $1::uuid`, [id]);
    await example.owner.execute(
      `update sys_audit_seal s set digest = ${AUDIT_DIGEST} from sys_audit a where a.id = s.audit_id`,
    );
    const links = await example.owner.query<{ seq: string; id: string; digest: string }>(
      `select seq, audit_id as id, encode(digest, 'hex') as digest from sys_audit_seal order by seq`,
    );
    let hash = FIRST_HASH;
    for (const link of links) {
      hash = linkHash(hash, { seq: BigInt(link.seq), auditId: link.id, digest: link.digest });
      await example.owner.execute(`update sys_audit_seal set hash = decode($2, 'hex') where audit_id = $1::uuid`, [link.id, hash]); // prettier-ignore
    }
    const { faults } = await check();
    expect(faults.map(({ kind }) => kind)).toEqual(['rewritten']);
  });
});

describe('what is refused', () => {
  it('stands in the audit with person and address, once for the same again and again', async () => {
    for (let n = 0; n < 3; n += 1)
      expect((await example.call('GET', '/erp/api/audit/verification', { token })).status).toBe(403);
    await expect.poll(noted).toEqual([
      {
        resource: 'audit',
        address: '127.0.0.1',
        opinion: expect.stringContaining('GET /erp/api/audit/verification'),
      },
    ]);
  });

  it('stands there twenty times a minute at most, whatever is made up in the addresses', async () => {
    for (let n = 0; n < 30; n += 1)
      expect((await example.call('GET', `/erp/api/person-preview/${randomUUID()}`, { token })).status).toBe(
        403,
      );
    const opinions = async (): Promise<readonly string[]> =>
      ((await noted()) as readonly { opinion: string }[]).map(({ opinion }) => opinion);
    await expect
      .poll(async () => (await opinions()).filter((text) => text.endsWith('；以及更多')).length)
      .toBe(1);
    await expect.poll(async () => (await opinions()).length).toBe(21);
  });
});

describe('an administrator of the group', () => {
  it('has the audit gone over and reads what was found', async () => {
    expect((await example.call('POST', '/erp/api/audit/verification', { token: admin })).status).toBe(200);
    const read = async () =>
      (await example.call('GET', '/erp/api/audit/verification', { token: admin })).body.data as {
        total: number;
      };
    await expect.poll(read, { timeout: 15_000 }).toMatchObject({ total: 1 });
  });
});
