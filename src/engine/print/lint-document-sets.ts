import { resolveFieldPath } from '../schema/field-path.ts';
import { type KnownNames, LintContext } from '../schema/lint-context.ts';
import { lintFilter } from '../schema/lint-filter.ts';
import type { Catalog, Resource } from '../schema/resource.ts';
import { faultAt, type JsonPath, type LintFault, type SourceFile } from '../schema/source-file.ts';
import { suggestion } from '../schema/suggest-name.ts';
import type { DocumentSet, SetPaper, SetSource } from './document-set.ts';

/** Checks what document sets name: resources, prints, sources and fields. */
export function lintDocumentSets(
  { file, sets }: { readonly file: SourceFile; readonly sets: readonly DocumentSet[] },
  catalog: Catalog,
  known: KnownNames,
): readonly LintFault[] {
  return sets.flatMap((set, index) => {
    const head = resourceOf(catalog, set.resource);
    if (head === null) return [unknownResource(file, [index, 'resource'], set.resource, catalog)];
    const context = new LintContext(file, head, catalog, known);
    for (const [place, paper] of set.papers.entries()) lintPaper(context, paper, [index, 'papers', place]);
    const sources = new Map<string, Resource>();
    for (const [place, source] of set.sources.entries()) {
      const found = lintSource(context, source, [index, 'sources', place]);
      if (found !== null) sources.set(source.source, found);
    }
    for (const [check, { values }] of set.checks.entries())
      for (const [place, { source, path, by }] of values.entries()) {
        const at = [index, 'checks', check, 'values', place];
        const resource = sources.get(source);
        if (resource === undefined) {
          if (!set.sources.some((one) => one.source === source))
            context.report([...at, 'source'], `未知来源 "${source}"`);
          continue;
        }
        const from = { resource, catalog, lines: undefined };
        context.field([...at, 'path'], path, from);
        if (by !== undefined) context.field([...at, 'by'], by, from);
      }
    return context.faults;
  });
}

function lintPaper(context: LintContext, paper: SetPaper, at: JsonPath): void {
  const resource = relatedOf(context, paper, at);
  if (resource === null) return;
  const ids = resource.print.map(({ id }) => id);
  if (!ids.includes(paper.print))
    context.report([...at, 'print'], `未知打印 "${paper.print}"${suggestion(paper.print, ids)}`);
}

function lintSource(context: LintContext, source: SetSource, at: JsonPath): Resource | null {
  if (source.at === undefined) return relatedOf(context, source, at);
  const resolved = resolveFieldPath(context.place(), source.at);
  const to = resolved.kind === 'field' ? resolved.field.to : undefined;
  const target = typeof to === 'string' ? resourceOf(context.catalog, to) : null;
  if (target === null) context.report([...at, 'at'], `"${source.at}" 不是引用`);
  return target;
}

function relatedOf(
  context: LintContext,
  { of, by, where }: Pick<SetSource, 'of' | 'by' | 'where'>,
  at: JsonPath,
): Resource | null {
  if (of === undefined) return context.resource;
  const other = resourceOf(context.catalog, of);
  if (other === null) {
    context.report(
      [...at, 'of'],
      `未知资源 "${of}"${suggestion(of, Object.keys(context.catalog.resources))}`,
    );
    return null;
  }
  const place = { resource: other, catalog: context.catalog, lines: undefined };
  const field = by === undefined ? null : context.field([...at, 'by'], by, place);
  if (field !== null && field.to !== context.resource.resource)
    context.report([...at, 'by'], `"${by ?? ''}" 不引用 "${context.resource.resource}"`);
  if (by === undefined) context.report(at, '有 of 须有 by');
  lintFilter(context, [...at, 'where'], where, { place, record: context.place() });
  return other;
}

function resourceOf(catalog: Catalog, key: string): Resource | null {
  return Object.hasOwn(catalog.resources, key) ? (catalog.resources[key] ?? null) : null;
}

function unknownResource(file: SourceFile, at: JsonPath, key: string, catalog: Catalog): LintFault {
  return faultAt(file, at, `未知资源 "${key}"${suggestion(key, Object.keys(catalog.resources))}`);
}
