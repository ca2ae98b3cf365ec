/** The raw driver's server in a process of its own: gets its statements, tells its address. */
import { type FreshValues, type Statement, startRawServer } from './raw-server.ts';

/** What it is started with. */
export interface RawOrder {
  readonly databaseUrl: string;
  readonly statements: readonly Statement[];
  readonly fresh: FreshValues | null;
}

process.once('message', (order: RawOrder) => {
  startRawServer(order.databaseUrl, order.statements, order.fresh).then(
    ({ url, close }) => {
      for (const end of ['SIGTERM', 'disconnect'] as const)
        process.once(end, () => {
          void close().then(() => process.exit(0));
        });
      process.send?.({ ready: url });
    },
    (error: unknown) => process.send?.({ fault: String(error) }),
  );
});
