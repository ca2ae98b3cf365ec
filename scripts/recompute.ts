/**
 * Formulas that were worded otherwise since records were written: `npm run recompute -- <resource>` counts what would
 * change and shows the first records, with `--apply` it is written, audited, a stretch at a time. Cut off, it goes on when
 * it is run again: what is right by then does not change.
 */
import { parseArgs } from 'node:util';
import { defineValueCheck } from '#engine/values/value-checks.ts';
import { TRADE_CHECKS } from '#trade/check-digits.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { buildServices } from '#server/auth/build-services.ts';
import { RULE_SETS } from '#server/business/rules/all-rules.ts';
import { readConfig } from '#server/kernel/config.ts';
import { openDatabase } from '#server/kernel/db/database.ts';
import { openMessageBus } from '#server/kernel/db/message-bus.ts';
import { lintExtras } from '#server/business/lint-extras.ts';
import { createLogger } from '#server/kernel/logger.ts';
import { reachDatabase } from '#server/kernel/postgres/reach-database.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { companiesOf } from '#server/records/call/record-companies.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { openDefinitions, readAhead } from '#server/records/definitions/definition-store.ts';
import { recomputeRecords, type RecomputedStretch } from '#server/records/recompute/recompute-records.ts';
import { buildRuleRegistry } from '#server/records/rules/rule-registry.ts';
import type { Services } from '#server/records/services.ts';
import { runCommand } from './run-command.ts';

await runCommand(async () => {
  const { key, isApplied } = readArguments();
  await withServices(async (services) => {
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

/** The operations of the server without the server: over its running database, or one opened for the command. */
async function withServices(work: (services: Services) => Promise<void>): Promise<void> {
  for (const [name, check] of Object.entries(TRADE_CHECKS)) defineValueCheck(name, check);
  registerTradeFunctions();
  const config = readConfig(process.env);
  const log = createLogger(config);
  const rules = buildRuleRegistry(RULE_SETS);
  const database = await reachDatabase(config);
  const db = openDatabase({ url: database.url, poolSize: 4 });
  const ends: (() => Promise<void> | void)[] = [database.release, db.close];
  try {
    const bus = await openMessageBus({ login: db, id: `recompute:${process.pid}`, log });
    ends.push(() => bus.close());
    const options = { folder: config.resourcesDir, extras: lintExtras(), log };
    const definitions = await openDefinitions({ ...options, db, owner: db, bus }, await readAhead(options));
    ends.push(() => definitions.close());
    const services = buildServices({
      config,
      db,
      reader: db,
      walled: { behind: () => db },
      definitions,
      log,
      clock: () => new Date(),
      bus,
      rules,
    });
    await definitions.refreshOverrides();
    await work(services);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}
