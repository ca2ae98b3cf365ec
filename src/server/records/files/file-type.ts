import { inflateSync } from 'node:zlib';

/** What a file is, told by its content and never by its name. */
export interface FileType {
  readonly mime: string;
  readonly extension: string;
  readonly isImage: boolean;
}

/** The type of a file's bytes; null for what is not taken (programs, pages, broken images). */
export function detectFileType(bytes: Buffer): FileType | null {
  const found = SIGNATURES.find(({ matches }) => matches(bytes));
  if (found !== undefined) return found.isSound?.(bytes) === false ? null : found.type;
  return isPlainText(bytes) ? TEXT : null;
}

interface Signature {
  readonly type: FileType;
  readonly matches: (bytes: Buffer) => boolean;
  /** Images are decoded as far as their structure goes. */
  readonly isSound?: (bytes: Buffer) => boolean;
}

/** Largest image taken apart, in pixels: more is a decompression bomb. */
const MAX_PIXELS = 100_000_000;

const image = (mime: string, extension: string): FileType => ({ mime, extension, isImage: true });
const other = (mime: string, extension: string): FileType => ({ mime, extension, isImage: false });
const TEXT = other('text/plain; charset=utf-8', 'txt');
/** The local header of an entry, and where its name and the length of that stand. */
const ZIP_ENTRY = '504b0304';
const ZIP_NAME_LENGTH = 26;
const ZIP_NAME = 30;
const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** Little and big endian. */
const TIFF = [starts('49492a00'), starts('4d4d002a')];

const SIGNATURES: readonly Signature[] = [
  { type: image('image/png', 'png'), matches: starts('89504e470d0a1a0a'), isSound: isSoundPng },
  { type: image('image/jpeg', 'jpg'), matches: starts('ffd8ff'), isSound: isSoundJpeg },
  {
    type: image('image/gif', 'gif'),
    matches: (bytes) => /^GIF8[79]a/.test(head(bytes, 6)),
    isSound: isSoundGif,
  },
  {
    type: image('image/webp', 'webp'),
    matches: (bytes) => head(bytes, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
    isSound: (bytes) => bytes.length >= 30 && bytes.readUInt32LE(4) + 8 <= bytes.length + 1,
  },
  {
    type: image('image/bmp', 'bmp'),
    matches: (bytes) =>
      head(bytes, 2) === 'BM' && bytes.length > 54 && bytes.readUInt32LE(2) === bytes.length,
  },
  {
    type: other('audio/wav', 'wav'),
    matches: (bytes) => head(bytes, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WAVE',
  },
  { type: other('audio/mpeg', 'mp3'), matches: isMp3 },
  { type: other('audio/ogg', 'ogg'), matches: (bytes) => head(bytes, 5) === 'OggS\0' },
  { type: other('audio/mp4', 'm4a'), matches: (bytes) => /^M4[AB] /.test(mp4Brand(bytes)) },
  {
    type: other('video/mp4', 'mp4'),
    matches: (bytes) => /^(?:isom|iso[2-9]|mp4[12]|avc1|M4V |dash)/.test(mp4Brand(bytes)),
  },
  {
    type: other('video/webm', 'webm'),
    matches: (bytes) => starts('1a45dfa3')(bytes) && bytes.subarray(0, 64).includes('webm'),
  },
  // Photographs of telephones, scans and drawings: browsers do not show them, so they are no images here.
  { type: other('image/heic', 'heic'), matches: (bytes) => /^(?:hei[cx]|mif1)/.test(mp4Brand(bytes)) },
  { type: other('image/tiff', 'tif'), matches: (bytes) => TIFF.some((mark) => mark(bytes)) },
  { type: other('image/vnd.dwg', 'dwg'), matches: (bytes) => /^AC10\d\d/.test(head(bytes, 6)) },
  { type: other('application/rtf', 'rtf'), matches: (bytes) => head(bytes, 6) === '{\\rtf1' },
  { type: other('application/pdf', 'pdf'), matches: (bytes) => head(bytes, 5) === '%PDF-' },
  { type: other(`${OFFICE}.wordprocessingml.document`, 'docx'), matches: isZipWith('word/') },
  { type: other(`${OFFICE}.spreadsheetml.sheet`, 'xlsx'), matches: isZipWith('xl/') },
  { type: other(`${OFFICE}.presentationml.presentation`, 'pptx'), matches: isZipWith('ppt/') },
  { type: other('application/ofd', 'ofd'), matches: isZipWith('OFD.xml') },
  { type: other('application/zip', 'zip'), matches: starts(ZIP_ENTRY) },
  { type: other('application/x-ole-storage', 'doc'), matches: starts('d0cf11e0a1b11ae1') },
  { type: other('application/vnd.rar', 'rar'), matches: starts('526172211a07') },
  { type: other('application/x-7z-compressed', '7z'), matches: starts('377abcaf271c') },
];

function starts(hex: string): (bytes: Buffer) => boolean {
  const prefix = Buffer.from(hex, 'hex');
  return (bytes) => bytes.subarray(0, prefix.length).equals(prefix);
}

function head(bytes: Buffer, length: number): string {
  return bytes.toString('latin1', 0, length);
}

/** A tag, or the first frame of MPEG-1 or -2, layer 3. */
function isMp3(bytes: Buffer): boolean {
  return head(bytes, 3) === 'ID3' || (bytes[0] === 0xff && [0xfb, 0xfa, 0xf3, 0xf2].includes(bytes[1] ?? 0));
}

/** The main brand of an ISO media file, empty for another file. */
function mp4Brand(bytes: Buffer): string {
  return bytes.toString('latin1', 4, 8) === 'ftyp' ? bytes.toString('latin1', 8, 12) : '';
}

/** A zip of which a local header names such an entry. What entries hold may read like a name: only headers are asked. */
function isZipWith(entry: string): (bytes: Buffer) => boolean {
  const header = Buffer.from(ZIP_ENTRY, 'hex');
  return (bytes) => {
    if (!starts(ZIP_ENTRY)(bytes)) return false;
    for (
      let at = 0;
      at >= 0 && at + ZIP_NAME <= bytes.length;
      at = bytes.indexOf(header, at + header.length)
    ) {
      const name = at + ZIP_NAME;
      const end = name + bytes.readUInt16LE(at + ZIP_NAME_LENGTH);
      if (bytes.toString('latin1', name, end).startsWith(entry)) return true;
    }
    return false;
  };
}

function isSoundPng(bytes: Buffer): boolean {
  if (bytes.length < 45 || bytes.toString('latin1', 12, 16) !== 'IHDR') return false;
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) return false;
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > bytes.length) return false;
    if (name === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length));
    if (name === 'IEND') return canInflate(Buffer.concat(data), width * height);
    at += 12 + length;
  }
  return false;
}

function canInflate(data: Buffer, pixels: number): boolean {
  try {
    return inflateSync(data, { maxOutputLength: pixels * 8 + 1_000_000 }).length > 0;
  } catch {
    return false;
  }
}

/** Walks the segments up to the picture data: there must be a frame with a size, and an end. */
function isSoundJpeg(bytes: Buffer): boolean {
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return false;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && at + 9 <= bytes.length) {
      const pixels = bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7);
      return pixels > 0 && pixels <= MAX_PIXELS && bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > at;
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return false;
}

function isSoundGif(bytes: Buffer): boolean {
  if (bytes.length < 14) return false;
  const pixels = bytes.readUInt16LE(6) * bytes.readUInt16LE(8);
  return pixels > 0 && pixels <= MAX_PIXELS && bytes.lastIndexOf(0x3b) > 12;
}

function isPlainText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  const text = decodeText(bytes);
  return text !== null && !/^\s*<(!doctype\s+html|html|svg|script|\?php)/i.test(text.slice(0, 1_000));
}

/** Text files of older Windows programs are GB18030. */
function decodeText(bytes: Buffer): string | null {
  for (const encoding of ['utf-8', 'gb18030'])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // The next encoding may fit.
    }
  return null;
}
