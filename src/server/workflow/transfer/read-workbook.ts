import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import type { Entry, ZipFile } from 'yauzl';
import { importFault, MAX_IMPORT_COLUMNS, NO_RESULT, type ReadCell, type ReadRow } from './import-fault.ts';
import { type Parts, openZip, listParts, openPart, parsePart, collect, localName } from './workbook-parts.ts';

const MAX_SHARED_CHARACTERS = 80_000_000;
const MAX_CELL_CHARACTERS = 32_767;

/**
 * Rows of the first sheet of an xlsx file, then those of the further sheets that are asked for by name, read as they are
 * unpacked. @throws IMPORT_FAULT
 */
export async function* readWorkbook(bytes: Buffer, wanted: readonly string[] = []): AsyncGenerator<ReadRow> {
  const zip = await openZip(bytes);
  try {
    const parts = await listParts(zip);
    const { sheets, is1904 } = await listSheets(zip, parts);
    const shared = await readShared(zip, parts.get('xl/sharedStrings.xml'));
    const formats = await readFormats(zip, parts.get('xl/styles.xml'));
    const around = { shared, formats, is1904 };
    for (const [place, { name, entry }] of sheets.entries()) {
      if (place === 0) yield* readSheet(await openPart(zip, entry), around);
      else if (wanted.includes(name.trim()))
        for await (const row of readSheet(await openPart(zip, entry), around))
          yield { ...row, sheet: name.trim() };
    }
  } finally {
    zip.close();
  }
}
type CellKind = Exclude<ReadCell['kind'], 'error'>;

async function listSheets(
  zip: ZipFile,
  parts: Parts,
): Promise<{
  readonly sheets: readonly { readonly name: string; readonly entry: Entry }[];
  readonly is1904: boolean;
}> {
  const workbook = parts.get('xl/workbook.xml');
  const relations = parts.get('xl/_rels/workbook.xml.rels');
  if (workbook === undefined || relations === undefined)
    throw importFault('这不是 xlsx 文件（旧版 xls 请另存为 xlsx）');
  let is1904 = false;
  const found: { readonly name: string; readonly id: string }[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (localName(name) === 'workbookPr') is1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
    const id = Object.entries(attributes).find(([key]) => key === 'r:id' || key.endsWith(':id'))?.[1];
    if (localName(name) === 'sheet' && attributes['state'] !== 'veryHidden' && id !== undefined)
      found.push({ name: attributes['name'] ?? '', id });
  });
  await collect(await openPart(zip, workbook), parser, found);
  const targets = new Map<string, string>();
  const links = new SaxesParser();
  links.on('opentag', ({ attributes }) => {
    const { Id: id, Target: target } = attributes;
    if (id !== undefined && target !== undefined)
      targets.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  });
  await collect(await openPart(zip, relations), links, []);
  const sheets = found.flatMap(({ name, id }, place) => {
    const entry = parts.get(targets.get(id) ?? '');
    if (entry === undefined && place === 0) throw importFault('文件中没有工作表');
    return entry === undefined ? [] : [{ name, entry }];
  });
  if (sheets.length === 0) throw importFault('文件中没有工作表');
  return { sheets, is1904 };
}

async function readShared(zip: ZipFile, entry: Entry | undefined): Promise<readonly string[]> {
  if (entry === undefined) return [];
  const texts: string[] = [];
  const parser = new SaxesParser();
  let text: string | null = null;
  let isText = false;
  let isPhonetic = false;
  let characters = 0;
  parser.on('opentag', ({ name, isSelfClosing }) => {
    const local = localName(name);
    if (local === 'si') text = '';
    else if (local === 'rPh') isPhonetic = true;
    else if (local === 't' && !isSelfClosing) isText = true;
  });
  parser.on('text', (piece) => {
    if (!isText || isPhonetic || text === null) return;
    characters += piece.length;
    if (characters > MAX_SHARED_CHARACTERS) throw importFault('文件解压后过大，不能导入');
    if (text.length < MAX_CELL_CHARACTERS) text += piece;
  });
  parser.on('closetag', ({ name }) => {
    const local = localName(name);
    if (local === 't') isText = false;
    else if (local === 'rPh') isPhonetic = false;
    else if (local === 'si' && text !== null) {
      texts.push(unescapeText(text));
      text = null;
    }
  });
  return collect(await openPart(zip, entry), parser, texts);
}

/** What the styles of a workbook make of a number, by style number. */
async function readFormats(zip: ZipFile, entry: Entry | undefined): Promise<readonly CellKind[]> {
  if (entry === undefined) return [];
  const codes = new Map<string, string>();
  const kinds: CellKind[] = [];
  let isCellStyles = false;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const local = localName(name);
    if (local === 'numFmt') codes.set(attributes['numFmtId'] ?? '', attributes['formatCode'] ?? '');
    else if (local === 'cellXfs') isCellStyles = true;
    else if (local === 'xf' && isCellStyles) kinds.push(kindOf(attributes['numFmtId'] ?? '0', codes));
  });
  parser.on('closetag', ({ name }) => {
    if (localName(name) === 'cellXfs') isCellStyles = false;
  });
  return collect(await openPart(zip, entry), parser, kinds);
}

/**
 * Built-in formats by their numbers (ECMA-376 part 1, 18.8.30), own ones by their letters. Between those of days stand
 * an exponent (48) and text (49): a number in a cell of text is a number, be it long or short.
 */
function kindOf(id: string, codes: ReadonlyMap<string, string>): CellKind {
  const code = codes.get(id);
  if (code === undefined) {
    const number = Number(id);
    const isDay =
      (number >= 14 && number <= 22) ||
      (number >= 27 && number <= 36) ||
      (number >= 45 && number <= 47) ||
      (number >= 50 && number <= 58);
    return isDay ? 'date' : number === 9 || number === 10 ? 'percent' : 'number';
  }
  const plain = code.replace(/"[^"]*"|\\.|_.|\[(?!h|m|s)[^\]]*\]/gi, '');
  if (plain.includes('%')) return 'percent';
  return /[ymdhs]/i.test(plain.replace(/general/gi, '')) ? 'date' : 'number';
}

interface SheetSurroundings {
  readonly shared: readonly string[];
  readonly formats: readonly CellKind[];
  readonly is1904: boolean;
}

async function* readSheet(stream: Readable, around: SheetSurroundings): AsyncGenerator<ReadRow> {
  let done: ReadRow[] = [];
  let row = 0;
  let column = -1;
  let cells: (ReadCell | null)[] = [];
  let type = '';
  let style = 0;
  let value = '';
  let isValue = false;
  let isFormula = false;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
    switch (localName(name)) {
      case 'row': {
        const given = Number(attributes['r']);
        row = Number.isSafeInteger(given) && given > row ? given : row + 1;
        column = -1;
        cells = [];
        break;
      }
      case 'c':
        column = columnOf(attributes['r'], column + 1);
        type = attributes['t'] ?? 'n';
        style = Number(attributes['s'] ?? 0);
        value = '';
        isFormula = false;
        break;
      case 'f':
        isFormula = true;
        break;
      case 'v':
      case 't':
        isValue = !isSelfClosing;
        break;
      case 'rPh':
        type = `${type}~`;
        break;
    }
  });
  parser.on('text', (piece) => {
    if (isValue && !type.endsWith('~') && value.length < MAX_CELL_CHARACTERS) value += piece;
  });
  parser.on('closetag', ({ name }) => {
    switch (localName(name)) {
      case 'v':
      case 't':
        isValue = false;
        break;
      case 'rPh':
        type = type.slice(0, -1);
        break;
      case 'c':
        if (column >= 0 && column < MAX_IMPORT_COLUMNS) {
          while (cells.length < column) cells.push(null);
          const kind = around.formats[style] ?? 'number';
          cells[column] = readCell(value, { type, kind, isFormula, around });
        }
        break;
      case 'row':
        done.push({ row, cells });
        break;
    }
  });
  yield* parsePart(stream, parser, () => {
    const ready = done;
    done = [];
    return ready;
  });
}

function readCell(
  value: string,
  at: {
    readonly type: string;
    readonly kind: CellKind;
    readonly isFormula: boolean;
    readonly around: SheetSurroundings;
  },
): ReadCell | null {
  const { type, kind, isFormula, around } = at;
  if (type === 's') return textCell(around.shared[Number(value)] ?? '');
  if (type === 'b') return textCell(value === '1' ? '是' : '否');
  if (type === 'e') return { text: value === '' ? NO_RESULT : value, kind: 'error' };
  if (type === 'd') return { text: value, kind: 'date' };
  if (type !== 'n') return textCell(unescapeText(value));
  if (value === '') return isFormula ? { text: NO_RESULT, kind: 'error' } : null;
  if (kind !== 'date') return { text: value, kind };
  const serial = Number(value) + (around.is1904 ? 1462 : 0);
  return { text: String(serial), kind };
}

function textCell(value: string): ReadCell | null {
  const text = value.trim();
  return text === '' ? null : { text, kind: 'text' };
}

/** `_x000D_` is how spreadsheets spell a control character. */
function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;
}

/** The place of `C7`: 2. */
function columnOf(address: string | undefined, next: number): number {
  const letters = /^[A-Z]{1,3}/.exec(address ?? '')?.[0];
  if (letters === undefined) return next;
  let place = 0;
  for (const letter of letters) place = place * 26 + letter.charCodeAt(0) - 64;
  return place - 1;
}
