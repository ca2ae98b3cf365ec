import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '#server/main.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { createTestDatabase } from '../../support/database.ts';
import { EXAMPLE_FILES } from '../support/example-definitions.ts';
import { type Example, startExample } from '../support/running-example.ts';

let example: Example;
let token: string;

beforeAll(async () => {
  example = await startExample();
  token = await example.signIn('ad.aa');
});
afterAll(() => example.close());

const note = EXAMPLE_FILES['sales/note.json'] as { fields: Record<string, object> };

/** Waits until `isTrue` answers yes. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const fieldsOfNote = async (): Promise<readonly string[]> => {
  const { body } = await example.call('GET', '/erp/api/meta/resources/note', { token });
  return Object.keys((body.data as { fields: object }).fields);
};

describe('a definition file', () => {
  it('that was edited is live without a restart, its column included', async () => {
    await example.definitions.write('sales/note.json', {
      ...note,
      fields: { ...note.fields, place: { type: 'text', title: '地点', max: 40 } },
    });
    await until(async () => (await fieldsOfNote()).includes('place'));
    const made = await example.call('POST', '/erp/api/data/note', {
      token,
      body: { title: '会议', place: '宁波' },
    });
    expect((made.body.data as { place: string }).place).toBe('宁波');
    const versions = await example.call('GET', '/erp/api/meta/definitions?path=resources/sales/note.json', {
      token,
    });
    expect(versions.body.data).toEqual([
      expect.objectContaining({
        version: 2,
        author: expect.stringMatching(/./),
        changes: [{ path: 'fields.place', new: { type: 'text', title: '地点', max: 40 } }],
      }),
      expect.objectContaining({ version: 1, changes: [], is_gone: false }),
    ]);
    const other = await example.signIn('sp.aa');
    expect((await example.call('GET', '/erp/api/meta/definitions', { token: other })).status).toBe(403);
  });

  it('that was added and removed comes and goes', async () => {
    await example.definitions.write('sales/memo.json', {
      resource: 'memo', title: '备忘', kind: 'master', label: 'title',
      fields: { title: { type: 'text', title: '标题', max: 20, required: true } },
      access: [{ role: 'AD', do: ['*'] }],
    }); // prettier-ignore
    const answer = async () =>
      (await example.call('POST', '/erp/api/data/memo/query', { token, body: {} })).status;
    await until(async () => (await answer()) === 200);
    await rm(join(example.definitions.folder, 'sales/memo.json'));
    await until(async () => (await answer()) !== 200);
    expect(await answer()).toBe(404);
  });

  it('with a fault leaves the last good version serving, tells administrators, and holds up no other file', async () => {
    await example.definitions.write('sales/note.json', '{ "resource": "note", ');
    const faults = async () =>
      (await example.call('GET', '/erp/api/meta/faults', { token })).body.data as { text: string }[];
    await until(async () => (await faults()).length > 0);
    expect((await faults())[0]?.text).toMatch(/^resources\/sales\/note\.json:1:\d+ JSON语法错误/);
    expect(await fieldsOfNote()).toContain('title');
    await until(async () => {
      const { body } = await example.call('GET', '/erp/api/notice/unread', { token });
      return (body.data as { total: number }).total > 0;
    });
    const { body: centre } = await example.call('POST', '/erp/api/notice/query', { token, body: {} });
    expect((centre.data as { records: unknown[] }).records[0]).toMatchObject({
      event: 'DEFINITION_FAULT',
      level: 'urgent',
      title: '定义错误',
      content: expect.stringMatching(/^共1处错误，仍使用上一版本：\nresources\/sales\/note\.json:1:/),
    });
    const person = EXAMPLE_FILES['user/person.json'] as { fields: object };
    await example.definitions.write('user/person.json', {
      ...person,
      fields: { ...person.fields, nickname: { type: 'text', title: '昵称', max: 20 } },
    });
    await until(async () => {
      const { body } = await example.call('GET', '/erp/api/meta/resources/person', { token });
      return Object.keys((body.data as { fields: object }).fields).includes('nickname');
    });
    await example.definitions.write('sales/note.json', note);
    await until(async () => (await faults()).length === 0);
  });

  it('with a fault refuses the very first start, with its place', async () => {
    const empty = await createTestDatabase();
    await example.definitions.write('sales/note.json', { ...note, label: 'titel' });
    const start = startServer({ ...example.config, port: 0, databaseUrl: empty.url });
    await expect(start).rejects.toThrow(StartRefusal);
    await expect(start).rejects.toThrow(/resources\/sales\/note\.json:\d+:\d+ .*titel/);
    await empty.drop();
    await example.definitions.write('sales/note.json', note);
  });

  it('with a fault at a later start leaves the last good version serving, and says so', async () => {
    await example.definitions.write('sales/note.json', { ...note, label: 'titel' });
    await example.definitions.write('sales/memo.json', '{');
    const second = await startServer({ ...example.config, port: 0 });
    try {
      const ready = await (await fetch(`${second.url}/ready`)).json();
      expect(ready).toMatchObject({
        code: 200,
        data: {
          status: 'ready',
          faults: 2,
          files: ['resources/sales/memo.json', 'resources/sales/note.json'],
        },
      });
      expect(second.services.definitions.catalog().resources['note']?.label).toBe('title');
    } finally {
      await second.close();
      await rm(join(example.definitions.folder, 'sales/memo.json'));
      await example.definitions.write('sales/note.json', note);
    }
  });
});

describe('a second process on the same database', () => {
  it('shares sessions, notices and what ends them', async () => {
    const second = await startServer({ ...example.config, port: 0 });
    try {
      const ask = async () =>
        (await fetch(`${second.url}/erp/api/self`, { headers: { authorization: own } })).status;
      const own = await example.signIn('gm.aa');
      expect(await ask()).toBe(200);
      await example.call('POST', '/erp/api/sys/logout', { token: own });
      await until(async () => (await ask()) === 401);
    } finally {
      await second.close();
    }
  });

  it('sees the same fault, of which administrators are told once', async () => {
    const second = await startServer({ ...example.config, port: 0 });
    try {
      const told = async (): Promise<readonly string[]> =>
        (
          await example.server.services.db.query<{ title: string }>(
            `select title from sys_notice where event = 'DEFINITION_FAULT' and content like '%broken.json%'
             and person_id = (select id from person where personid = 'ad.aa')`,
          )
        ).map(({ title }) => title);
      await example.definitions.write('sales/broken.json', '{ "resource": ');
      await until(async () => (await told()).length > 0);
      await until(async () => second.services.definitions.faults().length > 0);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(await told()).toHaveLength(1);
    } finally {
      await rm(join(example.definitions.folder, 'sales/broken.json'));
      await second.close();
    }
  });
});
