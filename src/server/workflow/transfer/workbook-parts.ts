import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { importFault } from './import-fault.ts';

/** What one part of a workbook may unpack to: a bomb is small only while it is packed. */
const MAX_PART_BYTES = 200 * 1024 * 1024;
const MAX_ENTRIES = 2_000;

/** The parts of a workbook by their names. */
export type Parts = ReadonlyMap<string, Entry>;

/** Opens a zip file that lies in memory. @throws when it is none */
export function openZip(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error === null) resolve(zip);
      else reject(importFault('文件已损坏或不是有效的 xlsx 文件', error));
    });
  });
}

/** The parts of a workbook, so many as a workbook may have. */
export function listParts(zip: ZipFile): Promise<Parts> {
  const parts = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(importFault('文件已损坏或不是有效的 xlsx 文件', error));
    zip.on('error', fail);
    zip.on('entry', (entry: Entry) => {
      parts.set(entry.fileName, entry);
      if (parts.size > MAX_ENTRIES) fail('too many entries');
      else if (entry.uncompressedSize > MAX_PART_BYTES) reject(importFault('文件解压后过大，不能导入'));
      else zip.readEntry();
    });
    zip.on('end', () => resolve(parts));
    zip.readEntry();
  });
}

/** Unpacks one part, so much as a part may hold. */
export function openPart(zip: ZipFile, entry: Entry): Promise<Readable> {
  if (entry.isEncrypted()) throw importFault('文件已加密，请先取消密码');
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error === null) resolve(stream);
      else reject(importFault('文件已损坏或不是有效的 xlsx 文件', error));
    });
  });
}

/** Feeds a part to a parser; `drain` is called after every piece, so that results can be taken as they come. */
export async function* parsePart<T>(
  stream: Readable,
  parser: SaxesParser,
  drain: () => readonly T[],
): AsyncGenerator<T> {
  const decoder = new TextDecoder('utf-8');
  parser.on('doctype', () => {
    throw importFault('文件含有不允许的内容');
  });
  try {
    for await (const chunk of stream) {
      parser.write(decoder.decode(chunk, { stream: true }));
      yield* drain();
    }
    parser.close();
  } catch (error) {
    if (error instanceof Error && error.name === 'AppError') throw error;
    throw importFault('文件已损坏或不是有效的 xlsx 文件', error);
  } finally {
    stream.destroy();
  }
  yield* drain();
}

/** Feeds a parser and gives what it found. */
export async function collect<T>(stream: Readable, parser: SaxesParser, found: T[]): Promise<readonly T[]> {
  for await (const _ of parsePart(stream, parser, () => []));
  return found;
}

/** The name without a namespace prefix: some programs write `x:row`. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
