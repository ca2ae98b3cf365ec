import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '#server/kernel/config.ts';
import { startServer } from '#server/main.ts';
import { prepareDatabase } from '#demo/prepare-database.ts';
import { restingMib } from './built-server.ts';
import { median } from './measure.ts';

const RESOURCES = 100;
const EDITS = 7;

/**
 * With a hundred resources: how long an edited file takes from its write until it serves, its new column included, and
 * what the built server holds at rest over them. Files are copied, so that nobody's are touched.
 */
export async function measureDefinitions(
  given: { readonly env: Readonly<Record<string, string>>; readonly folder: string },
  add: (what: string, result: string, target: string, isMet: boolean) => void,
): Promise<void> {
  const resources = path.join(given.folder, 'resources');
  cpSync(given.env['ERP_RESOURCES_DIR'] ?? 'resources', resources, { recursive: true });
  const env = { ...given.env, ERP_RESOURCES_DIR: resources, ERP_DEMO_DATA: '0' };
  const server = await startServer(readConfig(env), { prepare: prepareDatabase, isRateLimited: false });
  try {
    const { definitions } = server.services;
    const present = Object.keys(definitions.catalog().resources).length;
    for (let n = present; n < RESOURCES; n += 1) writeNote(resources, n, 0);
    while (Object.keys(definitions.catalog().resources).length < RESOURCES) await pause(50);
    let edit = 0;
    const ms = await median(EDITS, async () => {
      edit += 1;
      writeNote(resources, RESOURCES - 1, edit);
      while (!isServed(definitions.catalog().resources, edit)) await pause(5);
    });
    add(`改动一个定义文件到生效（${RESOURCES} 个资源，含加列）`, `${Math.round(ms)} ms`, '< 1 s', ms < 1_000);
  } finally {
    await server.close();
  }
  const mib = await restingMib(env);
  if (mib === null) add(`静止时内存（${RESOURCES} 个资源）`, '没有构建或没有就绪，未测', '', true);
  else add(`静止时内存（${RESOURCES} 个资源，构建后的服务）`, `${mib} MB`, '≤ 250 MB', mib <= 250);
}

type Resources = Readonly<Record<string, { readonly fields: Readonly<Record<string, unknown>> }>>;

function isServed(resources: Resources, edit: number): boolean {
  return resources[`bench_note_${RESOURCES - 1}`]?.fields[`extra_${edit}`] !== undefined;
}

/** The last shipped master's size, with so many fields more. */
function writeNote(resources: string, n: number, edits: number): void {
  const name = `bench_note_${n}`;
  const shipped: unknown = JSON.parse(readFileSync(path.join(resources, 'base/country.json'), 'utf8'));
  const extra = Array.from({ length: edits }, (_, at) => [
    `extra_${at + 1}`,
    { type: 'text', title: `附加${at + 1}`, max: 20 },
  ]);
  const base = typeof shipped === 'object' && shipped !== null && 'fields' in shipped ? shipped.fields : {};
  const definition = {
    resource: name,
    title: `样表${n}`,
    kind: 'master',
    label: 'name',
    fields: {
      name: { type: 'text', title: '名称', max: 60 },
      ...plainFields(base),
      ...Object.fromEntries(extra),
    },
    access: [{ role: 'AD', do: ['*'] }],
  };
  writeFileSync(path.join(resources, `${name}.json`), JSON.stringify(definition, null, 2));
}

function plainFields(fields: unknown): object {
  return Object.fromEntries(
    Object.entries(typeof fields === 'object' && fields !== null ? fields : {}).filter(
      ([name, field]) => name !== 'name' && (field as { readonly type?: string }).type === 'text',
    ),
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
