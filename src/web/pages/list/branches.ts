import type { ErpRecord } from '#engine/schema/resource.ts';

/** A record of a tree with what stands below it, as the tree control takes it. */
export interface Branch {
  readonly key: string;
  readonly title: string;
  readonly className?: string;
  readonly children: Branch[];
}

/**
 * Rows of a tree, put below each other in their order. A row whose parent is not among them (closed to the reader, or
 * beyond the page) stands at the top; rows in a circle, which no write makes, are left out.
 */
export function branchesOf(
  rows: readonly ErpRecord[],
  by: { readonly parent: string; readonly label: string },
): readonly Branch[] {
  const known = new Set(rows.map((row) => String(row['id'])));
  const below = new Map<string, ErpRecord[]>();
  for (const row of rows) {
    const parent = String(row[by.parent] ?? '');
    const place = known.has(parent) ? parent : '';
    below.set(place, [...(below.get(place) ?? []), row]);
  }
  const branch = (row: ErpRecord): Branch => ({
    key: String(row['id']),
    title: String(row[by.label] ?? ''),
    ...(row['status'] === 'disabled' ? { className: 'branch-disabled' } : {}),
    children: (below.get(String(row['id'])) ?? []).map(branch),
  });
  return (below.get('') ?? []).map(branch);
}
