import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoredBytes } from '#server/records/files/file-service.ts';
import { sweepFiles } from '#server/workflow/jobs/clean-up.ts';
import type { Services } from '#server/records/services.ts';
import { type Example, startExample } from '../support/running-example.ts';

const HOUR_MS = 3_600_000;
let example: Example;
let services: Services;
let token: string;
let serial = 0;

beforeAll(async () => {
  example = await startExample();
  ({ services } = example.server);
  token = await example.signIn('sp.aa', 'SP');
}, 600_000);
afterAll(() => example.close());

const someBytes = (): Buffer => {
  serial += 1;
  return Buffer.from(`附件内容 ${serial}`);
};

const store = (bytes = someBytes()): Promise<StoredBytes> => services.files.store({ bytes, name: 'a.txt' });

const hasBytes = (key: string): boolean => existsSync(join(example.config.dataDir, 'files', key));

/** A file as a form uploads it. */
async function anUpload(): Promise<{ readonly id: string; readonly key: string }> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(someBytes())]), 'a.txt');
  const { body } = await example.call('POST', '/erp/api/files', { token, body: form });
  const { id } = body.data as { id: string };
  return { id, key: (await services.files.find(id))?.storageKey ?? '' };
}

async function aNote(fields: Record<string, unknown>): Promise<{ id: string; version: number }> {
  const { body } = await example.call('POST', '/erp/api/data/note', {
    token,
    body: { title: '便笺', ...fields },
  });
  expect(body.msg).toBe('保存成功');
  return body.data;
}

async function change(note: { id: string; version: number }, fields: Record<string, unknown>): Promise<void> {
  const { body } = await example.call('PATCH', `/erp/api/data/note/${note.id}`, {
    token,
    body: { version: note.version, ...fields },
  });
  expect(body.code).toBe(200);
}

const isKnown = async (id: string): Promise<boolean> => (await services.files.find(id)) !== null;

/** Sweeps as the nights of so many days would. */
async function nights(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    await sweepFiles(services);
    example.advance(25 * HOUR_MS);
  }
  await sweepFiles(services);
  token = await example.signIn('sp.aa', 'SP');
}

it('bytes that no row names go after a day, those of a registered file stay', async () => {
  const shared = someBytes();
  const [lost, kept] = [await store(), await store(shared)];
  await services.files.register(services.db, kept, { coCode: 'AA', createdBy: null });
  await store(shared);
  await expect(
    services.db.transaction(async (tx) => {
      await services.files.register(tx, lost, { coCode: 'AA', createdBy: null });
      throw new TypeError('undone');
    }),
  ).rejects.toThrow('undone');
  await sweepFiles(services);
  expect([hasBytes(lost.storageKey), hasBytes(kept.storageKey)]).toEqual([true, true]);
  await nights(1);
  expect([hasBytes(lost.storageKey), hasBytes(kept.storageKey)]).toEqual([false, true]);
});

it('an export goes whose job never ended, and stays while its job names it', async () => {
  const path = join(example.config.dataDir, 'export.xlsx');
  await writeFile(path, 'x');
  const [died, done] = ['exports/died.xlsx', 'exports/done.xlsx'];
  for (const key of [died, done]) await services.files.storage.keep(key, path, 'x');
  await services.db.execute(
    `insert into sys_job (id, kind, status, file_key, finished_at) values (gen_random_uuid(), 'export', 'done', $1, $2)`,
    [done, services.clock().toISOString()],
  );
  await nights(1);
  expect([hasBytes(died), hasBytes(done)]).toEqual([false, true]);
});

it('what a write that was cut off has left goes too', async () => {
  const folder = join(example.config.dataDir, 'files', 'drafts');
  await mkdir(folder, { recursive: true });
  const [old, young] = [join(folder, 'old.draft'), join(folder, 'young.draft')];
  await Promise.all([writeFile(old, 'x'), writeFile(young, 'x')]);
  const long = new Date(services.clock().getTime() - 30 * HOUR_MS);
  const now = services.clock();
  await Promise.all([utimes(old, long, long), utimes(young, now, now)]);
  await sweepFiles(services);
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});

it('a file taken off its record goes with row and bytes; what the record names stays', async () => {
  const [kept, removed] = [await anUpload(), await anUpload()];
  const shown = await anUpload();
  const body = `<p><img src="/erp/api/files/${shown.id}" alt="图"></p>`;
  const note = await aNote({ scan: [kept.id, removed.id], body });
  await change(note, { scan: [kept.id] });
  await nights(1);
  expect(await Promise.all([kept, removed, shown].map(({ id }) => isKnown(id)))).toEqual([true, false, true]);
  await nights(1);
  expect([kept, removed, shown].map(({ key }) => hasBytes(key))).toEqual([true, false, true]);
});

it('a picture that was copied into another text stays when the first one loses it', async () => {
  const shown = await anUpload();
  const body = `<p><img src="/erp/api/files/${shown.id}" alt="图"></p>`;
  const first = await aNote({ body });
  await aNote({ body });
  await change(first, { body: '<p>没有图了</p>' });
  await nights(2);
  expect(await isKnown(shown.id)).toBe(true);
});

it('a file that is attached again before it goes stays', async () => {
  const file = await anUpload();
  const note = await aNote({ scan: [file.id] });
  await change(note, { scan: null });
  await sweepFiles(services);
  await change({ ...note, version: note.version + 1 }, { scan: [file.id] });
  await nights(2);
  expect(await isKnown(file.id)).toBe(true);
});

it('an upload that was never saved stays as long as a draft may name it', async () => {
  const file = await anUpload();
  await nights(2);
  expect(await isKnown(file.id)).toBe(true);
  example.advance(31 * 24 * HOUR_MS);
  await nights(1);
  expect([await isKnown(file.id), hasBytes(file.key)]).toEqual([false, false]);
});

it('bytes stored anew while they are swept are there afterwards', async () => {
  for (let round = 0; round < 10; round += 1) {
    const bytes = someBytes();
    const { storageKey } = await store(bytes);
    await services.db.execute(
      `update sys_stored set at = $2::timestamptz - interval '2 days' where storage_key = $1`,
      [storageKey, services.clock().toISOString()],
    );
    await Promise.all([sweepFiles(services), store(bytes)]);
    expect(hasBytes(storageKey)).toBe(true);
  }
});
