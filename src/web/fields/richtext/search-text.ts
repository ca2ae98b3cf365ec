/** A place in the editor's document, as its core names it. */
export interface TextPoint {
  readonly path: number[];
  readonly offset: number;
}

export interface TextMatch {
  readonly anchor: TextPoint;
  readonly focus: TextPoint;
}

interface TextRun {
  readonly path: number[];
  readonly text: string;
}

/** Every place where the text stands, in reading order and without overlaps. A match never leaves its line. */
export function findMatches(
  nodes: readonly object[],
  text: string,
  isCaseSensitive: boolean,
): readonly TextMatch[] {
  if (text === '') return [];
  return linesOf(nodes, []).flatMap((runs) => matchesIn(runs, text, isCaseSensitive));
}

function matchesIn(runs: readonly TextRun[], text: string, isCaseSensitive: boolean): readonly TextMatch[] {
  const line = runs.map((run) => run.text).join('');
  const [hay, needle] = isCaseSensitive ? [line, text] : [line.toLowerCase(), text.toLowerCase()];
  // A few letters change length when their case does; such a line is compared as it stands.
  const searched = hay.length === line.length ? hay : line;
  const matches: TextMatch[] = [];
  for (let at = searched.indexOf(needle); at >= 0; at = searched.indexOf(needle, at + needle.length)) {
    const anchor = pointAt(runs, at, true);
    const focus = pointAt(runs, at + needle.length, false);
    if (anchor !== null && focus !== null) matches.push({ anchor, focus });
  }
  return matches;
}

/** The run that holds an offset of the line; at a border the later run for a start, the earlier one for an end. */
function pointAt(runs: readonly TextRun[], offset: number, isStart: boolean): TextPoint | null {
  let rest = offset;
  for (const run of runs) {
    if (isStart ? rest < run.text.length : rest <= run.text.length) return { path: run.path, offset: rest };
    rest -= run.text.length;
  }
  return null;
}

/** The text runs of every element that holds text, links inside it included. */
function linesOf(nodes: readonly object[], path: readonly number[]): readonly TextRun[][] {
  const lines: TextRun[][] = [];
  for (const [index, node] of nodes.entries()) {
    const children = childrenOf(node);
    if (children === null) continue;
    const own = [...path, index];
    const isLine = children.some((child) => childrenOf(child) === null);
    lines.push(...(isLine ? [runsOf(children, own)] : linesOf(children, own)));
  }
  return lines;
}

function runsOf(nodes: readonly object[], path: readonly number[]): TextRun[] {
  return nodes.flatMap((node, index) => {
    const own = [...path, index];
    const children = childrenOf(node);
    if (children !== null) return runsOf(children, own);
    return 'text' in node && typeof node.text === 'string' ? [{ path: own, text: node.text }] : [];
  });
}

function childrenOf(node: object): readonly object[] | null {
  return 'children' in node && Array.isArray(node.children) ? node.children : null;
}
