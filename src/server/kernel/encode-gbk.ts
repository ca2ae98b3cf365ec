/**
 * Text in the encoding of Chinese office programs (GBK). The platform only reads it, so the table is the reader turned
 * round; what it does not hold becomes a question mark, as those programs do.
 */
export function encodeGbk(text: string): Buffer {
  const table = gbkTable();
  const bytes: number[] = [];
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    const pair = table.get(sign);
    if (code < 0x80) bytes.push(code);
    else if (pair === undefined) bytes.push(QUESTION_MARK);
    else bytes.push(pair >> 8, pair & 0xff);
  }
  return Buffer.from(bytes);
}

const QUESTION_MARK = 0x3f;
let table: ReadonlyMap<string, number> | null = null;

function gbkTable(): ReadonlyMap<string, number> {
  if (table !== null) return table;
  const decoder = new TextDecoder('gbk');
  const made = new Map<string, number>();
  for (let lead = 0x81; lead <= 0xfe; lead += 1)
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      if (trail === 0x7f) continue;
      const sign = decoder.decode(Uint8Array.of(lead, trail));
      if ([...sign].length === 1 && sign !== '�' && !made.has(sign)) made.set(sign, (lead << 8) | trail);
    }
  table = made;
  return made;
}
