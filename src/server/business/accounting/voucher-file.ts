import { encodeGbk } from '#server/kernel/encode-gbk.ts';

/** How an accounting package wants its vouchers. */
export interface VoucherFormat {
  readonly encoding: 'gbk' | 'utf8';
  readonly separator: ',' | '\t' | '|';
  readonly hasHeader: boolean;
  readonly dayForm: 'dash' | 'slash' | 'plain';
  readonly zeroAmount: 'empty' | 'zero';
  readonly columns: readonly { readonly title: string; readonly source: string; readonly value: string }[];
}

/** One entry with what its voucher says, by the names of a format's columns; amounts are decimal text. */
export type VoucherEntry = Readonly<Record<string, string>>;

const AMOUNTS: ReadonlySet<string> = new Set(['debit', 'credit', 'fc_amount']);

/** The bytes of a file with a row an entry. */
export function voucherFile(format: VoucherFormat, entries: readonly VoucherEntry[]): Buffer {
  const rows = entries.map((entry) => format.columns.map((column) => cellOf(format, column, entry)));
  const head = format.hasHeader ? [format.columns.map(({ title }) => title)] : [];
  const text = [...head, ...rows]
    .map((row) => row.map((cell) => quoted(cell, format.separator)).join(format.separator))
    .join('\r\n');
  const whole = `${text}\r\n`;
  return format.encoding === 'gbk' ? encodeGbk(whole) : Buffer.from(`\uFEFF${whole}`);
}

function cellOf(
  format: VoucherFormat,
  { source, value }: VoucherFormat['columns'][number],
  entry: VoucherEntry,
): string {
  if (source === 'fixed') return value;
  const given = entry[source] ?? '';
  if (source === 'voucher_date') return dayIn(given, format.dayForm);
  if (AMOUNTS.has(source) && (given === '' || /^-?0*(\.0*)?$/.test(given)))
    return format.zeroAmount === 'zero' ? '0.00' : '';
  return source === 'summary' || source === 'subject_name' ? harmless(given) : given;
}

function dayIn(day: string, form: VoucherFormat['dayForm']): string {
  const sign = { dash: '-', slash: '/', plain: '' }[form];
  return day.replaceAll('-', sign);
}

/** What a spreadsheet would take for a formula is text here. */
function harmless(text: string): string {
  return /^[=+\-@\t]/.test(text) ? `'${text}` : text;
}

function quoted(cell: string, separator: string): string {
  const plain = cell.replaceAll(/[\r\n]+/g, ' ');
  return plain.includes(separator) || plain.includes('"') ? `"${plain.replaceAll('"', '""')}"` : plain;
}
