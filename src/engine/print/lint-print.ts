import type { Catalog } from '../schema/resource.ts';
import { type KnownNames, LintContext } from '../schema/lint-context.ts';
import { lintFilter } from '../schema/lint-filter.ts';
import { faultAt, type LintFault, type SourceFile } from '../schema/source-file.ts';
import { suggestion } from '../schema/suggest-name.ts';
import { cutText, templateTexts, unknownFormats } from './placeholders.ts';
import { PRINT_FORMATS, type PrintTemplate } from './print-template.ts';

/** A template's file. */
export interface PrintFile {
  readonly file: SourceFile;
  readonly template: PrintTemplate;
}

/** What `company.x` may be. */
const COMPANY_NAMES: readonly string[] = ['co_code', 'name', 'name_en', 'tax_no', 'hotline'];

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
  for (const [index, block] of template.blocks.entries()) {
    const place = context.place();
    lintFilter(context, ['blocks', index, 'when'], block.when, { place, record: place });
    if (block.kind !== 'table') continue;
    const lines = context.field(['blocks', index, 'lines'], block.lines, place);
    if (lines !== null && lines.type !== 'lines')
      context.report(['blocks', index, 'lines'], `"${block.lines}" 不是明细`);
    for (const [column, { value, sum }] of block.columns.entries())
      if (sum === true && cutText(value).filter((part) => typeof part !== 'string').length !== 1)
        context.report(['blocks', index, 'columns', column, 'value'], '合计的列只能是一个占位');
  }
  for (const text of templateTexts(template)) lintText(context, text);
  return context.faults;
}

function lintText(
  context: LintContext,
  { text, place, lines }: ReturnType<typeof templateTexts>[number],
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
    const isColumn = lines !== null && context.resource.fields[lines]?.fields?.[first] !== undefined;
    context.field(place, part.path, context.place(isColumn ? lines : undefined));
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
