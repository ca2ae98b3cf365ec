import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** gzip sizes in kB of the login page's first JavaScript and of every chunk above 20 kB. */
export function bundleSizes(webDir: string): {
  readonly login: number;
  readonly chunks: readonly (readonly [string, number])[];
} {
  const assets = path.join(webDir, 'assets');
  const sizes = new Map(
    readdirSync(assets)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, gzipSync(readFileSync(path.join(assets, name))).length / 1024] as const),
  );
  const first = closure(
    assets,
    [...readFileSync(path.join(webDir, 'index.html'), 'utf8').matchAll(/assets\/([\w.-]+\.js)/g)].flatMap(
      (match) => match[1] ?? [],
    ),
  );
  const login = [...sizes.keys()].find((name) => name.startsWith('login-page-'));
  const all = closure(assets, [...first, ...(login === undefined ? [] : [login])]);
  return {
    login: [...all].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0),
    chunks: [...sizes].filter(([, size]) => size > 20).toSorted((a, b) => b[1] - a[1]),
  };
}

/** What files of the built pages weigh by kind, in kB of gzip; pictures and fonts as they are where gzip does not help. */
export function gzipByKind(webDir: string, paths: readonly string[]): Readonly<Record<FileKind, number>> {
  const sizes: Record<FileKind, number> = { js: 0, css: 0, image: 0, other: 0 };
  for (const name of paths) {
    const file = path.join(webDir, name);
    if (path.extname(name) === '' || !existsSync(file)) continue;
    const bytes = readFileSync(file);
    sizes[kindOf(name)] += Math.min(bytes.length, gzipSync(bytes).length) / 1024;
  }
  return sizes;
}

export type FileKind = 'js' | 'css' | 'image' | 'other';

function kindOf(name: string): FileKind {
  if (name.endsWith('.js')) return 'js';
  if (name.endsWith('.css')) return 'css';
  return /\.(?:svg|png|jpe?g|webp|avif|ico)$/.test(name) ? 'image' : 'other';
}

/** The chunks with what they import statically. */
function closure(assets: string, names: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const code = readFileSync(path.join(assets, name), 'utf8');
    for (const [, imported] of code.matchAll(/(?:from|^import|;import)\s*["']\.\/([\w.-]+\.js)["']/g))
      if (imported !== undefined) visit(imported);
  };
  for (const name of names) visit(name);
  return seen;
}
