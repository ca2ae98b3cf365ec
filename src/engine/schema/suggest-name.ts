/** Longer names are no slips of the pen, and comparing them costs the square of their length. */
const MAX_SUGGESTED = 80;

/**
 * The known name nearest to a mistyped one, or null when none is near or the name is longer than any is. Near is a small edit distance, or an
 * abbreviation (its letters occur in order).
 * @example suggestName('qty', ['quantity', 'unit']) // 'quantity'
 */
export function suggestName(name: string, candidates: Iterable<string>): string | null {
  if (name.length > MAX_SUGGESTED) return null;
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const candidate of candidates) {
    const distance = distanceTo(name, candidate);
    if (distance !== null && (best === null || distance < best.distance))
      best = { name: candidate, distance };
  }
  return best?.name ?? null;
}

/** `，是否想写 "x"？` or nothing. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const near = suggestName(name, candidates);
  return near === null ? '' : `，是否想写 "${near}"？`;
}

/** How far a candidate is, null when too far. What two paths share up to their last part does not count. */
function distanceTo(name: string, candidate: string): number | null {
  const shared = name.lastIndexOf('.') + 1;
  if (name.slice(0, shared) !== candidate.slice(0, shared)) return wordDistance(name, candidate);
  return wordDistance(name.slice(shared), candidate.slice(shared));
}

function wordDistance(name: string, candidate: string): number | null {
  const limit = name.length <= 4 ? 1 : Math.max(2, Math.floor(name.length * 0.4));
  const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
  if (edits <= limit) return edits;
  return isAbbreviation(name, candidate) ? limit + 0.5 : null;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 2 || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
}
