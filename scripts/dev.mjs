/**
 * `npm run dev`: the pages by Vite with hot replacement (http://localhost:5173), the server from its sources beside them,
 * started again when they change. Definitions need neither: the server reloads them itself.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const tsx = createRequire(import.meta.url).resolve('tsx/cli');

const server = spawn(process.execPath, [tsx, 'watch', '--clear-screen=false', 'scripts/serve.ts'], {
  cwd: ROOT,
  // A group of its own: Ctrl+C reaches it once, through here, so that it can drain and stop its database.
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit'],
});
const vite = await createServer({ configFile: `${ROOT}/vite.config.ts` });
await vite.listen();
vite.printUrls();

let isEnding = false;
function end(code) {
  if (isEnding) return;
  isEnding = true;
  process.exitCode = code;
  if (server.exitCode === null) server.kill('SIGTERM');
  void vite.close();
}
server.once('exit', (code) => end(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end(0));
