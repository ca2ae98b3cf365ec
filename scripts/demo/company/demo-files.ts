import { crc32, deflateSync } from 'node:zlib';
import type { Dice } from './random.ts';

const WIDTH = 120;
const HEIGHT = 80;

/** A small picture: a frame on paper with coloured bars, another one for every throw. */
export function demoPicture(roll: Dice): Buffer {
  const ink = [roll.between(40, 200), roll.between(40, 200), roll.between(40, 200)];
  const rows = Buffer.alloc((WIDTH * 3 + 1) * HEIGHT, 0xf5);
  for (let y = 0; y < HEIGHT; y += 1) {
    rows[y * (WIDTH * 3 + 1)] = 0;
    for (let x = 0; x < WIDTH; x += 1) {
      const isFrame = x < 3 || y < 3 || x >= WIDTH - 3 || y >= HEIGHT - 3;
      const isLine = y % 12 > 7 && x > 12 && x < 40 + ((y * 7) % 60);
      if (!isFrame && !isLine) continue;
      const at = y * (WIDTH * 3 + 1) + 1 + x * 3;
      for (const [part, value] of ink.entries()) rows[at + part] = value;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A page of PDF with some lines of Latin text. */
export function demoPdf(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${line.replaceAll(/[^\x20-\x7e]|[()\\]/g, ' ')}) Tj T*`).join('\n');
  const stream = `BT /F1 12 Tf 16 TL 60 780 Td\n${text}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(body.length);
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`,
    'latin1',
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
