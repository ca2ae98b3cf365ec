import { readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Catalog } from '#engine/schema/resource.ts';
import { openDatabase } from '#server/kernel/db/database.ts';
import { migrate } from '#server/kernel/migrations/migrate.ts';

/** A process that migrates a database to a catalog; killed as by a power cut before its n-th statement, when one is given. */
const [url = '', catalogPath = '', dieAt = '0'] = process.argv.slice(2);
const catalog = JSON.parse(await readFile(catalogPath, 'utf8')) as Catalog;
const db = openDatabase({ url });
const prototype: { query: (this: void, ...given: never) => unknown } = pg.Client.prototype;
const { query } = prototype;
let said = 0;
let isMigrating = false;
Reflect.set(prototype, 'query', function counted(this: pg.Client, ...given: unknown[]) {
  if (isMigrating && Number(dieAt) > 0 && (said += 1) === Number(dieAt)) process.kill(process.pid, 'SIGKILL');
  return Reflect.apply(query, this, given);
});
const steps = await migrate(db, catalog, {
  onResource: () => {
    isMigrating = true;
  },
});
console.log(`DONE ${steps.length}`);
await db.close();
