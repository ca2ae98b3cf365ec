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
import { openDefinitions } from '#server/records/definitions/definition-store.ts';
import { readAhead } from '#server/records/definitions/read-ahead.ts';
import { buildRuleRegistry } from '#server/records/rules/rule-registry.ts';
import type { Services } from '#server/records/services.ts';

/** The operations of the server without the server: over its running database, or one opened for the command. */
export async function withServices(name: string, work: (services: Services) => Promise<void>): Promise<void> {
  for (const [name, check] of Object.entries(TRADE_CHECKS)) defineValueCheck(name, check);
  registerTradeFunctions();
  const config = readConfig(process.env);
  const log = createLogger(config);
  const rules = buildRuleRegistry(RULE_SETS);
  const database = await reachDatabase(config);
  const db = openDatabase({ url: database.url, poolSize: 4 });
  const ends: (() => Promise<void> | void)[] = [database.release, db.close];
  try {
    const bus = await openMessageBus({ login: db, id: `${name}:${process.pid}`, log });
    ends.push(() => bus.close());
    const options = { folder: config.resourcesDir, reports: config.reportsDir, extras: lintExtras(), log };
    const definitions = await openDefinitions({ ...options, db, owner: db, bus }, await readAhead(options));
    ends.push(() => definitions.close());
    const services = buildServices({
      config,
      db,
      reader: db,
      walled: {
        pool: db.pool,
        behind: () => db,
        watched: (_wall, { text, values }) => db.query(text, values),
      },
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
