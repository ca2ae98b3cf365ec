import { loadDictionaries, usedDictionaries } from '#server/records/definitions/dictionary-values.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { importFields, type ImportField } from './import-fields.ts';
import { readImport } from './import-store.ts';
import { choicesOf } from './read-import-rows.ts';
import type { SheetColumn } from './sheet-cell.ts';
import { workbookBytes } from './write-workbook.ts';

/** A made file. */
export interface MadeFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The file to fill in: a column for each field, required ones marked, and sheets that say what may stand in them. */
export async function importTemplate(call: Call): Promise<MadeFile> {
  const { resource, catalog, services } = call;
  const fields = importFields(call).filter(({ isKeyOnly }) => !isKeyOnly);
  const dictionaries = await loadDictionaries(services, catalog, usedDictionaries(resource));
  const columns = fields.map(({ title, isRequired }) => textColumn(isRequired ? `${title}*` : title, 18));
  const choices = fields.flatMap(({ field, title }) =>
    choicesOf(field, dictionaries).map(({ value, label }) => [title, label, value]),
  );
  const bytes = await workbookBytes([
    { name: resource.title, columns, rows: [] },
    {
      name: '可选值',
      columns: [textColumn('列', 18), textColumn('名称', 30), textColumn('代码', 20)],
      rows: choices,
    },
    {
      name: '填写说明',
      columns: [textColumn('列', 18), textColumn('必填', 8), textColumn('说明', 60)],
      rows: fields.map((field) => [field.title, field.isRequired ? '是' : '', explain(call, field)]),
    },
  ]);
  return { name: `${resource.title}导入模板.xlsx`, bytes };
}

/** The bad rows of a checked file as they stood in it, with the reasons in a column of their own. */
export async function importErrors(call: Call, id: string): Promise<MadeFile> {
  const { titles, rows } = await readImport(call.services.db, call, id);
  const columns = [...titles.map((title) => textColumn(title, 18)), textColumn('错误原因', 60)];
  const bad = rows
    .filter(({ kind }) => kind === 'error')
    .map(({ texts, errors }) => [
      ...titles.map((_title, place) => texts[place] ?? null),
      errors
        .map(({ column, message }) =>
          column === '' || message.includes(column) ? message : `${column}：${message}`,
        )
        .join('；'),
    ]);
  const bytes = await workbookBytes([{ name: call.resource.title, columns, rows: bad }]);
  return { name: `${call.resource.title}导入错误.xlsx`, bytes };
}

function textColumn(title: string, width: number): SheetColumn {
  return { title, format: { kind: 'text' }, width: Math.max(width, title.length * 2 + 2) };
}

function explain(call: Call, { field }: ImportField): string {
  const several = field.multiple === true ? '；多个用“、”分隔' : '';
  const hint = field.hint === undefined ? '' : `；${field.hint}`;
  return `${kindText(call, field)}${several}${hint}`;
}

function kindText(call: Call, field: ImportField['field']): string {
  switch (field.type) {
    case 'reference': {
      const target = typeof field.to === 'string' ? call.catalog.resources[field.to] : undefined;
      return `填写${target?.title ?? ''}的编号或名称`;
    }
    case 'dictionary':
      return '填写名称或代码，见“可选值”';
    case 'date':
      return '日期，如 2026-03-31';
    case 'datetime':
      return '时间，如 2026-03-31 14:05';
    case 'boolean':
      return '是 或 否';
    case 'percent':
      return '百分数，13% 填 13';
    case 'integer':
      return '整数';
    case 'decimal':
    case 'money':
      return '数字';
    default:
      return field.options === undefined ? '文本' : '填写名称，见“可选值”';
  }
}
