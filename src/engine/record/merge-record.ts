import type { ErpRecord, FieldProblem, Resource } from '../schema/resource.ts';
import { linesOf } from './record-lines.ts';

interface MergedLine {
  readonly line: ErpRecord;
  /** Its index in the submitted list; null when it was not sent. */
  readonly sentAt: number | null;
}

/**
 * The record as it will be after a PATCH: sent fields replace, lines with an id are changed in place, those without
 * come in front of the line that `_before` names, else at the end, `_delete` removes, and lines that were not sent stay.
 * Lines with an id the record does not have are dropped: see `unknownLines`.
 */
export function mergeRecord(resource: Resource, current: ErpRecord, patch: ErpRecord): ErpRecord {
  const merged: Record<string, unknown> = { ...current };
  for (const [name, value] of Object.entries(patch)) {
    merged[name] =
      resource.fields[name]?.type === 'lines'
        ? mergeLines(name, current, patch).map(({ line }) => line)
        : value;
  }
  return merged;
}

/** Lines of a patch whose id the record does not have (deleted by somebody else, or another record's). */
export function unknownLines(
  resource: Resource,
  current: ErpRecord,
  patch: ErpRecord,
): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const name of Object.keys(patch)) {
    if (resource.fields[name]?.type !== 'lines') continue;
    const ids = new Set(linesOf(current, name).map((line) => line['id']));
    for (const [index, line] of linesOf(patch, name).entries())
      if (line['id'] !== undefined && !ids.has(line['id']))
        problems.push({
          path: `${name}.${index}`,
          code: 'line_id',
          message: '明细行不存在，可能已被他人删除',
        });
  }
  return problems;
}

/** Problems of the merged record with the indexes of the submitted list; a line that was not sent is named in the message. */
export function problemsAsSubmitted(
  resource: Resource,
  problems: readonly FieldProblem[],
  { current, patch }: { readonly current: ErpRecord; readonly patch: ErpRecord },
): readonly FieldProblem[] {
  const merged = new Map<string, readonly MergedLine[]>();
  return problems.map((problem) => {
    const [name = '', index, ...rest] = problem.path.split('.');
    if (index === undefined || !/^\d+$/.test(index) || resource.fields[name]?.type !== 'lines')
      return problem;
    // Once a list: a long one may have thousands of problems.
    const lines = merged.get(name) ?? mergeLines(name, current, patch);
    merged.set(name, lines);
    const sentAt = lines[Number(index)]?.sentAt ?? null;
    if (sentAt !== null) return { ...problem, path: [name, sentAt, ...rest].join('.') };
    return { ...problem, path: name, message: `第${Number(index) + 1}行：${problem.message}` };
  });
}

function mergeLines(name: string, current: ErpRecord, patch: ErpRecord): readonly MergedLine[] {
  const sent = linesOf(patch, name).map((line, sentAt) => ({ line, sentAt }));
  const byId = new Map(
    sent.filter(({ line }) => line['id'] !== undefined).map((entry) => [entry.line['id'], entry]),
  );
  const kept = linesOf(current, name).flatMap((line): MergedLine[] => {
    const change = byId.get(line['id']);
    if (change === undefined) return [{ line, sentAt: null }];
    if (change.line['_delete'] === true) return [];
    return [{ line: { ...line, ...change.line }, sentAt: change.sentAt }];
  });
  return withNewLines(
    kept,
    sent.filter(({ line }) => line['id'] === undefined),
  );
}

/** New lines at their places; where the line that follows is gone, at the end. */
function withNewLines(kept: readonly MergedLine[], added: readonly MergedLine[]): readonly MergedLine[] {
  if (added.length === 0) return kept;
  const places = new Map<unknown, MergedLine[]>(kept.map(({ line }) => [line['id'], []]));
  const last: MergedLine[] = [];
  for (const { line, sentAt } of added) {
    const { _before: next, ...cells } = line;
    (places.get(next) ?? last).push({ line: cells, sentAt });
  }
  return [...kept.flatMap((entry) => [...(places.get(entry.line['id']) ?? []), entry]), ...last];
}
