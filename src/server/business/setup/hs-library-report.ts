import type { HsChange, HsFault, KnownVersion } from '#trade/hs-library.ts';

/** What a library would do, or did: for the report, line by line. */
export interface LibraryReport {
  readonly changes: readonly HsChange[];
  readonly elements: readonly ElementChange[];
  readonly faults: readonly HsFault[];
  /** Codes that are stored and that the library does not speak of; they stay as they are. */
  readonly unmentioned: number;
}

/** New declaration elements of a stored version. */
export interface ElementChange {
  readonly id: string;
  readonly code: string;
  readonly before: string | null;
  readonly after: string;
}

/** The report as a table that a spreadsheet opens. */
export function reportTable({ changes, elements, faults }: LibraryReport): string {
  const lines: (readonly string[])[] = [
    ['编码', '变化', '起始日期', '截止日期', '项目', '原值', '新值', '行号', '说明'],
  ];
  for (const { before, after } of changes) {
    const kind = before === null ? '新增' : before.to === after.to ? '更正' : '截止';
    const period = [after.from, after.to ?? ''];
    const told = differences(before, after);
    for (const [title, old, next] of told)
      lines.push([after.code, kind, ...period, title, old, next, '', '']);
  }
  for (const { code, before, after } of elements)
    lines.push([code, '要素', '', '', '申报要素', before ?? '', after, '', '']);
  for (const { line, code, message } of faults)
    lines.push([code, '未导入', '', '', '', '', '', String(line), message]);
  return `\uFEFF${lines.map((cells) => cells.map(quoted).join(',')).join('\r\n')}\r\n`;
}

function differences(
  before: KnownVersion | null,
  after: HsChange['after'],
): readonly (readonly [title: string, old: string, next: string])[] {
  const pairs = [
    ['商品名称', before?.name, after.name],
    ['法定第一单位', before?.unit, after.unit],
    ['征税率', before?.vatRate, after.vatRate],
    ['退税率', before?.refundRate, after.refundRate],
    ['特殊商品标识', before?.mark, after.mark],
    ['截止日期', before?.to, after.to],
  ] as const;
  return pairs
    .filter(([title, old, next]) => (before === null ? title === '退税率' : (old ?? '') !== (next ?? '')))
    .map(([title, old, next]) => [title, old ?? '', next ?? '']);
}

/** A cell that a spreadsheet shows as it is: no formula begins in it. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
