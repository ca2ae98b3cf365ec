import { startEmbeddedPostgres } from '#server/kernel/postgres/embedded-postgres.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';

/** A process that owns an embedded database until it is told to end; SIGKILL is an app that crashed. */
try {
  const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '' });
  process.once('SIGTERM', () => {
    void server.stop().then(() => process.exit(0));
  });
  console.log(`READY ${server.url} ${server.pid} ${server.wasAdopted}`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  console.error(error instanceof StartRefusal ? error.message : error);
  process.exit(1);
}
