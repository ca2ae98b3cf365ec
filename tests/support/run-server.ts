import { readConfig } from '#server/kernel/config.ts';
import { startServer } from '#server/main.ts';

/** An app process of its own on a database that is prepared already; says where it answers. */
const server = await startServer(readConfig(process.env), { prepare: async () => undefined });
process.once('SIGTERM', () => {
  void server.close().then(() => process.exit(0));
});
console.log(`READY ${server.url}`);
