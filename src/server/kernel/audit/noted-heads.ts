import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditHead } from './seal-audit.ts';

/**
 * The heads of the audit's chain, noted outside of the database: whoever owns that could compute a whole new chain, but
 * not change what this file says of the old one.
 */
export function notedHeads(dataDir: string): {
  readonly read: () => Promise<readonly AuditHead[]>;
  readonly note: (head: AuditHead, at: Date) => Promise<void>;
} {
  const path = join(dataDir, 'audit-heads.jsonl');
  return {
    read: async () => {
      const text = await readFile(path, 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => headIn(line));
    },
    note: (head, at) =>
      appendFile(path, `${JSON.stringify({ ...head, at: at.toISOString() })}\n`, { mode: 0o600 }),
  };
}

function headIn(line: string): readonly AuditHead[] {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('seq' in value) || !('hash' in value)) return [];
    return [{ seq: String(value.seq), hash: String(value.hash) }];
  } catch {
    // The last line of a process that died while it wrote.
    return [];
  }
}
