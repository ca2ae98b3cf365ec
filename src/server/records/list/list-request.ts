import type { ListQuery } from '#contract/lists.ts';
import { canSee } from '#engine/access/resource-access.ts';
import { checkFilter } from '#engine/filter/check-filter.ts';
import { fieldsAt, resolveFieldPath, targetPlace } from '#engine/schema/field-path.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { Field, FieldProblem } from '#engine/schema/resource.ts';
import { accessTo, type Call } from '#server/records/call/open-call.ts';
import { isSelected } from '#server/records/read/stored-value.ts';
import { isMasked } from '#server/records/read/present-record.ts';
import { AppError } from '#server/kernel/errors.ts';

/** What a list is asked for, checked against what the role may see. */
export interface ListRequest {
  readonly currentPage: number;
  readonly pageSize: number;
  readonly filters: Filter | null;
  readonly sorters: readonly string[];
  readonly keyword: string;
  readonly group: string | null;
  /** Head fields to answer with; null: all but rich texts. */
  readonly columns: readonly string[] | null;
  /** Count and total everything instead of stopping at the cap. */
  readonly isExact: boolean;
}

/** A list's query with its defaults; refuses what is unknown or hidden to the role, each with its place. */
export function parseListRequest(call: Call, query: ListQuery): ListRequest {
  const problems: FieldProblem[] = [];
  const request: ListRequest = {
    currentPage: query.currentPage ?? 1,
    pageSize: query.pageSize ?? 20,
    filters: parseFilters(call, query.filters, problems),
    sorters: parseSorters(call, query.sorters, problems),
    keyword: query.keyword?.trim() ?? '',
    group: parseGroup(call, query.group, problems),
    columns: parseColumns(call, query.columns, problems),
    isExact: query.count === 'exact',
  };
  const [first] = problems;
  if (first === undefined) return request;
  const isOfColumns = problems.every(({ path }) => path.startsWith('columns'));
  throw new AppError(isOfColumns ? 'BAD_REQUEST' : 'BAD_FILTER', { message: first.message, problems });
}

/** Checks a filter of a caller: grammar, known fields, and nothing that the role may not see. */
function parseFilters(call: Call, given: ListQuery['filters'], problems: FieldProblem[]): Filter | null {
  if (given === undefined || given === null) return null;
  const { resource, catalog } = call;
  const faults = checkFilter(given, {
    resource,
    catalog,
    isHidden: (path) => pathRefusal(call, path) !== null,
    refusalOf: (path, operators) => comparisonRefusal(call, path, operators),
  });
  for (const { path, code = 'filter', message } of faults)
    problems.push({ path: `filters${path === '' ? '' : `.${path}`}`, code, message });
  if (faults.length > 0 || !isFilter(given)) return null;
  if (readsElsewhere(given))
    problems.push({ path: 'filters', code: 'filter', message: '查询条件的值不能是公式' });
  return given;
}

/** Only these compare a masked field as a whole. */
const WHOLE_OPERATORS: ReadonlySet<string> = new Set(['eq', 'in', 'null']);

function comparisonRefusal(
  call: Call,
  path: string,
  operators: readonly string[],
): { readonly code: string; readonly message: string } | null {
  if (isGuardedByMask(call, path) && !operators.every((operator) => WHOLE_OPERATORS.has(operator)))
    return { code: 'masked', message: '该字段只能按完整内容查询' };
  return isAsked(call, path) ? null : { code: 'filter', message: '该字段不能用于查询' };
}

/** Whether the database can say what a field is: all but formulas that are not stored and have no such form. */
function isAsked({ resource, catalog }: Call, path: string): boolean {
  const steps = path.split('.');
  let place: ReturnType<typeof targetPlace> = { resource, catalog };
  for (const name of steps) {
    if (place === null) return true;
    const field: Field | undefined = fieldsAt(place)[name];
    if (field === undefined) return true;
    const { resource: standing, lines } = place;
    const at = { resource: standing, catalog, ...(lines === undefined ? {} : { lines }) };
    if (!isSelected(field, at)) return false;
    if (field.type === 'lines') place = { resource: place.resource, catalog, lines: name };
    else place = typeof field.to === 'string' ? targetPlace(field.to, catalog) : null;
  }
  return true;
}

/** Why a path may not be read by this role; null when it may. Hidden and unknown fields answer alike. */
function pathRefusal(call: Call, path: string): string | null {
  const unknown = `未知字段“${path.slice(0, 60)}”`;
  const { resource, catalog } = call;
  const resolved = resolveFieldPath({ resource, catalog }, path);
  if (resolved.kind !== 'field' || resolved.field.type === 'secret') return unknown;
  const parts = path.split('.');
  let place: ReturnType<typeof targetPlace> = { resource, catalog };
  let isOwn = true;
  for (let index = 0; index < parts.length && place !== null; index += 1) {
    const name = parts[index] ?? '';
    if (name === 'parent') {
      place = { resource: place.resource, catalog };
      continue;
    }
    const access = isOwn ? call.access : accessTo(call.services, call.caller.subject, place.resource);
    const column = place.lines === undefined ? name : `${place.lines}.${name}`;
    if (!canSee(access, column)) return unknown;
    if (isOwn && place.lines !== undefined && access.lines[place.lines] !== undefined) return unknown;
    const mayRead = access.operations.has('list') || access.operations.has('read');
    if (!isOwn && !mayRead && name !== 'id') return unknown;
    const field: Field | undefined = fieldsAt(place)[name];
    if (field?.type === 'lines') place = { resource: place.resource, catalog, lines: name };
    else if (field?.type === 'reference' && typeof field.to === 'string') {
      place = targetPlace(field.to, catalog);
      isOwn = false;
    }
  }
  return null;
}

function parseSorters(call: Call, given: ListQuery['sorters'], problems: FieldProblem[]): readonly string[] {
  return (given ?? []).filter((sorter, index) => {
    const reason = sortRefusal(call, sorter.replace(/^-/, ''));
    if (reason !== null) problems.push({ path: `sorters.${index}`, code: 'sort', message: reason });
    return reason === null;
  });
}

function sortRefusal(call: Call, path: string): string | null {
  const reason = pathRefusal(call, path);
  if (reason !== null) return reason;
  const { resource, catalog } = call;
  const resolved = resolveFieldPath({ resource, catalog }, path);
  if (resolved.kind !== 'field') return `未知字段“${path.slice(0, 60)}”`;
  const isPlain =
    resource.fields[path.split('.')[0] ?? '']?.type !== 'lines' && !UNSORTED.has(resolved.field.type);
  if (!isPlain || resolved.field.multiple === true || isGuardedByMask(call, path) || !isAsked(call, path))
    return '该字段不能排序';
  return null;
}

const UNSORTED: ReadonlySet<string> = new Set(['lines', 'json', 'attachment', 'richtext', 'secret']);

function isGuardedByMask(call: Call, path: string): boolean {
  const { resource, catalog } = call;
  const resolved = resolveFieldPath({ resource, catalog }, path);
  if (resolved.kind !== 'field' || resolved.field.mask === undefined) return false;
  return path.includes('.') ? true : isMasked(call, path, resolved.field);
}

/** A caller's filter compares with values of its own, of the person or the day: a formula could read what is hidden. */
function readsElsewhere(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(readsElsewhere);
  if (!isObject(value)) return false;
  if (Object.hasOwn(value, '=')) return true;
  const source = value['$'];
  if (typeof source === 'string') return !/^(today|now|user\..+)$/.test(source);
  return Object.values(value).some(readsElsewhere);
}

function parseGroup(call: Call, given: ListQuery['group'], problems: FieldProblem[]): string | null {
  if (given === undefined || given === null || given === '') return null;
  const isOpen =
    !given.includes('.') && Object.hasOwn(call.resource.fields, given) && sortRefusal(call, given) === null;
  if (isOpen) return given;
  problems.push({ path: 'group', code: 'group', message: '不能按该字段分组' });
  return null;
}

function parseColumns(
  call: Call,
  given: ListQuery['columns'],
  problems: FieldProblem[],
): readonly string[] | null {
  if (given === undefined || given === null) return null;
  return given.filter((column, index) => {
    const reason = columnRefusal(call, column);
    if (reason !== null) problems.push({ path: `columns.${index}`, code: 'column', message: reason });
    return reason === null;
  });
}

/** A path over references shows the value as stored, so masked fields are closed there. */
function columnRefusal(call: Call, path: string): string | null {
  if (path.includes('.') && isGuardedByMask(call, path)) return '该列不能显示';
  return pathRefusal(call, path);
}

function isFilter(value: unknown): value is Filter {
  return isObject(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
