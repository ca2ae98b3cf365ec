/** How much work a record is: one, and one for each of its lines. */
export function weightOf(record: unknown): number {
  if (typeof record !== 'object' || record === null) return 1;
  return Object.values(record).reduce(
    (sum: number, value) => sum + (Array.isArray(value) ? value.length : 0),
    1,
  );
}
