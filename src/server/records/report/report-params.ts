import type { ReportParamAnswer } from '#contract/reports.ts';
import {
  sourcesOf,
  type ReportDefinition,
  type ReportParam,
  type ReportSource,
} from '#engine/report/report-definition.ts';
import { defaultOf, isNothing, type ParamValues, readParams } from '#engine/report/report-params.ts';
import type { Catalog, Field } from '#engine/schema/resource.ts';
import { targetPlace } from '#engine/schema/field-path.ts';
import { AppError } from '#server/kernel/errors.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { loadReferences, needOf, type ReferenceNeed } from '#server/records/read/reference-book.ts';
import { namedChoices } from '#server/records/read/named-choices.ts';
import { plainField } from '#engine/report/report-names.ts';
import { paramOptions } from './param-options.ts';
import { reportsOf } from './served-reports.ts';
import { openAnyCall } from '#server/records/call/open-call.ts';

/** What every report asks besides its own: department, salesperson and kind of business, where all its sources have them. */
const COMMON = ['dept_code', 'sales_id', 'business_type'] as const;

/** What the group's administrators choose companies by. */
const COMPANY: Field = { ...plainField('co_code', 'text'), names: 'company' };

/** A report as it serves: with the parameters that all have in common. */
export function servedReport(services: Services, caller: Caller, id: string): ReportDefinition {
  const reports = reportsOf(services, caller.subject.co_code);
  const report = Object.hasOwn(reports, id) ? reports[id] : undefined;
  if (report === undefined) throw new AppError('UNKNOWN_REPORT');
  const catalog = currentCatalog(services);
  return withCommon(report, catalog, companiesSeen({ services, caller, catalog }));
}

/** The values asked for. @throws AppError BAD_REQUEST with what is wrong */
export function paramsOf(
  report: ReportDefinition,
  given: Readonly<Record<string, unknown>> | undefined,
  caller: Caller,
): ParamValues {
  const { values, problems } = readParams(report, given ?? {}, caller.context);
  const [first] = problems;
  if (first !== undefined) throw new AppError('BAD_REQUEST', { message: first.message, problems });
  return values;
}

/** The parameter bar. */
export async function paramAnswers(
  services: Services,
  caller: Caller,
  report: ReportDefinition,
): Promise<readonly ReportParamAnswer[]> {
  const catalog = currentCatalog(services);
  const { params = {} } = report;
  const sources = sourcesOf(report);
  return Promise.all(
    Object.entries(params).map(async ([name, param]) => {
      const options = await paramOptions(services, caller, param);
      return {
        name,
        type: param.type,
        title: param.title,
        required: param.required === true,
        multiple: param.multiple === true,
        value: defaultOf(param, caller.context),
        ...(options.length === 0 ? {} : { options }),
        ...(param.to === undefined ? {} : { to: param.to, ...lookupOf(param.to, sources, catalog) }),
      };
    }),
  );
}

/** The field whose candidates a parameter offers: the first of the sources that refers to the same. */
function lookupOf(
  to: string,
  sources: readonly ReportSource[],
  catalog: Catalog,
): { readonly lookup?: { readonly resource: string; readonly path: string } } {
  for (const { from } of sources) {
    const resource = targetPlace(from, catalog)?.resource;
    for (const field of Object.values(resource?.fields ?? {})) {
      if (resource === undefined) continue;
      if (field.to === to) return { lookup: { resource: resource.resource, path: field.name } };
      const cell = Object.values(field.fields ?? {}).find((one) => one.to === to);
      if (cell !== undefined)
        return { lookup: { resource: resource.resource, path: `${field.name}.${cell.name}` } };
    }
  }
  return {};
}

/** What was chosen, in words, for the sheet and the file. */
export async function paramTexts(
  services: Services,
  caller: Caller,
  { report, values }: { readonly report: ReportDefinition; readonly values: ParamValues },
): Promise<readonly { readonly title: string; readonly text: string }[]> {
  const catalog = currentCatalog(services);
  const chosen = Object.entries(report.params ?? {}).filter(([name]) => !isNothing(values[name] ?? null));
  const needs = new Map<string, ReferenceNeed>();
  for (const [name, { to }] of chosen)
    if (to !== undefined) for (const id of [values[name] ?? []].flat()) needOf(needs, to).ids.add(String(id));
  // The ids come from the asker: only who sees several companies learns what records of others are called.
  for (const need of needs.values()) need.isAnyCompany = caller.subject.super_permission;
  const [resource = ''] = (sourcesOf(report)[0]?.from ?? '').split('.');
  const book = await loadReferences(services.db, catalog, {
    needs: needs.values(),
    companies: [caller.subject.co_code],
    reader: openAnyCall(services, caller, resource),
  });
  return Promise.all(
    chosen.map(async ([name, param]) => {
      const options = await paramOptions(services, caller, param);
      const labels = new Map(options.map(({ value, label }) => [value, label]));
      const text = (value: unknown): string => {
        if (typeof value === 'boolean') return value ? '是' : '否';
        const row = param.to === undefined ? undefined : book.get(param.to)?.get(String(value));
        if (param.to !== undefined) return row?.isOpen === true ? (row.label ?? '') : '—';
        return labels.get(String(value)) ?? String(value);
      };
      return { title: param.title, text: [values[name] ?? []].flat().map(text).join('、') };
    }),
  );
}

/** The companies to choose from; null for who sees one. */
function companiesSeen(around: Parameters<typeof namedChoices>[0]): Readonly<Record<string, string>> | null {
  if (!around.caller.subject.super_permission) return null;
  return Object.fromEntries(namedChoices(around, COMPANY, {}).map(({ value, label }) => [value, label]));
}

function withCommon(
  report: ReportDefinition,
  catalog: Catalog,
  companies: Readonly<Record<string, string>> | null,
): ReportDefinition {
  const sources = sourcesOf(report);
  const names = [...COMMON, ...(companies === null ? [] : (['co_code'] as const))].filter(
    (name) =>
      report.params?.[name] === undefined &&
      sources.every((source) => headField(source, name, catalog) !== undefined),
  );
  // What a report asks in its own way is not asked twice.
  const own = new Set(Object.values(report.params ?? {}).map(({ title }) => title));
  const params = Object.fromEntries(
    names.flatMap((name): readonly (readonly [string, ReportParam])[] => {
      const [first] = sources;
      const field = first === undefined ? undefined : headField(first, name, catalog);
      if (field === undefined || own.has(field.title)) return [];
      return [[name, commonParam(field, companies)]];
    }),
  );
  const narrowed = (source: ReportSource): ReportSource => {
    const at = source.from.includes('.') ? 'parent.' : '';
    const common = Object.keys(params).map((name) => [`${at}${name}`, { in: { $: `param.${name}` } }]);
    return { ...source, where: { and: [source.where ?? {}, Object.fromEntries(common)] } };
  };
  const { rows } = report;
  const next =
    rows.union === undefined
      ? { ...rows, ...(sources[0] === undefined ? {} : narrowed(sources[0])) }
      : { ...rows, union: rows.union.map(narrowed) };
  return { ...report, params: { ...report.params, ...params }, rows: next };
}

function headField({ from }: ReportSource, name: string, catalog: Catalog): Field | undefined {
  return targetPlace(from, catalog)?.resource.fields[name];
}

function commonParam(
  { name, type, title, to, dictionary }: Field,
  companies: Readonly<Record<string, string>> | null,
): ReportParam {
  if (name === 'co_code' && companies !== null)
    return { type: 'text', title, multiple: true, options: companies };
  if (type === 'reference' && typeof to === 'string') return { type, title, to, multiple: true };
  if (dictionary !== undefined) return { type: 'dictionary', title, dictionary, multiple: true };
  return { type: 'text', title, multiple: true };
}
