import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** What work in a thread of its own may take. */
export interface AsideLimits {
  /** Memory of its heap, in MB; a thread that wants more is ended. */
  readonly heapMb: number;
}

/**
 * Starts a program in a thread of its own, so that what takes long there keeps nobody waiting here. `file` lies beside
 * the module of `from` (`import.meta.url`): its source while developing, a bundle of the same name in production.
 */
export function startAside(
  from: string,
  file: string,
  { data, heapMb }: AsideLimits & { readonly data?: unknown },
): Worker {
  const options = { workerData: data, resourceLimits: { maxOldGenerationSizeMb: heapMb }, execArgv: [] };
  if (from.endsWith('.ts')) return new Worker(programOf(new URL(file, from)), options);
  return new Worker(new URL(`${basename(file, '.ts')}.js`, from), { ...options, stderr: false });
}

const programs = new Map<string, URL>();

/**
 * A source as one file, made once a process: what reads sources one by one takes seconds in each thread. It lies among the
 * packages, which it finds there.
 */
function programOf(source: URL): URL {
  const known = programs.get(source.href);
  if (known !== undefined) return known;
  // Only where sources run: what is built has its programs beside it.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const built = buildSync({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    write: false,
    tsconfigRaw: '{}',
  });
  const text = built.outputFiles[0]?.text ?? '';
  const folder = new URL('../../../node_modules/.cache/asides/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const name = `${basename(source.pathname, '.ts')}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`;
  const program = new URL(name, folder);
  // Several processes may make the same one.
  const draft = new URL(randomUUID(), folder);
  writeFileSync(draft, text);
  renameSync(draft, program);
  programs.set(source.href, program);
  return program;
}

/** True for the fault of a thread that wanted more memory than it may have. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
