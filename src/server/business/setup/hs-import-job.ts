import { buffer } from 'node:stream/consumers';
import { findNamed } from '#server/business/find-named.ts';
import { runNamed, updateNamed } from '#server/business/named-records.ts';
import { AppError } from '#server/kernel/errors.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { addJob, type JobTask, withoutJob } from '#server/kernel/worker.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import type { Services } from '#server/records/services.ts';
import { readRecord } from '#server/records/write/system-write.ts';
import { importHsLibrary } from './import-hs-library.ts';
import { type LibraryReport, reportTable } from './hs-library-report.ts';

const TASK = 'import_hs_codes';

/** A library has some ten thousand lines: it is looked through, and written, while its person does other things. */
async function startImport({ tx, record }: RuleCall): Promise<void> {
  await addJob(tx, TASK, { id: record['id'] }, { key: `${TASK} ${String(record['id'])}`, maxAttempts: 3 });
}

export const HS_IMPORT_RULES: RuleSet = {
  effects: {
    start_hs_import: {
      run: startImport,
      reads: ['hs_code_import.rates', 'hs_code_import.elements'],
      writes: [
        'hs_code_import!looked',
        'hs_code_import!applied',
        'hs_code_import!fail',
        ...[
          'new_count',
          'changed_count',
          'element_count',
          'fault_count',
          'unmentioned',
          'report',
          'fault',
          'finished_at',
        ].map((name) => `hs_code_import.${name}`),
      ],
      why: 'reads files and writes thousands of records, longer than a request may take',
    },
  },
};

export function hsImportTasks(services: Services): Readonly<Record<string, JobTask>> {
  return {
    [TASK]: (payload) => runImport(services, String(Object(payload)['id'])),
    [LOST_TASK]: () => failLostImports(services),
  };
}

const LOST_TASK = 'fail_lost_hs_imports';

/** Every five minutes. */
export const HS_IMPORT_SCHEDULE = [
  { task: LOST_TASK, pattern: '*/5 * * * *', isMadeUpFor: false, isAlone: true },
] as const;

/** Imports that nobody goes on with: their job was not in the backup that was restored, or was cut off at its last try. */
export async function failLostImports(services: Services): Promise<void> {
  await inTransaction(services, async (context) => {
    // Held, an import cannot end between the two looks.
    const running = await findNamed(context, 'hs_code_import', {
      where: { status: { in: ['looking', 'applying'] } },
      fields: ['id'],
      companies: 'all',
      isLocking: true,
    });
    if (running.length === 0) return;
    const ids = running.map(({ id }) => String(id));
    for (const id of await withoutJob(context.tx, TASK, ids))
      await fail(context, id, '导入已中断，请重新检查');
  });
}

/** Cut off in the middle it is begun again: what is written already is no change any more. */
async function runImport(services: Services, id: string): Promise<void> {
  const record = await inTransaction(services, (context) => readRecord(context, 'hs_code_import', id));
  const isApplied = record?.['status'] === 'applying';
  if (record === null || (!isApplied && record['status'] !== 'looking')) return;
  try {
    const files = {
      rates: await bytesOf(services, record['rates']),
      elements: await bytesOf(services, record['elements']),
    };
    const report = await importHsLibrary(services, { ...files, isApplied });
    await finish(services, { id, isApplied, report });
  } catch (error) {
    const isTheirs = error instanceof StartRefusal || (error instanceof AppError && error.status < 500);
    if (!isTheirs) services.log.error({ err: error, record: id }, 'import of HS codes failed');
    const fault = isTheirs ? error.message : '导入未能完成，请稍后再试';
    await inTransaction(services, (context) => fail(context, id, fault));
  }
}

async function fail(context: Context, id: string, fault: string): Promise<void> {
  await updateNamed(context, 'hs_code_import', { id, fields: { fault: fault.slice(0, 500) } });
  await runNamed(context, 'hs_code_import', { id, action: 'fail' });
}

async function finish(
  services: Services,
  {
    id,
    isApplied,
    report,
  }: { readonly id: string; readonly isApplied: boolean; readonly report: LibraryReport },
): Promise<void> {
  const added = report.changes.filter(({ before }) => before === null).length;
  const name = `HS编码变化${services.clock().toISOString().slice(0, 10)}.csv`;
  const stored = await services.files.store({ bytes: Buffer.from(reportTable(report)), name });
  await inTransaction(services, async (context) => {
    const file = await services.files.register(context.tx, stored, {
      coCode: '',
      createdBy: context.caller.subject.id,
      resource: 'hs_code_import',
      recordId: id,
      field: 'report',
      at: services.clock(),
    });
    await updateNamed(context, 'hs_code_import', {
      id,
      fields: {
        new_count: added,
        changed_count: report.changes.length - added,
        element_count: report.elements.length,
        fault_count: report.faults.length,
        unmentioned: report.unmentioned,
        report: [file.id],
        finished_at: services.clock().toISOString(),
      },
    });
    await runNamed(context, 'hs_code_import', { id, action: isApplied ? 'applied' : 'looked' });
  });
}

type Context = Pick<RuleCall, 'tx' | 'services' | 'caller'>;

function inTransaction<T>(services: Services, work: (context: Context) => Promise<T>): Promise<T> {
  return services.db.transaction((tx) => work({ tx, services, caller: systemCaller(services, '') }));
}

/** The first of the uploaded files; null where there is none. */
async function bytesOf(services: Services, ids: unknown): Promise<Uint8Array | null> {
  const id: unknown = Array.isArray(ids) ? ids[0] : null;
  if (typeof id !== 'string') return null;
  const stored = await services.files.find(id);
  if (stored === null) throw new AppError('FILE_UNAVAILABLE');
  return buffer(await services.files.open(stored));
}
