import path from 'node:path';
import { build } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** As `npm start` has them, for both. */
export const NODE_FLAGS = ['--max-semi-space-size=24'];
const OUT = path.join(ROOT, 'node_modules/.cache/bench');

/** The programs that are measured: ours and the raw driver's. */
export type Measured = 'server-process' | 'raw-process';

/**
 * The built program of a measured process, built with the first that is asked for, as `npm run build` builds the server:
 * what runs from its sources pays for a loader that no user has.
 */
export async function measuredProgram(name: Measured): Promise<string> {
  building ??= buildAll();
  await building;
  return path.join(OUT, `${name}.js`);
}

function source(name: Measured): string {
  return path.join(import.meta.dirname, `${name}.ts`);
}

let building: Promise<unknown> | undefined;

function buildAll(): Promise<unknown> {
  return build({
    configFile: path.join(ROOT, 'vite.config.ts'),
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: OUT,
      copyPublicDir: false,
      rollupOptions: {
        input: { 'server-process': source('server-process'), 'raw-process': source('raw-process') },
      },
    },
  });
}
