import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { plainText } from '#server/workflow/transfer/cell-value.ts';
import type { ReadCell } from '#server/workflow/transfer/import-fault.ts';
import { readWorkbook } from '#server/workflow/transfer/read-workbook.ts';

test.each([
  [0, '100234', 'number', '100234'],
  [14, '46112', 'date', '2026-03-31'],
  [45, '46112.5', 'date', '2026-03-31'],
  [47, '46112.5', 'date', '2026-03-31'],
  [48, '100234', 'number', '100234'],
  [49, '100234', 'number', '100234'],
  [49, '2024', 'number', '2024'],
  [49, '20231105', 'number', '20231105'],
  [50, '46112', 'date', '2026-03-31'],
  [58, '46112', 'date', '2026-03-31'],
  [59, '46112', 'number', '46112'],
])('a number in the built-in format %i is read as it is shown: %s', async (format, value, kind, shown) => {
  const [cell] = await cellsOf(`<c r="A1" s="1"><v>${value}</v></c>`, format);
  expect([cell?.kind, cell && plainText(cell)]).toEqual([kind, shown]);
});

test.each([
  ['<c r="A1" t="e"><f>VLOOKUP(1,B:C,2,0)</f><v>#N/A</v></c>', { text: '#N/A', kind: 'error' }],
  ['<c r="A1" t="e"><v>#REF!</v></c>', { text: '#REF!', kind: 'error' }],
  ['<c r="A1"><f>B1*2</f></c>', { text: '#无结果', kind: 'error' }],
  ['<c r="A1"><f>B1*2</f><v></v></c>', { text: '#无结果', kind: 'error' }],
  ['<c r="A1"><f t="shared" si="0"/></c>', { text: '#无结果', kind: 'error' }],
  ['<c r="A1"><f>B1*2</f><v>6</v></c>', { text: '6', kind: 'number' }],
  ['<c r="A1" t="str"><f>IF(B1="","",B1)</f><v></v></c>', null],
  ['<c r="A1" s="1"/>', null],
])('an error and a formula without a result are no empty cell: %s', async (cell, read) => {
  expect((await cellsOf(`${cell}<c r="B1"/>`))[0]).toEqual(read);
  // What the cell before was says nothing of the next one.
  expect((await cellsOf(`${cell}<c r="B1"/>`))[1]).toBeNull();
});

/** The cells of the only row of a workbook as other programs write it; style 1 is of the format. */
async function cellsOf(cells: string, format = 0): Promise<readonly (ReadCell | null)[]> {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const zip = new ZipFile();
  for (const [path, text] of [
    ['xl/workbook.xml', `<workbook xmlns:r="${office}"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>`],
    ['xl/_rels/workbook.xml.rels', '<Relationships><Relationship Id="r1" Target="s.xml"/></Relationships>'],
    ['xl/styles.xml', `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="${format}"/></cellXfs></styleSheet>`],
    ['xl/s.xml', `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`],
  ] as const)
    zip.addBuffer(Buffer.from(text), path);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  for await (const row of readWorkbook(Buffer.concat(chunks))) return row.cells;
  return [];
} // prettier-ignore
