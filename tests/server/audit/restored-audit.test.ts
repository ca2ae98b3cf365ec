import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { notedHeads } from '#server/kernel/audit/noted-heads.ts';
import { type AuditHead, readHead, sealAudit } from '#server/kernel/audit/seal-audit.ts';
import { verifyAudit } from '#server/kernel/audit/verify-audit.ts';
import { backUp } from '#server/kernel/backup/backup.ts';
import { type BackupPlace, createFolderPlace } from '#server/kernel/backup/backup-place.ts';
import { restore } from '#server/kernel/backup/restore.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { createCatalogDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { aCatalog, aContract } from '../../support/definitions.ts';

const AT = new Date('2026-03-02T10:00:00Z');

let source: TestDatabase;
let target: TestDatabase;
let db: Database;
let restored: Database;
let folder: string;
let backup: BackupPlace;
/** Noted before the backup, and the night after it. */
let before: AuditHead;
let beyond: AuditHead;

beforeEach(async () => {
  source = await createCatalogDatabase(aCatalog(aContract()));
  target = await createTestDatabase();
  db = openDatabase({ url: source.url });
  restored = openDatabase({ url: target.url });
  folder = await mkdtemp(join(tmpdir(), 'erp-audit-'));
  backup = createFolderPlace(join(folder, 'backup'));
  before = await noteNext();
  await write(db);
  await backUp({ url: source.url, filesFolder: null, dataDir: folder }, backup, AT);
  beyond = await noteNext();
});
afterEach(async () => {
  for (const each of [db, restored]) await each.close();
  for (const each of [source, target]) await each.drop();
  await rm(folder, { recursive: true, force: true });
});

async function write(on: Database): Promise<AuditHead | null> {
  await on.execute(
    `insert into sys_audit (id, resource, action, person_name)
     select gen_random_uuid(), 'contract', 'create', '某人' from generate_series(1, 3)`,
  );
  await sealAudit(on);
  return readHead(on);
}

async function noteNext(): Promise<AuditHead> {
  const head = await write(db);
  if (head === null) throw new Error('no head');
  await notedHeads(folder).note(head, AT);
  return head;
}

async function verify(dataDir: string): Promise<unknown> {
  const { faults, restoredAt } = await verifyAudit(restored, await notedHeads(dataDir).read());
  return { faults: faults.map(({ kind, seq }) => `${kind} ${seq ?? ''}`), restoredAt };
}

describe('an audit that was brought back', () => {
  it('is whole beside heads that were noted after the backup, and goes on', async () => {
    const noting = { dataDir: folder, at: AT };
    // A process died while it wrote.
    await appendFile(join(folder, 'audit-heads.jsonl'), '{"seq":"9');
    await restore(backup, { url: target.url, filesFolder: null, noting });
    expect((await notedHeads(folder).read()).heads).toEqual([before]);
    expect(await verify(folder)).toEqual({ faults: [], restoredAt: AT.toISOString() });
    const head = await write(restored);
    expect(head?.seq).toBe(beyond.seq);
    if (head !== null) await notedHeads(folder).note(head, AT);
    expect(await verify(folder)).toEqual({ faults: [], restoredAt: AT.toISOString() });
    expect((await notedHeads(folder).read()).heads).toEqual([before, head]);
  });

  it('is guarded in a new data directory by the heads that came with it', async () => {
    const dataDir = join(folder, 'new');
    await restore(backup, { url: target.url, filesFolder: null, noting: { dataDir, at: AT } });
    expect(await verify(dataDir)).toEqual({ faults: [], restoredAt: AT.toISOString() });
    await restored.execute(`update sys_audit_seal set hash = sha256('x') where seq = ${before.seq}::bigint`);
    expect(await verify(dataDir)).toMatchObject({
      faults: expect.arrayContaining([`rewritten ${before.seq}`]) as unknown,
    });
  });
});
