/** `npm start`: builds when the output is missing or older than the sources, then runs the server. */
import { build, isBuilt } from './build.mjs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`需要 Node.js 20.19 或更高版本，当前为 ${process.versions.node}。\n`);
  process.exit(1);
}

if (!(await isBuilt())) {
  process.stdout.write('· 构建页面与服务（首次或源码有改动时）\n');
  try {
    await build();
  } catch (error) {
    process.stderr.write(`构建失败：${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

await import('../dist/server/main.js');
