import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { lineLinks, liveTargets, perKey } from './document-chain.ts';
import type { DraftDocument } from './make-documents.ts';

/** A live document that a make gave before, what it would be now, and which of its lines came from which of the source. */
export interface Remade {
  readonly target: string;
  readonly draft: DraftDocument;
  readonly links: ReadonlyMap<string, string>;
}

interface LiveTarget {
  readonly id: string;
  readonly per: string | null;
  readonly links: ReadonlyMap<string, string>;
}

/**
 * What each live target of a make would be now. Of several documents each takes the lines of the value of `per` that it
 * was made for; of several for one value (`max`), those that came into it before, and the last one those that came into
 * none. Where the value is not known the lines tell it.
 */
export async function remadeDrafts(
  tx: Tx,
  call: Call,
  {
    from,
    drafts,
    per,
  }: {
    readonly from: { readonly resource: string; readonly id: string; readonly make: string };
    /** Also those of which no line is left. */
    readonly drafts: readonly DraftDocument[];
    /** The column that parts the documents. */
    readonly per: string | undefined;
  },
): Promise<readonly Remade[]> {
  const remade: Remade[] = [];
  for (const ofLine of groupBy(drafts, ({ line }) => line ?? '')) {
    const [first] = ofLine;
    if (first === undefined) continue;
    const targets: LiveTarget[] = [];
    for (const made of await liveTargets(tx, call, { from, to: first.resource, line: first.line }))
      targets.push({ ...made, links: await lineLinks(tx, from, made.id) });
    const wholes = groupBy(ofLine, ({ per }) => JSON.stringify(per ?? null)).flatMap(
      (parts) => joined(parts) ?? [],
    );
    for (const whole of wholes) remade.push(...shared(whole, targetsOf(whole, { wholes, targets, per })));
  }
  return remade;
}

/** The documents of one value of `per`, parted by `max`, as one. */
function joined(parts: readonly DraftDocument[]): DraftDocument | null {
  const [first] = parts;
  if (first === undefined) return null;
  const names = Object.keys(first.lineSources);
  const all = <Of>(of: (part: DraftDocument, name: string) => readonly Of[]) =>
    Object.fromEntries(names.map((name) => [name, parts.flatMap((part) => of(part, name))]));
  return {
    ...first,
    values: { ...first.values, ...all<OpenRecord>((part, name) => linesOf(part.values[name])) },
    lineSources: all((part, name) => part.lineSources[name] ?? []),
    lineScopes: all((part, name) => part.lineScopes[name] ?? []),
  };
}

/** The targets of a document: those of its value of `per`, else those whose lines came from its own rather than from those of another. */
function targetsOf(
  whole: DraftDocument,
  {
    wholes,
    targets,
    per,
  }: {
    readonly wholes: readonly DraftDocument[];
    readonly targets: readonly LiveTarget[];
    readonly per: string | undefined;
  },
): readonly LiveTarget[] {
  const own = perKey(whole.per);
  return targets.filter((target) => {
    if (target.per !== null) return target.per === own;
    if (wholes.length === 1) return true;
    const common = wholes.map((one) => linesBehind(one, per).filter((id) => target.links.has(id)).length);
    const most = Math.max(...common);
    return most > 0 && wholes[common.indexOf(most)] === whole;
  });
}

/** The source's lines that a document is of; where none is left in it, those of its value of `per`. */
function linesBehind({ lineSources, per: value, scope }: DraftDocument, per = ''): readonly string[] {
  const given = Object.values(lineSources)
    .flat()
    .filter((source) => source !== null);
  const [lines = '', column = ''] = per.split('.');
  if (given.length > 0) return given;
  return linesOf(scope.record[lines])
    .filter((line) => line[column] === value)
    .map(({ id }) => String(id));
}

/** Each target with its own lines; the last one takes those that are of none. */
function shared(whole: DraftDocument, targets: readonly LiveTarget[]): readonly Remade[] {
  const known = new Set(targets.flatMap(({ links }) => [...links.keys()]));
  return targets.map(({ id, links }, place) => {
    const isLast = place === targets.length - 1;
    const isOwn = (source: string | null): boolean =>
      source === null || !known.has(source) ? isLast : links.has(source);
    return { target: id, links, draft: targets.length === 1 ? whole : withLines(whole, isOwn) };
  });
}

function withLines(whole: DraftDocument, isOwn: (source: string | null) => boolean): DraftDocument {
  const kept = <Of>(name: string, list: readonly Of[]): readonly Of[] =>
    list.filter((_, index) => isOwn(whole.lineSources[name]?.[index] ?? null));
  const each = <Of>(of: (name: string) => readonly Of[]) =>
    Object.fromEntries(Object.keys(whole.lineSources).map((name) => [name, kept(name, of(name))]));
  return {
    ...whole,
    values: { ...whole.values, ...each<OpenRecord>((name) => linesOf(whole.values[name])) },
    lineSources: each((name) => whole.lineSources[name] ?? []),
    lineScopes: each((name) => whole.lineScopes[name] ?? []),
  };
}

function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}
