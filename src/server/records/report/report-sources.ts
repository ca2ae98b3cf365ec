import { isDeepStrictEqual } from 'node:util';
import { isPathHidden } from '#engine/access/hidden-fields.ts';
import { expressionReads, parseExpression } from '#engine/expression/parse-expression.ts';
import {
  measureOf,
  type ReportDefinition,
  type ReportSource,
  sourcesOf,
} from '#engine/report/report-definition.ts';
import { sourcePlace } from '#engine/report/report-names.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { targetPlace } from '#engine/schema/field-path.ts';
import { filterReads } from '#engine/schema/filter-reads.ts';
import { headPath } from '#engine/schema/formula-order.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { accessTo, type Call, openAnyCall } from '#server/records/call/open-call.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { FIRST_OWN_REPORT } from './served-reports.ts';

/** A source of a report as its reader meets it. */
export interface OpenSource {
  readonly source: ReportSource;
  readonly call: Call;
  readonly lines: string | undefined;
  /** The resource with the names that the source adds, for their kinds. */
  readonly named: Resource;
}

/** Whether a person may open a report: by its roles, and by the right to list every source. */
export function mayOpen(
  services: Services,
  caller: Pick<Caller, 'subject'>,
  report: ReportDefinition,
): boolean {
  const { subject } = caller;
  if (!report.roles.includes(subject.role_code)) return false;
  const open = sourcesOf(report).map((source) => ({ source, isOpen: isListed(services, subject, source) }));
  return (
    open.some(({ isOpen }) => isOpen) &&
    open.every(({ source, isOpen }) => isOpen || source.optional === true)
  );
}

/** The titles of sources that are left out for a reader who may not list them, or may see no figure of theirs. */
export function closedSources(
  services: Services,
  report: ReportDefinition,
  sources: readonly OpenSource[],
): readonly string[] {
  const { resources } = services.definitions.catalog();
  return sourcesOf(report)
    .filter((source) => !sources.some((open) => isDeepStrictEqual(open.source, source)))
    .map(({ from }) => resources[keyOf(from)]?.title ?? from);
}

function isListed(services: Services, subject: Caller['subject'], { from }: ReportSource): boolean {
  const resource = services.definitions.catalog().resources[keyOf(from)];
  return resource !== undefined && accessTo(services, subject, resource).operations.has('list');
}

function keyOf(from: string): string {
  return from.split('.')[0] ?? '';
}

/**
 * Why a report may not be exported; null when it may. What a shipped report puts together is in its reader's hands on the
 * page already; one that lists records, and what people make themselves (which may be grouped down to the record), takes
 * them out as their lists do: that needs the right to export each source.
 */
export function exportRefusal(report: ReportDefinition, sources: readonly OpenSource[]): string | null {
  if (!listsRecords(report) && report.report < FIRST_OWN_REPORT) return null;
  const closed = sources.filter(({ call }) => !call.access.operations.has('export'));
  const titles = [...new Set(closed.map(({ call }) => call.resource.title))];
  return titles.length === 0 ? null : `本表逐条列出单据，没有${titles.join('、')}的导出权限，不能导出`;
}

/** Whether its rows are records. Without its optional group they are figures of one each, which name nothing. */
function listsRecords({ rows: { each, by = [] } }: ReportDefinition): boolean {
  return each === true || by.length === 0;
}

/** Opens the sources of a report for its reader. @throws AppError FORBIDDEN */
export function openSources(
  services: Services,
  caller: Caller,
  report: ReportDefinition,
): readonly OpenSource[] {
  if (!mayOpen(services, caller, report)) throw new AppError('FORBIDDEN');
  const listed = sourcesOf(report).filter((source) => isListed(services, caller.subject, source));
  const opened = listed.map((source) => {
    const [key = '', lines] = source.from.split('.');
    const call = openAnyCall(services, caller, key);
    const place = sourcePlace(source, call.catalog, report.params);
    return { source, call, lines, named: place?.resource ?? call.resource };
  });
  const figures = figureNames(report);
  const told = opened.filter((open) => open.source.optional !== true || tellsFigure(open, figures));
  return told.length === 0 ? opened : told;
}

/** What the figures of a report are taken of. */
function figureNames({ columns }: ReportDefinition): ReadonlySet<string> {
  const texts = columns.flatMap((column) => measureOf(column)?.over ?? []).filter((text) => text !== '');
  return new Set(texts.flatMap((text) => expressionReads(parseExpression(text))));
}

/**
 * Whether the reader may see any figure of a source: where all are hidden from him, it would hide the same columns of the
 * other sources too. One that only counts has none to hide.
 */
function tellsFigure(open: OpenSource, figures: ReadonlySet<string>): boolean {
  const own = Object.entries(open.source.let ?? {}).filter(
    ([name, given]) => figures.has(name) && readsOf(given).length > 0,
  );
  return own.length === 0 || own.some(([name]) => !isHidden(open, name));
}

function readsOf(given: NonNullable<ReportSource['let']>[string]): readonly string[] {
  return expressionReads(parseExpression(typeof given === 'string' ? given : given.of));
}

/**
 * Whether the reader is kept from what a formula or a filter reads in any source: a field hidden from the role, also where
 * a name stands for it or a sum is taken over records that the role does not read.
 */
export function hiddenReads(sources: readonly OpenSource[]): (text: string, where?: Filter) => boolean {
  return (text, where) =>
    sources.some((open) => {
      const reads = text === '' ? [] : expressionReads(parseExpression(text));
      return [...reads, ...pathsOf(where)].some((path) => isHidden(open, path));
    });
}

/** Sums that the reader may not see are not reckoned either. */
export function isHidden(open: OpenSource, path: string): boolean {
  if (/^(param|user|company)\.|^(today|now)$/.test(path)) return false;
  const { source, call, lines } = open;
  const given = source.let?.[path];
  if (given !== undefined) {
    return readsOf(given).some((read) => read !== path && isHidden(open, read));
  }
  const sum = source.with?.[path];
  if (sum === undefined) return isHiddenAt(call, call.resource, headPath(path, lines));
  const place = targetPlace(sum.of, call.catalog);
  if (place === null) return true;
  if (!isRead(call, place.resource)) return true;
  const measured = [sum.sum, sum.min, sum.max, sum.avg].flatMap((text) =>
    text === undefined ? [] : expressionReads(parseExpression(text)),
  );
  const keys = typeof sum.by === 'string' ? [sum.by] : Object.keys(sum.by);
  const own = typeof sum.by === 'string' ? [] : Object.values(sum.by);
  return (
    [...keys, ...measured, ...pathsOf(sum.where)].some(
      (read) => !read.startsWith('param.') && isHiddenAt(call, place.resource, headPath(read, place.lines)),
    ) || own.some((read) => isHidden(open, read))
  );
}

function isHiddenAt(call: Call, resource: Resource, path: string): boolean {
  const { services, caller, catalog } = call;
  const hiddenOf = (other: Resource) => accessTo(services, caller.subject, other).hidden;
  return isPathHidden(resource, path, hiddenOf(resource), {
    catalog,
    hiddenOf,
    isRead: (other) => isRead(call, other),
  });
}

function isRead({ services, caller }: Call, resource: Resource): boolean {
  const { operations } = accessTo(services, caller.subject, resource);
  return operations.has('list') || operations.has('read');
}

function pathsOf(filter: Filter | undefined): readonly string[] {
  const { fields, values } = filterReads(filter);
  return [...fields, ...values.filter((value) => !/^(today|now)$|^(user|param|company)\./.test(value))];
}
