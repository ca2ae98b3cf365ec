import { detectFileType } from '#server/records/files/file-type.ts';
import { importFault, type ReadRow } from './import-fault.ts';
import { readCsv } from './read-csv.ts';
import { readWorkbook } from './read-workbook.ts';

/** Rows of an uploaded table; what it is is told by its content, not its name. @throws IMPORT_FAULT */
export function readTable(
  bytes: Buffer,
  name: string,
  sheets: readonly string[] = [],
): AsyncIterable<ReadRow> | Iterable<ReadRow> {
  if (bytes.length === 0) throw importFault('文件是空的');
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (bytes.subarray(0, 4).toString('hex') === '504b0304') return readWorkbook(bytes, sheets);
  if (extension === 'xls' || bytes.subarray(0, 4).toString('hex') === 'd0cf11e0')
    throw importFault('不支持旧版 xls 或加密的文件，请另存为 xlsx 后再导入');
  const isMarked = /^(fffe|feff)/.test(bytes.subarray(0, 2).toString('hex'));
  const isText =
    isMarked || (detectFileType(bytes)?.mime.startsWith('text/') ?? !bytes.subarray(0, 4_000).includes(0));
  if (extension === 'xlsx') throw importFault('文件已损坏或不是有效的 xlsx 文件');
  if (!isText || !['csv', 'txt', 'tsv'].includes(extension)) throw importFault('请上传 xlsx 或 csv 文件');
  return readCsv(bytes);
}
