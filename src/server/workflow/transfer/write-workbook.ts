import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import {
  type CellValue,
  cellXml,
  columnLetters,
  columnStyle,
  escapeXml,
  formatCodes,
  HEADER_STYLE,
  type Sheet,
  type SheetRow,
  sumStyle,
  sumTextStyle,
  textCellXml,
  titleStyle,
} from './sheet-cell.ts';

/** The content type of an xlsx file. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * An xlsx file as a stream: rows are asked for, written and compressed as the reader takes them, so that memory does
 * not grow with their number. A failure of the rows fails the stream.
 */
export function writeWorkbook(sheets: readonly Sheet[]): Readable {
  const zip = new ZipFile();
  const codes = formatCodes(sheets.flatMap(({ columns }) => columns));
  const output = Readable.from(zip.outputStream);
  const add = (path: string, text: string): void => zip.addBuffer(Buffer.from(text), path);
  add('[Content_Types].xml', contentTypes(sheets.length));
  add('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]));
  add('xl/workbook.xml', workbookXml(sheets));
  add(
    'xl/_rels/workbook.xml.rels',
    relations([
      ...sheets.map((_sheet, index): [string, string] => ['worksheet', `worksheets/sheet${index + 1}.xml`]),
      ['styles', 'styles.xml'],
    ]),
  );
  add('xl/styles.xml', stylesXml(codes));
  for (const [index, sheet] of sheets.entries()) {
    zip.addReadStreamLazy(`xl/worksheets/sheet${index + 1}.xml`, (done) => {
      const source = Readable.from(sheetXml(sheet, codes), { objectMode: false });
      source.on('error', (error) => output.destroy(error));
      output.on('close', () => source.destroy());
      done(null, source);
    });
  }
  zip.on('error', (error) => output.destroy(error instanceof Error ? error : new TypeError(String(error))));
  zip.end();
  return output;
}

/** The whole file at once, for small ones: a failure is known before anything is sent. */
export async function workbookBytes(sheets: readonly Sheet[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of writeWorkbook(sheets)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CHUNK_CHARACTERS = 64 * 1024;

async function* sheetXml(sheet: Sheet, codes: readonly string[]): AsyncGenerator<Buffer> {
  const styles = sheet.columns.map((column) => columnStyle(column, codes));
  const widths = sheet.columns.map(
    ({ width, isTyped }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"${isTyped === true ? ` style="${styles[index] ?? 0}"` : ''}/>`,
  );
  const letters = sheet.columns.map((_column, index) => columnLetters(index));
  const above = sheet.above ?? [];
  const head = above.length + 1;
  const titles = sheet.columns
    .map(({ title }, index) =>
      textCellXml(title, { address: `${letters[index]}${head}`, style: HEADER_STYLE }),
    )
    .join('');
  const table = { sheet, codes, styles, letters };
  const lines = above.map((texts, index) =>
    aboveXml(texts, index, index === 0 ? { textStyle: titleStyle(codes) } : {}),
  );
  let text =
    `${XML}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0">${paneXml(head, letters.length)}</sheetView></sheetViews>` +
    `<cols>${widths.join('')}</cols><sheetData>${lines.join('')}<row r="${head}">${titles}</row>`;
  let place = head;
  for await (const row of sheet.rows) {
    place += 1;
    text += rowXml(row, { ...table, place });
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  const last = place;
  for (const row of sheet.below ?? []) {
    place += 1;
    text += rowXml({ sums: row }, { ...table, place });
  }
  // Filters of the rows only: the sums below stay where they are.
  const filter =
    last === head || letters.length === 0
      ? ''
      : `<autoFilter ref="A${head}:${letters.at(-1) ?? 'A'}${last}"/>`;
  yield Buffer.from(`${text}</sheetData>${filter}${PAGE}</worksheet>`);
}

/** On paper across, as wide as the sheet, with page numbers. */
const PAGE =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>' +
  '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>' +
  '<headerFooter><oddFooter>&amp;C第 &amp;P 页 / 共 &amp;N 页</oddFooter></headerFooter>';

/** So many columns are seen without scrolling: of more the first stays, too. */
const SEEN_AT_ONCE = 8;

function paneXml(head: number, columns: number): string {
  if (columns <= SEEN_AT_ONCE)
    return `<pane ySplit="${head}" topLeftCell="A${head + 1}" activePane="bottomLeft" state="frozen"/>`;
  return `<pane xSplit="1" ySplit="${head}" topLeftCell="B${head + 1}" activePane="bottomRight" state="frozen"/>`;
}

function aboveXml(texts: readonly string[], index: number, style: { readonly textStyle?: number }): string {
  const cells = texts.map((text, at) =>
    cellXml(text, { kind: 'text' }, { address: `${columnLetters(at)}${index + 1}`, style: 0, ...style }),
  );
  return `<row r="${index + 1}">${cells.join('')}</row>`;
}

function rowXml(
  row: SheetRow,
  at: {
    readonly sheet: Sheet;
    readonly codes: readonly string[];
    readonly styles: readonly number[];
    readonly letters: readonly string[];
    readonly place: number;
  },
): string {
  let cells = '';
  const values: readonly CellValue[] = 'sums' in row ? row.sums : row;
  for (const [index, column] of at.sheet.columns.entries()) {
    const style = at.styles[index] ?? 0;
    cells += cellXml(values[index] ?? null, column.format, {
      address: `${at.letters[index]}${at.place}`,
      ...('sums' in row
        ? { style: sumStyle(style, at.codes), textStyle: sumTextStyle(at.codes) }
        : { style }),
    });
  }
  return `<row r="${at.place}">${cells}</row>`;
}

function contentTypes(sheets: number): string {
  const parts = Array.from(
    { length: sheets },
    (_part, index) =>
      `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
  );
  return `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${parts.join('')}</Types>`;
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const parts = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${parts.join('')}</Relationships>`;
}

function workbookXml(sheets: readonly Sheet[]): string {
  const parts = sheets.map(
    ({ name }, index) =>
      `<sheet name="${escapeXml(sheetName(name))}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  // The head of the table stands on every printed page.
  const heads = sheets.map(({ name, above = [] }, index) => {
    const row = `$${above.length + 1}`;
    return `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">'${escapeXml(sheetName(name))}'!${row}:${row}</definedName>`;
  });
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${parts.join('')}</sheets><definedNames>${heads.join('')}</definedNames></workbook>`;
}

/** Spreadsheets refuse some characters and more than 31 of them. */
function sheetName(name: string): string {
  const kept = name
    .replace(/[[\]:*?/\\']/g, ' ')
    .trim()
    .slice(0, 31);
  return kept === '' ? '数据' : kept;
}

function stylesXml(codes: readonly string[]): string {
  const formats = codes
    .map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(code)}"/>`)
    .join('');
  const styles = codes.map(
    (_code, index) =>
      `<xf numFmtId="${164 + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  );
  const sums = [49, ...codes.map((_code, index) => 164 + index)].map(
    (format) =>
      `<xf numFmtId="${format}" fontId="1" fillId="0" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyBorder="1"/>`,
  );
  const title = '<xf numFmtId="49" fontId="2" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>'; // prettier-ignore
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>';
  return (
    `${XML}<styleSheet xmlns="${MAIN}">${codes.length === 0 ? '' : `<numFmts count="${codes.length}">${formats}</numFmts>`}` +
    '<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="14"/><name val="Calibri"/></font></fonts>' +
    '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFEDEDED"/></patternFill></fill></fills>' +
    '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top style="thin"><color auto="1"/></top><bottom/><diagonal/></border></borders>' +
    `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${4 + styles.length + sums.length + 1}">${plain}` +
    '<xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1"><alignment horizontal="center" vertical="center" wrapText="1"/></xf>' +
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>' +
    `${styles.join('')}${sums.join('')}${title}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
  );
}
