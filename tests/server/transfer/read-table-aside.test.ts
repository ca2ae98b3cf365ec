import { expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { type TableLimits, readTableAside } from '#server/workflow/transfer/read-table-aside.ts';
import { workbookBytes } from '#server/workflow/transfer/write-workbook.ts';

const WIDE: TableLimits = { heapMb: 256, timeMs: 60_000 };

it('a file is read whole and in order in a thread of its own', async () => {
  const rows = Array.from({ length: 1_000 }, (_row, index) => [`第${index}行`, String(index)]);
  const columns = ['名称', '数量'].map((title) => ({ title, format: { kind: 'text' as const }, width: 18 }));
  const bytes = await workbookBytes([{ name: '表', columns, rows }]);
  const read = await rowsOf({ bytes, name: '表.xlsx' }, WIDE);
  expect(read).toHaveLength(1_001);
  expect(read.at(-1)).toEqual({ row: 1_001, cells: [{ text: '第999行', kind: 'text' }, { text: '999', kind: 'text' }] });
  expect(await rowsOf({ bytes: Buffer.from('a,b\n1,2'), name: 'x.csv' }, WIDE)).toHaveLength(2);
}); // prettier-ignore

it('what is wrong with a file is told as the reader words it', async () => {
  await expect(rowsOf({ bytes: Buffer.from('x'), name: 'x.xlsx' }, WIDE)).rejects.toMatchObject({ code: 'IMPORT_FAULT', message: '文件已损坏或不是有效的 xlsx 文件' });
  await expect(rowsOf({ bytes: Buffer.alloc(0), name: 'x.csv' }, WIDE)).rejects.toMatchObject({ message: '文件是空的' });
}); // prettier-ignore

it('a file of 300 kB that unpacks to more than the thread may hold is refused, and nothing else ends with it', async () => {
  const bytes = await bomb();
  expect(bytes.length).toBeLessThan(400_000);
  await expect(rowsOf({ bytes, name: 'bomb.xlsx' }, { ...WIDE, heapMb: 64 })).rejects.toMatchObject({ code: 'IMPORT_FAULT', message: '文件解压后过大，不能导入' });
}); // prettier-ignore

it('a file that takes too long is refused', async () => {
  const limits = { ...WIDE, timeMs: 1 };
  await expect(rowsOf({ bytes: Buffer.from('a,b\n1,2'), name: 'x.csv' }, limits)).rejects.toMatchObject({ message: '文件过于复杂，读取超时，请拆分后再导入' });
}); // prettier-ignore

async function rowsOf(
  file: { readonly bytes: Buffer; readonly name: string },
  limits: TableLimits,
): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for await (const row of readTableAside(file, limits)) rows.push(row);
  return rows;
}

/** A workbook whose texts are a hundred megabytes when they are unpacked. */
async function bomb(): Promise<Buffer> {
  const zip = new ZipFile();
  const add = (path: string, text: string): void => zip.addBuffer(Buffer.from(text), path);
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  add('xl/workbook.xml', `<workbook xmlns:r="${office}"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>`);
  add('xl/_rels/workbook.xml.rels', '<Relationships><Relationship Id="r1" Target="s.xml"/></Relationships>');
  add('xl/s.xml', '<worksheet><sheetData/></worksheet>');
  add('xl/sharedStrings.xml', `<sst>${`<si><t>${'x'.repeat(30_000)}</t></si>`.repeat(3_500)}</sst>`);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
} // prettier-ignore
