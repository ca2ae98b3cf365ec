import { COMPANY_TYPES } from '../expression/type-scope.ts';
import type { Catalog, Resource } from '../schema/resource.ts';
import { type KnownNames, LintContext } from '../schema/lint-context.ts';
import { lintFilter } from '../schema/lint-filter.ts';
import { faultAt, type LintFault, type SourceFile } from '../schema/source-file.ts';
import { suggestion } from '../schema/suggest-name.ts';
import { resolveFieldPath } from '../schema/field-path.ts';
import { lineFieldsAt } from './line-fields.ts';
import { cutText, rowsKey, templateTexts, unknownFormats } from './placeholders.ts';
import { PRINT_FORMATS, type PrintBlock, type PrintTemplate } from './print-template.ts';

/** A template's file. */
export interface PrintFile {
  readonly file: SourceFile;
  readonly template: PrintTemplate;
}

/** What `company.x` may be. */
const COMPANY_NAMES: readonly string[] = Object.keys(COMPANY_TYPES);

/** Checks a print template beside the resources: its resource, its lines, and every field that its texts and conditions name. */
export function lintPrint(
  { file, template }: PrintFile,
  catalog: Catalog,
  known: KnownNames,
): readonly LintFault[] {
  const resource = Object.hasOwn(catalog.resources, template.resource)
    ? catalog.resources[template.resource]
    : undefined;
  if (resource === undefined)
    return [
      faultAt(
        file,
        ['resource'],
        `未知资源 "${template.resource}"${suggestion(template.resource, Object.keys(catalog.resources))}`,
      ),
    ];
  const context = new LintContext(file, resource, catalog, known);
  const approvals = approvedActions(resource);
  for (const [index, block] of template.blocks.entries()) {
    const place = context.place();
    lintFilter(context, ['blocks', index, 'when'], block.when, { place, record: place });
    if (block.kind === 'signatures' && block.approvals !== undefined)
      context.name(['blocks', index, 'approvals'], '审核动作', block.approvals, approvals);
    if (block.kind === 'signatures')
      for (const [party, { stamp }] of block.parties.entries())
        lintFilter(context, ['blocks', index, 'parties', party, 'stamp', 'when'], stamp?.when, {
          place,
          record: place,
        });
    if (block.kind === 'table') lintTable(context, block, index);
  }
  const place = context.place();
  lintFilter(context, ['mail', 'when'], template.mail?.when, { place, record: place });
  const { first, files = [] } = template.mail ?? {};
  const attachments = Object.values(resource.fields).filter(({ type }) => type === 'attachment');
  const holders = new Set(attachments.map(({ name }) => name));
  for (const [index, name] of files.entries())
    context.name(['mail', 'files', index], '附件字段', name, holders);
  const actions = new Set(Object.keys(resource.lifecycle?.actions ?? {}));
  if (first !== undefined) context.name(['mail', 'first'], '动作', first, actions);
  const rows = rowResources(context, template);
  for (const text of templateTexts(template)) lintText(context, text, rows);
  return context.faults;
}

/** The actions of a resource that an approval follows. */
function approvedActions({ lifecycle }: Resource): ReadonlySet<string> {
  const actions = Object.entries(lifecycle?.actions ?? {});
  return new Set(actions.flatMap(([name, { approval }]) => (approval === undefined ? [] : [name])));
}

type TableBlock = Extract<PrintBlock, { readonly kind: 'table' }>;

function lintTable(context: LintContext, block: TableBlock, index: number): void {
  const at = ['blocks', index];
  const { lines, from } = block;
  if ((lines === undefined) === (from === undefined))
    context.report(at, '表格须有 lines 或 from，且只能有一个');
  if (lines !== undefined && lineFieldsAt(context.place(), lines) === null)
    context.report([...at, 'lines'], `"${lines}" 不是明细`);
  if (from !== undefined) lintRelated(context, from, [...at, 'from']);
  for (const [column, { value, sum, running }] of block.columns.entries())
    if (
      (sum === true || running === true) &&
      cutText(value).filter((part) => typeof part !== 'string').length !== 1
    )
      context.report([...at, 'columns', column, 'value'], '合计的列只能是一个占位');
}

function lintRelated(
  context: LintContext,
  from: NonNullable<TableBlock['from']>,
  at: readonly (string | number)[],
): void {
  const other = Object.hasOwn(context.catalog.resources, from.resource)
    ? context.catalog.resources[from.resource]
    : undefined;
  if (other === undefined) {
    context.report([...at, 'resource'], `未知资源 "${from.resource}"`);
    return;
  }
  const place = { resource: other, catalog: context.catalog, lines: undefined };
  const by = context.field([...at, 'by'], from.by, place);
  if (by !== null && by.to !== context.resource.resource)
    context.report([...at, 'by'], `"${from.by}" 不引用 "${context.resource.resource}"`);
  if (from.period !== undefined) context.field([...at, 'period'], from.period, place);
  for (const [index, sorter] of (from.sort ?? []).entries())
    context.field([...at, 'sort', index], sorter.replace(/^-/, ''), place);
  lintFilter(context, [...at, 'where'], from.where, { place, record: context.place() });
}

/** The fields that paths in a table's texts may begin with, by the keys of the tables. */
type RowPlaces = ReadonlyMap<string, ReturnType<LintContext['place']> | null>;

function rowResources(context: LintContext, { blocks }: PrintTemplate): RowPlaces {
  const places = new Map<string, ReturnType<LintContext['place']> | null>();
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== 'table') continue;
    const other = block.from === undefined ? undefined : context.catalog.resources[block.from.resource];
    if (other !== undefined)
      places.set(rowsKey(block, index), { resource: other, catalog: context.catalog, lines: undefined });
    else if (block.lines !== undefined)
      places.set(block.lines, lineFieldsAt(context.place(), block.lines)?.place ?? null);
  }
  return places;
}

const PERIOD_NAMES: readonly string[] = ['from', 'to'];

function lintText(
  context: LintContext,
  { text, place, lines }: ReturnType<typeof templateTexts>[number],
  rows: RowPlaces,
): void {
  for (const format of unknownFormats(text))
    context.report(place, `未知格式 "${format}"${suggestion(format, PRINT_FORMATS)}`);
  for (const part of cutText(text)) {
    if (typeof part === 'string') continue;
    const [first = '', second = ''] = part.path.split('.');
    if (first === 'company') {
      if (!COMPANY_NAMES.includes(second))
        context.report(place, `未知公司属性 "${second}"${suggestion(second, COMPANY_NAMES)}`);
      continue;
    }
    if (first === 'period') {
      if (!PERIOD_NAMES.includes(second)) context.report(place, `未知期间属性 "${second}"`);
      continue;
    }
    const row = lines === null ? null : (rows.get(lines) ?? null);
    const isOfRow = row !== null && resolveFieldPath(row, part.path).kind !== 'unknown';
    if (!isOfRow) context.field(place, part.path, context.place());
  }
}

/** Templates with the same name, and prints of resources whose template is none, is another resource's, or has no page. */
export function lintPrintsTogether(
  prints: readonly PrintFile[],
  resources: readonly { readonly file: SourceFile; readonly definition: PrintingDefinition }[],
): readonly LintFault[] {
  const faults: LintFault[] = [];
  const byName = new Map<string, PrintFile>();
  for (const entry of prints) {
    const other = byName.get(entry.template.print);
    if (other === undefined) byName.set(entry.template.print, entry);
    else
      faults.push(
        faultAt(entry.file, ['print'], `打印模板 "${entry.template.print}" 已在 ${other.file.path} 中定义`),
      );
  }
  for (const { file, definition } of resources)
    for (const [index, { template }] of (definition.print ?? []).entries()) {
      const found = byName.get(template);
      const place = ['print', index, 'template'];
      if (found === undefined)
        faults.push(faultAt(file, place, `未知打印模板 "${template}"${suggestion(template, byName.keys())}`));
      else if (found.template.resource !== definition.resource)
        faults.push(faultAt(file, place, `打印模板 "${template}" 属于 "${found.template.resource}"`));
    }
  return faults;
}

interface PrintingDefinition {
  readonly resource: string;
  readonly print?: readonly { readonly template: string }[];
}
