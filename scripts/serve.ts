/** The program: the server with what fills an empty database. Bundled for `npm start`, run from its sources by `npm run dev`. */
import { prepareDatabase } from '#demo/prepare-database.ts';
import { runServer } from '#server/main.ts';

await runServer(prepareDatabase);
