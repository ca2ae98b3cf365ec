import { treeOf } from '../filter/tree-of.ts';
import type { ColumnDefinition, PageDefinition, SectionDefinition } from './layout-definition.ts';
import { targetPlace } from './field-path.ts';
import { hasTotal } from './list-totals.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { lintNamedPage } from './lint-named-page.ts';
import type { Field } from './resource.ts';
import type { JsonPath } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

/** Checks label, list, edit, details, print and pages of one resource. */
export function lintLayout(context: ResourceLint): void {
  const { definition } = context;
  lintLabel(context, definition.label);
  lintNames(context, ['caption'], definition.caption);
  lintFilter(context, ['foremost'], definition.foremost, { place: context.place(), record: null });
  lintTitles(context);
  const list = definition.list;
  lintColumns(context, ['list', 'columns'], list?.columns);
  lintNames(context, ['list', 'filters'], list?.filters);
  for (const [index, name] of (list?.sort ?? []).entries())
    context.field(['list', 'sort', index], name.replace(/^-/, ''), context.place());
  if (list?.group !== undefined) context.field(['list', 'group'], list.group, context.place());
  if (list?.parts !== undefined) {
    const field = context.field(['list', 'parts'], list.parts, context.place());
    if (field !== null && field.type !== 'dictionary')
      context.report(['list', 'parts'], `"${list.parts}" 不是字典字段`);
  }
  lintSections(context, ['edit'], definition.edit);
  lintSections(context, ['details', 'sections'], definition.details?.sections);
  lintFacts(context);
  lintNames(context, ['details', 'figures'], definition.details?.figures);
  lintSections(context, ['details', 'partner', 'sections'], definition.details?.partner?.sections);
  lintNames(context, ['details', 'partner', 'figures'], definition.details?.partner?.figures);
  lintRelated(context);
  lintUploads(context);
  const { reads } = context.definition;
  if (reads !== undefined && context.resource.fields[reads]?.type !== 'integer')
    context.report(['reads'], `"${reads}" 不是整数字段`);
  for (const [index, link] of (definition.details?.links ?? []).entries())
    for (const [parameter, name] of Object.entries(link.with ?? {}))
      context.field(['details', 'links', index, 'with', parameter], name, context.place());
  const prints = (definition.print ?? []).map(({ id }) => id);
  for (const [index, id] of prints.entries())
    if (prints.indexOf(id) < index) context.report(['print', index, 'id'], `打印 "${id}" 重复`);
  for (const [index, print] of (definition.print ?? []).entries())
    lintFilter(context, ['print', index, 'when'], print.when, {
      place: context.place(),
      record: context.place(),
    });
  for (const [index, page] of (definition.pages ?? []).entries()) lintPage(context, ['pages', index], page);
}

/** Pages made by hand or laid out otherwise may take the place of any kind. */
const STANDING_IN: ReadonlySet<string> = new Set(['custom', 'dashboard', 'settings', 'approval']);
const PAGE_TITLES: Readonly<Record<string, string>> = {
  list: '列表页',
  edit: '编辑页',
  details: '详情页',
  approval: '审批页',
  print: '打印页',
};

function lintPage(context: ResourceLint, path: JsonPath, page: PageDefinition): void {
  lintFilter(context, [...path, 'where'], page.where, { place: context.place(), record: null });
  lintColumns(context, [...path, 'columns'], page.columns);
  lintNames(context, [...path, 'filters'], page.filters);
  if (page.group !== undefined) context.field([...path, 'group'], page.group, context.place());
  lintTree(context, path, page.tree);
  lintOverview(context, [...path, 'overview'], page.overview);
  lintChart(context, [...path, 'chart'], page.chart);
  lintNamedPage(context, path, page);
  for (const key of ['list', 'edit', 'details', 'print'] as const) {
    const route = page[key];
    if (route === undefined) continue;
    context.name([...path, key], '路由', route, context.known.routes);
    const kind = context.known.pageKinds.get(route);
    if (kind !== undefined && kind !== key && !STANDING_IN.has(kind))
      context.report(
        [...path, key],
        `"${route}" 是${PAGE_TITLES[kind] ?? kind}，不是${PAGE_TITLES[key] ?? key}`,
      );
  }
}

/** The tree beside a list is that of the resource that a field refers to. */
function lintTree(context: ResourceLint, path: JsonPath, name: string | undefined): void {
  if (name === undefined) return;
  const before = context.faults.length;
  context.field([...path, 'tree'], name, context.place());
  const field = context.resource.fields[name];
  if (context.faults.length > before || field === undefined) return;
  if (treeOf(field, context.place()) === null)
    context.report([...path, 'tree'], `"${name}" 须引用树形资源（声明了 tree 的资源）`);
}

function lintOverview(context: ResourceLint, path: JsonPath, overview: PageDefinition['overview']): void {
  if (overview === undefined) return;
  lintFilter(context, [...path, 'where'], overview.where, { place: context.place(), record: null });
  for (const [index, name] of overview.dates.entries()) lintDay(context, [...path, 'dates', index], name);
  if (overview.month !== undefined) lintDay(context, [...path, 'month'], overview.month);
  if (overview.done !== undefined) context.field([...path, 'done'], overview.done, context.place());
  if (overview.amount !== undefined) context.field([...path, 'amount'], overview.amount, context.place());
  for (const [title, name] of Object.entries(overview.steps))
    context.field([...path, 'steps', title], name, context.place());
}

function lintChart(context: ResourceLint, path: JsonPath, chart: PageDefinition['chart']): void {
  if (chart === undefined) return;
  context.field([...path, 'by'], chart.by, context.place());
  for (const [index, name] of chart.amounts.entries()) {
    const field = context.field([...path, 'amounts', index], name, context.place());
    if (field !== null && !SUMMED.has(field.type))
      context.report([...path, 'amounts', index], `"${name}" 不能合计`);
  }
  if (chart.per === undefined) return;
  const per = context.field([...path, 'per'], chart.per, context.place());
  if (per !== null && per.type !== 'dictionary') context.report([...path, 'per'], `"${chart.per}" 不是字典`);
}

function lintDay(context: ResourceLint, path: JsonPath, name: string): void {
  const field = context.field(path, name, context.place());
  if (field !== null && field.type !== 'date') context.report(path, `"${name}" 不是日期`);
}

function lintColumns(
  context: ResourceLint,
  path: JsonPath,
  columns: readonly ColumnDefinition[] | undefined,
): void {
  for (const [index, column] of (columns ?? []).entries()) {
    if (typeof column === 'string') context.field([...path, index], column, context.place());
    else lintColumn(context, [...path, index], column);
  }
}

const SUMMED: ReadonlySet<string> = new Set(['integer', 'decimal', 'money']);

function lintColumn(context: ResourceLint, path: JsonPath, column: Exclude<ColumnDefinition, string>): void {
  const field = context.field([...path, 'field'], column.field, context.place());
  if (!hasTotal(column) || field === null) return;
  if (!SUMMED.has(field.type)) context.report([...path, 'total'], `"${column.field}" 不是数字，不能合计`);
  if (typeof column.total === 'object')
    lintFilter(context, [...path, 'total', 'where'], column.total.where, {
      place: context.place(),
      record: null,
    });
}

/** What a record is called: a value that is one line of text. */
function lintLabel(context: ResourceLint, name: string): void {
  const field = context.field(['label'], name, context.place());
  if (field !== null && NO_LABELS.has(field.type)) context.report(['label'], `"${name}" 不能作名称`);
}

const NO_LABELS: ReadonlySet<string> = new Set(['lines', 'json', 'secret', 'attachment', 'richtext']);

function lintTitles(context: ResourceLint): void {
  const { titles } = context.definition;
  if (titles === undefined) return;
  const field = context.field(['titles', 'by'], titles.by, context.place());
  if (field === null) return;
  if (field.type !== 'dictionary') return context.report(['titles', 'by'], `"${titles.by}" 不是选项字段`);
  const items =
    field.dictionary === undefined ? undefined : context.catalog.dictionaries[field.dictionary]?.items;
  const values = items?.map(({ value }) => value) ?? Object.keys(field.options ?? {});
  for (const value of Object.keys(titles.of))
    if (values.length > 0 && !values.includes(value))
      context.report(
        ['titles', 'of', value],
        `"${titles.by}" 没有选项 "${value}"${suggestion(value, values)}`,
      );
}

function lintNames(context: ResourceLint, path: JsonPath, names: readonly string[] | undefined): void {
  for (const [index, name] of (names ?? []).entries()) context.field([...path, index], name, context.place());
}

function lintFacts(context: ResourceLint): void {
  const { details, edit = [] } = context.definition;
  lintSections(context, ['details', 'facts'], details?.facts);
  const placed = new Set(edit.flatMap((section) => ('fields' in section ? section.fields : [])));
  for (const [index, { fields }] of (details?.facts ?? []).entries())
    for (const [at, name] of fields.entries())
      if (placed.has(name))
        context.report(['details', 'facts', index, 'fields', at], `"${name}" 已在编辑页的分区中`);
}

function lintSections(
  context: ResourceLint,
  path: JsonPath,
  sections: readonly SectionDefinition[] | undefined,
): void {
  for (const [index, section] of (sections ?? []).entries()) {
    const here = [...path, index];
    const hasLines = 'lines' in section;
    if (hasLines === 'fields' in section) {
      context.report(here, '分区须有 "fields" 或 "lines" 之一');
      continue;
    }
    if (!hasLines) {
      if (typeof section.columns === 'object')
        context.report([...here, 'columns'], '字段分区的 "columns" 应为每行字段数');
      lintNames(context, [...here, 'fields'], section.fields);
      for (const [at, name] of section.fields.entries())
        if (context.resource.fields[name]?.type === 'lines')
          context.report([...here, 'fields', at], `"${name}" 是明细，分区应写为 { "lines": "${name}" }`);
      continue;
    }
    if (context.resource.fields[section.lines]?.type !== 'lines') {
      context.field([...here, 'lines'], section.lines, context.place());
      if (context.resource.fields[section.lines] !== undefined)
        context.report([...here, 'lines'], `"${section.lines}" 不是明细`);
      continue;
    }
    if (typeof section.columns === 'number')
      context.report([...here, 'columns'], '明细分区的 "columns" 应为列的列表');
    else
      for (const [at, name] of (section.columns ?? []).entries())
        context.field([...here, 'columns', at], name, context.place(section.lines));
    lintConversation(context, here, section);
  }
}

function lintConversation(
  context: ResourceLint,
  path: JsonPath,
  { lines, conversation }: Extract<SectionDefinition, { readonly lines: string }>,
): void {
  if (conversation === undefined) return;
  const here = [...path, 'conversation'];
  for (const key of ['text', 'at', 'partner', 'by', 'files'] as const) {
    const name = conversation[key];
    if (name !== undefined) context.field([...here, key], name, context.place(lines));
  }
  if (conversation.opening !== undefined)
    context.field([...here, 'opening'], conversation.opening, context.place());
  for (const [index, action] of conversation.answers.entries())
    if (context.resource.lifecycle?.actions[action] === undefined)
      context.report([...here, 'answers', index], `没有动作 "${action}"`);
}

const LOG_FIELDS = ['apply_id', 'record_type', 'record_id', 'record_no', 'file', 'file_name', 'uploaded_by'];

function lintUploads(context: ResourceLint): void {
  const { uploads } = context.definition;
  if (uploads === undefined) return;
  context.field(['uploads', 'field'], uploads.field, context.place());
  const field = context.resource.fields[uploads.field];
  if (field !== undefined && field.type !== 'attachment')
    context.report(['uploads', 'field'], `"${uploads.field}" 不是附件字段`);
  lintFilter(context, ['uploads', 'when'], uploads.when, {
    place: context.place(),
    record: context.place(),
  });
  if (uploads.log === undefined) return;
  const log = targetPlace(uploads.log, context.catalog);
  if (log === null) {
    const near = suggestion(uploads.log, Object.keys(context.catalog.resources));
    context.report(['uploads', 'log'], `未知资源 "${uploads.log}"${near}`);
    return;
  }
  for (const name of LOG_FIELDS) context.field(['uploads', 'log'], name, log);
}

/** Whether a field of another resource can name a record of this one, or of what this one refers to in the same way. */
function leadsHere({ resource }: ResourceLint, by: Field): boolean {
  if (by.type === 'text') return true;
  if (by.type !== 'reference') return false;
  return typeof by.to !== 'string' || by.to.split('.')[0] === resource.resource;
}

function lintRelated(context: ResourceLint): void {
  for (const [index, related] of (context.definition.details?.related ?? []).entries()) {
    const path = ['details', 'related', index];
    const target = targetPlace(related.resource, context.catalog);
    if (target === null) {
      const near = suggestion(related.resource, Object.keys(context.catalog.resources));
      context.report([...path, 'resource'], `未知资源 "${related.resource}"${near}`);
      continue;
    }
    const by = context.field([...path, 'by'], related.by, target);
    if (by !== null && !leadsHere(context, by))
      context.report([...path, 'by'], `"${related.by}" 不引用${context.resource.title}`);
    for (const [at, name] of (related.columns ?? []).entries())
      context.field([...path, 'columns', at], name, target);
  }
}
