import { addDays } from '#engine/values/dates.ts';
import { writtenDay } from '#engine/values/written-day.ts';
import { compareDecimals, isPlainDecimal, multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';

/** What holds of an HS code for a while. Rates in percent; `to` null: until further notice. */
export interface HsVersion {
  readonly code: string;
  readonly from: string;
  readonly to: string | null;
  readonly name: string;
  /** Code of the first legal unit; null where the library does not say. */
  readonly unit: string | null;
  readonly vatRate: string;
  readonly refundRate: string;
  readonly mark: string | null;
}

/** A line of the library that is not taken, and why. */
export interface HsFault {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

/** A version that is stored, with its id. */
export type KnownVersion = HsVersion & { readonly id: string };

/** What one version becomes: `before` null is a new one. */
export interface HsChange {
  readonly before: KnownVersion | null;
  readonly after: HsVersion;
}

/** Cells of a line by the header's names. */
export type LibraryRow = Readonly<Record<string, string>>;

/** The columns of the library, by the names that issuers give them. */
const COLUMNS = {
  code: ['商品代码', '商品编码', '代码', 'code'],
  name: ['商品名称', '名称', 'name'],
  unit: ['计量单位', '单位', '法定第一单位', 'unit'],
  vat: ['征税率', '增值税率', '征税税率', 'vat_rate'],
  refund: ['退税率', '出口退税率', 'refund_rate'],
  from: ['起始日期', '生效日期', '有效期起', 'valid_from'],
  to: ['截止日期', '失效日期', '有效期止', 'valid_to'],
  mark: ['特殊商品标识', '特殊标识', 'special_mark'],
} as const satisfies Record<string, readonly string[]>;

/** Columns that a library cannot do without and this one lacks; empty when it is one. */
export function missingColumns(header: readonly string[]): readonly string[] {
  const needed = ['code', 'name', 'vat', 'refund', 'from'] as const;
  return needed
    .filter((key) => !COLUMNS[key].some((name) => header.includes(name)))
    .map((key) => COLUMNS[key][0]);
}

/**
 * The versions that a refund-rate library says, and the lines that are left out: a code of another form, a day that the
 * calendar lacks, a rate that is none or above the VAT, an unknown unit, and every line of a code and first day that the
 * library says twice in different words. A line said twice in the same words counts once.
 *
 * @param unitOf the code of a unit by its name or code; null for an unknown one
 */
export function readLibrary(
  rows: readonly LibraryRow[],
  unitOf: (text: string) => string | null,
): { readonly versions: readonly HsVersion[]; readonly faults: readonly HsFault[] } {
  const faults: HsFault[] = [];
  const said = new Map<
    string,
    { readonly version: HsVersion; readonly lines: number[]; isDoubtful: boolean }
  >();
  for (const [place, row] of rows.entries()) {
    const line = place + 2;
    const read = readRow(row, unitOf);
    if (typeof read === 'string') {
      faults.push({ line, code: cell(row, 'code'), message: read });
      continue;
    }
    const key = `${read.code} ${read.from}`;
    const known = said.get(key);
    if (known === undefined) said.set(key, { version: read, lines: [line], isDoubtful: false });
    else {
      known.lines.push(line);
      known.isDoubtful ||= !isSame(known.version, read);
    }
  }
  const versions: HsVersion[] = [];
  for (const { version, lines, isDoubtful } of said.values())
    if (isDoubtful)
      for (const line of lines)
        faults.push({
          line,
          code: version.code,
          message: `同一编码、同一起始日期出现${lines.length}次且内容不同`,
        });
    else versions.push(version);
  const { kept, overlapping } = withoutOverlaps(versions);
  for (const { code, from } of overlapping)
    faults.push({
      line: said.get(`${code} ${from}`)?.lines[0] ?? 0,
      code,
      message: '有效期与文库中该编码的另一行重叠',
    });
  return { versions: kept, faults: faults.toSorted((a, b) => a.line - b.line) };
}

/**
 * What has to become of the stored versions so that the library's words hold on every day that it speaks of. A version
 * that begins earlier ends the day before; one that begins within takes the library's values; days that nothing is stored
 * of get a version of their own. What is right already is not among the changes.
 */
export function planVersions(
  known: readonly KnownVersion[],
  library: readonly HsVersion[],
): readonly HsChange[] {
  const stored = byCode(known);
  return [...byCode(library)].flatMap(([code, versions]) => changesOf(versions, stored.get(code) ?? []));
}

/** Whether two versions say the same; a library that names no unit leaves it open. */
export function isSame(a: HsVersion, b: HsVersion): boolean {
  return (
    a.from === b.from &&
    a.to === b.to &&
    a.name === b.name &&
    (a.unit === b.unit || b.unit === null) &&
    compareDecimals(a.vatRate, b.vatRate) === 0 &&
    compareDecimals(a.refundRate, b.refundRate) === 0 &&
    a.mark === b.mark
  );
}

/** Elements as customs list them (`1:品名;2:品牌类型` or one a line), separated by semicolons without their numbers. */
export function elementNames(text: string): string {
  return text
    .split(/[;；\n|]/)
    .map((part) => part.replace(/^\s*\d+\s*[:：.、]\s*/, '').trim())
    .filter((part) => part !== '')
    .join(';');
}

/** The text of a named column of a line; empty when there is none. */
function cell(row: LibraryRow, column: keyof typeof COLUMNS): string {
  const name = COLUMNS[column].find((one) => row[one] !== undefined);
  return name === undefined ? '' : (row[name] ?? '').trim();
}

function readRow(row: LibraryRow, unitOf: (text: string) => string | null): HsVersion | string {
  const code = cell(row, 'code');
  if (!/^\d{8}(\d{2})?$/.test(code)) return '编码应为8位或10位数字';
  const name = cell(row, 'name');
  if (name === '' || name.length > 200) return '商品名称应有1至200字';
  const from = writtenDay(cell(row, 'from'));
  if (from === null) return `起始日期“${cell(row, 'from')}”不是日期`;
  // Libraries write what has no end as the end of time.
  const end = cell(row, 'to').replace(/^9999.*$/, '');
  const until = end === '' ? null : writtenDay(end);
  if (end !== '' && until === null) return `截止日期“${end}”不是日期`;
  if (until !== null && until < from) return '截止日期早于起始日期';
  const vatRate = percent(cell(row, 'vat'));
  if (vatRate === null || !['0', '6', '9', '13'].includes(vatRate)) return '征税率应为0、6、9或13';
  const refundRate = percent(cell(row, 'refund'));
  if (refundRate === null) return `退税率“${cell(row, 'refund')}”不是税率`;
  if (compareDecimals(refundRate, vatRate) > 0) return '退税率高于征税率';
  const unitText = cell(row, 'unit');
  const unit = unitText === '' ? null : unitOf(unitText);
  if (unitText !== '' && unit === null) return `没有计量单位“${unitText}”`;
  const mark = cell(row, 'mark');
  if (mark.length > 10) return '特殊商品标识最多10字';
  const to = until !== null && until >= '2090-01-01' ? null : until;
  return { code, name, from, to, unit, vatRate, refundRate, mark: mark === '' ? null : mark };
}

/** `13`, `13%` and `0.13` are the same rate; null when it is none. */
function percent(text: string): string | null {
  const plain = text.replace(/%$/, '').trim();
  if (!isPlainDecimal(plain) || compareDecimals(plain, '0') < 0 || compareDecimals(plain, '100') > 0)
    return null;
  const isFraction =
    !text.endsWith('%') && compareDecimals(plain, '0') > 0 && compareDecimals(plain, '1') < 0;
  const rate = roundDecimal(isFraction ? multiplyDecimals(plain, '100') : plain, 4);
  return rate.replace(/\.?0+$/, '') === '' ? '0' : rate.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}

function withoutOverlaps(versions: readonly HsVersion[]): {
  readonly kept: readonly HsVersion[];
  readonly overlapping: readonly HsVersion[];
} {
  const kept: HsVersion[] = [];
  const overlapping: HsVersion[] = [];
  /** Where the last version of a code stands among the kept. */
  const last = new Map<string, number>();
  for (const version of versions.toSorted(byFrom)) {
    const place = last.get(version.code) ?? -1;
    const before = kept[place];
    // An open version ends where the next one begins; one with an end that reaches into the next contradicts it.
    if (before !== undefined && before.to !== null && before.to >= version.from) {
      overlapping.push(version);
      continue;
    }
    if (before !== undefined && before.to === null)
      kept[place] = { ...before, to: addDays(version.from, -1) };
    last.set(version.code, kept.push(version) - 1);
  }
  return { kept, overlapping };
}

/** A version of a code on the way to what it will be; `id` null: a new one. */
type Piece = HsVersion & { readonly id: string | null };

/** What becomes of the stored versions of one code, all that the library says of it taken together. */
function changesOf(versions: readonly HsVersion[], stored: readonly KnownVersion[]): readonly HsChange[] {
  let pieces: readonly Piece[] = stored;
  for (const version of versions.toSorted(byFrom)) pieces = withVersion(pieces, version);
  const before = new Map(stored.map((one) => [one.id, one]));
  return pieces.toSorted(byFrom).flatMap(({ id, ...after }): readonly HsChange[] => {
    const old = id === null ? undefined : before.get(id);
    if (old === undefined) return [{ before: null, after }];
    return isSame(old, after) ? [] : [{ before: old, after }];
  });
}

function withVersion(pieces: readonly Piece[], version: HsVersion): readonly Piece[] {
  const { from, to } = version;
  const isInside = (one: Piece): boolean => one.from >= from && (to === null || one.from <= to);
  const around = pieces
    .filter((one) => !isInside(one))
    .map((one) =>
      one.from < from && (one.to === null || one.to >= from) ? { ...one, to: addDays(from, -1) } : one,
    );
  const inside = pieces.filter(isInside).toSorted(byFrom);
  const [first] = inside;
  if (first === undefined) return [...around, { ...version, id: null }];
  const ahead = first.from > from ? [{ ...version, id: null, to: addDays(first.from, -1) }] : [];
  const taken = inside.map((one, place) => {
    const next = inside[place + 1];
    const until = next === undefined ? to : addDays(next.from, -1);
    return { ...version, id: one.id, unit: version.unit ?? one.unit, from: one.from, to: until };
  });
  return [...around, ...ahead, ...taken];
}

function byCode<T extends HsVersion>(versions: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const codes = new Map<string, T[]>();
  for (const version of versions) {
    const known = codes.get(version.code);
    if (known === undefined) codes.set(version.code, [version]);
    else known.push(version);
  }
  return codes;
}

function byFrom(a: HsVersion, b: HsVersion): number {
  return a.from < b.from ? -1 : Number(a.from > b.from);
}
