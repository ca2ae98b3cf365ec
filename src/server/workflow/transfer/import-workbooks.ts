import { loadDictionaries, usedDictionaries } from '#server/records/definitions/dictionary-values.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { ImportProblem } from '#contract/transfer.ts';
import { GROUP_TITLE, importFields, type ImportField } from './import-fields.ts';
import { refusePastSecond } from './import-fault.ts';
import { readImport } from './import-store.ts';
import { isWritten } from './cell-value.ts';
import { choicesOf } from './read-import-rows.ts';
import type { SheetColumn } from './sheet-cell.ts';
import { workbookBytes } from './write-workbook.ts';

/** A made file. */
export interface MadeFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** How heads and lines are told apart. */
const GROUP_HINT =
  '同一单据的各行填同一序号；不填时，单据的列重复或留空的行属于上一张单据。明细也可以放在以明细名称命名的第二张表，用序号或编号对应';

/** The file to fill in: a column for each field, required ones marked, and sheets that say what may stand in them. */
export async function importTemplate(call: Call): Promise<MadeFile> {
  const { resource } = call;
  refusePastSecond(call);
  const fields = importFields(call).filter(({ isKeyOnly }) => !isKeyOnly);
  const dictionaries = await loadDictionaries(call, usedDictionaries(resource));
  const hasLines = fields.some(({ lines }) => lines !== null);
  const columns = [
    ...(hasLines ? [textColumn(GROUP_TITLE, 12)] : []),
    ...fields.map(({ field, title, isRequired }) => ({
      ...textColumn(isRequired ? `${title}*` : title, 18),
      isTyped: isWritten(field),
    })),
  ];
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
      rows: [
        ...(hasLines ? [[GROUP_TITLE, '', GROUP_HINT]] : []),
        ...fields.map((field) => [field.title, field.isRequired ? '是' : '', explain(call, field)]),
      ],
    },
  ]);
  return { name: `${resource.title}导入模板.xlsx`, bytes };
}

/** The bad rows of a checked file as they stood in it, with the reasons in a column of their own. */
export async function importErrors(call: Call, id: string): Promise<MadeFile> {
  const { titles, lineTitles = null, rows } = await readImport(call.services.db, call, id);
  const columns = [...titles.map((title) => textColumn(title, 18)), textColumn('错误原因', 60)];
  const bad = rows
    .filter(({ kind }) => kind === 'error')
    .flatMap(({ texts, errors, more = [] }) => [
      [...inColumns(titles, texts), errors.map(problemText).join('；')],
      ...more.flatMap((row) => (row.isSecond ? [] : [[...inColumns(titles, row.texts), null]])),
    ]);
  const lines = rows
    .filter(({ kind }) => kind === 'error')
    .flatMap(({ more = [] }) =>
      more.flatMap((row) => (row.isSecond ? [inColumns(lineTitles ?? [], row.texts)] : [])),
    );
  const second = Object.values(call.resource.fields).find(({ type }) => type === 'lines')?.title ?? '明细';
  const bytes = await workbookBytes([
    { name: call.resource.title, columns, rows: bad },
    ...(lineTitles === null
      ? []
      : [{ name: second, columns: lineTitles.map((title) => textColumn(title, 18)), rows: lines }]),
  ]);
  return { name: `${call.resource.title}导入错误.xlsx`, bytes };
}

function inColumns(titles: readonly string[], texts: readonly string[]): readonly (string | null)[] {
  return titles.map((_title, place) => texts[place] ?? null);
}

function problemText({ column, message }: ImportProblem): string {
  return column === '' || message.includes(column) ? message : `${column}：${message}`;
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
