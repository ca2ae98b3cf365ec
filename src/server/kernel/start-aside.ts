import { basename } from 'node:path';
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
  const url = new URL(file, from).href;
  if (!from.endsWith('.ts'))
    return new Worker(new URL(`${basename(file, '.ts')}.js`, from), { ...options, stderr: false });
  // Sources are read as the server itself reads them.
  const program = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(url)}); })`;
  return new Worker(program, { ...options, eval: true });
}

/** True for the fault of a thread that wanted more memory than it may have. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
