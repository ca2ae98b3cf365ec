/** The server from its sources, for `npm run dev`. */
import { runServer } from '#server/main.ts';

await runServer();
