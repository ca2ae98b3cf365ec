import type { App } from '#server/http/app-types.ts';
import type { Config } from '#server/kernel/config.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';

/** Where nobody may or can listen, or whose name nobody knows. */
const UNHEARD: ReadonlySet<string> = new Set(['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL']);

/** Begins to listen; gives the address. @throws StartRefusal when the port cannot be had */
export async function listen(app: App, config: Config): Promise<string> {
  try {
    return await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE')
      throw new StartRefusal(`端口 ${config.port} 已被占用，请用 PORT 指定另一个端口。`, error);
    if (typeof code === 'string' && UNHEARD.has(code))
      throw new StartRefusal(`不能在 ${config.host}:${config.port} 上监听，请检查 HOST 与 PORT。`, error);
    throw error;
  }
}
