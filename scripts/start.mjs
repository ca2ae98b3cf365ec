/**
 * `npm start`: builds when the output is missing or older than the sources, then runs the server. The build has a process
 * of its own, so that its memory is gone when the server comes.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './build.mjs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`需要 Node.js 20.19 或更高版本，当前为 ${process.versions.node}。\n`);
  process.exit(1);
}

if (!(await isBuilt())) {
  process.stdout.write('· 构建页面与服务（首次或源码有改动时）\n');
  const program = fileURLToPath(new URL('build.mjs', import.meta.url));
  const building = spawn(process.execPath, [program], { stdio: 'inherit' });
  const end = (signal) => {
    building.kill(signal);
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end);
  const code = await new Promise((resolve) => {
    building.once('error', () => resolve(1)).once('exit', resolve);
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, end);
  if (code !== 0) {
    process.stderr.write('构建失败，原因见上。\n');
    process.exit(1);
  }
}

await import('../dist/server/main.js');
