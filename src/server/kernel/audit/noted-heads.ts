import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditHead } from './seal-audit.ts';

/** What was noted of the chain that is there now. */
export interface NotedChain {
  readonly heads: readonly AuditHead[];
  /** When a backup was last brought back (ISO 8601): the chain goes on from there, what came after is not compared. */
  readonly restoredAt: string | null;
}

/**
 * The heads of the audit's chain, noted outside of the database: whoever owns that could compute a whole new chain, but
 * not change what this file says of the old one.
 */
export function notedHeads(dataDir: string): {
  readonly read: () => Promise<NotedChain>;
  readonly note: (head: AuditHead, at: Date) => Promise<void>;
  /** That a backup was brought back whose chain ends with `head` (null: none), and the heads that came with it. */
  readonly noteRestore: (restored: {
    readonly head: AuditHead | null;
    readonly heads: readonly AuditHead[];
    readonly at: Date;
  }) => Promise<void>;
} {
  const path = join(dataDir, 'audit-heads.jsonl');
  const read = async (): Promise<NotedChain> => {
    const text = await readFile(path, 'utf8').catch(() => '');
    return text.split('\n').flatMap(lineIn).reduce<NotedChain>(follow, { heads: [], restoredAt: null });
  };
  // A line that a process left half written ends before.
  const append = (lines: readonly object[]): Promise<void> =>
    appendFile(path, lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  return {
    read,
    note: (head, at) => append([{ ...head, at: at.toISOString() }]),
    noteRestore: async ({ head, heads, at }) => {
      await mkdir(dataDir, { recursive: true });
      const known = new Set((await read()).heads.map(keyOf));
      const brought = heads.filter((each) => !known.has(keyOf(each)));
      await append([...brought, { restored: at.toISOString(), head }]);
    },
  };
}

type Line =
  | { readonly kind: 'head'; readonly head: AuditHead }
  | { readonly kind: 'restored'; readonly at: string; readonly upTo: bigint };

function follow(chain: NotedChain, line: Line): NotedChain {
  if (line.kind === 'head') return { ...chain, heads: [...chain.heads, line.head] };
  return {
    heads: chain.heads.filter(({ seq }) => BigInt(seq) <= line.upTo),
    restoredAt: line.at,
  };
}

function lineIn(text: string): readonly Line[] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return [];
    if ('restored' in value) {
      const head = 'head' in value ? headIn(value.head) : null;
      return [{ kind: 'restored', at: String(value.restored), upTo: BigInt(head?.seq ?? 0) }];
    }
    const head = headIn(value);
    return head === null ? [] : [{ kind: 'head', head }];
  } catch {
    // The last line of a process that died while it wrote.
    return [];
  }
}

function headIn(value: unknown): AuditHead | null {
  if (typeof value !== 'object' || value === null || !('seq' in value) || !('hash' in value)) return null;
  return { seq: String(BigInt(String(value.seq))), hash: String(value.hash) };
}

function keyOf({ seq, hash }: AuditHead): string {
  return `${seq} ${hash}`;
}
