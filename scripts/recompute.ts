/**
 * Formulas that were worded otherwise since records were written: `npm run recompute -- <resource>` counts what would
 * change and shows the first records, with `--apply` it is written, audited, a stretch at a time. Cut off, it goes on when
 * it is run again: what is right by then does not change.
 */
import { parseArgs } from 'node:util';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { companiesOf } from '#server/records/call/record-companies.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { recomputeRecords, type RecomputedStretch } from '#server/records/recompute/recompute-records.ts';
import { runCommand } from './run-command.ts';
import { withServices } from './with-services.ts';

await runCommand(async () => {
  const { key, isApplied } = readArguments();
  await withServices('recompute', async (services) => {
    const resource = Object.entries(currentCatalog(services).resources).find(([name]) => name === key)?.[1];
    if (resource === undefined) throw new StartRefusal(`没有资源 ${key}`);
    let changed = 0;
    for (const company of await companiesOf(services, resource))
      for (let after: string | null | undefined; after !== null;) {
        const caller = systemCaller(services, company);
        const stretch = await recomputeRecords(services, caller, { key, after: after ?? null, isApplied });
        show(stretch, changed === 0);
        changed += stretch.changed;
        after = stretch.next;
      }
    console.log(isApplied ? `已重算 ${changed} 条` : `将改变 ${changed} 条；加 -- ${key} --apply 执行`);
  });
});

function readArguments(): { readonly key: string; readonly isApplied: boolean } {
  try {
    const { values, positionals } = parseArgs({
      options: { apply: { type: 'boolean' } },
      allowPositionals: true,
    });
    const [key] = positionals;
    if (key === undefined || positionals.length > 1) throw new TypeError('one resource');
    return { key, isApplied: values.apply === true };
  } catch (error) {
    throw new StartRefusal('用法：npm run recompute -- <资源> [--apply]', error);
  }
}

function show({ first, refused }: RecomputedStretch, isFirst: boolean): void {
  for (const { label, changes } of isFirst ? first : [])
    console.log(
      `${label}：${changes.map((change) => `${change.title} ${text(change.old)} → ${text(change.new)}`).join('；')}`,
    );
  for (const { label, message } of refused) console.error(`${label}：未重算，${message}`);
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '空';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
