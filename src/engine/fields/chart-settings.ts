/** What a chart may be drawn as. The place in the list is the number in the attribute. */
export const CHART_TYPES = ['line', 'labelled_line', 'area', 'bar', 'column', 'pie'] as const;

export type ChartType = (typeof CHART_TYPES)[number];

/** The types as they are called on the screen. */
export const CHART_TITLES = {
  line: '折线图',
  labelled_line: '带数值的折线图',
  area: '面积图',
  bar: '条形图',
  column: '柱形图',
  pie: '饼图',
} as const satisfies Record<ChartType, string>;

/** How a table is drawn as a chart: what its `data-chart` attribute says. */
export interface ChartSettings {
  readonly chartType: ChartType;
  /** `row`: each row is a series and the first row names the points. `column`: the other way round. */
  readonly dataFormat: 'row' | 'column';
  readonly title: string;
  readonly subTitle: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** Unit behind each number. */
  readonly suffix: string;
  /** Name of the values in the hint of a pie chart. */
  readonly tip: string;
}

/** Most characters of a text of a chart. */
export const MAX_CHART_TEXT = 100;

/**
 * Reads a `data-chart` attribute: `key:value` pairs between semicolons, the later of two equal keys counts. What cannot
 * be understood has its default. Never throws.
 *
 * @example parseChart('chartType:5;title:出口额') // a pie chart, 出口额
 */
export function parseChart(text: string): ChartSettings {
  const settings = { ...DEFAULTS };
  for (const { key, value } of pairsOf(text)) {
    if (key === 'chartType') settings.chartType = CHART_TYPES[typeNumber(value) ?? 0] ?? 'line';
    else if (key === 'dataFormat') settings.dataFormat = formatOf(value) ?? 'column';
    else if (isTextKey(key)) settings[key] = oneLine(decode(value));
  }
  return settings;
}

/** What a table of that size is first drawn as: the longer side names the points. Both count their headings. */
export function newChart(rows: number, columns: number): ChartSettings {
  return { ...DEFAULTS, chartType: 'column', dataFormat: columns > rows ? 'row' : 'column' };
}

/**
 * Writes a `data-chart` attribute. The signs that part pairs, and those that could pass for markup, are percent-encoded;
 * line breaks become spaces.
 */
export function formatChart(settings: ChartSettings): string {
  return [
    ...TEXT_KEYS.map((key) => `${key}:${encode(oneLine(settings[key]))}`),
    `dataFormat:${settings.dataFormat === 'row' ? '1' : '-1'}`,
    `chartType:${CHART_TYPES.indexOf(settings.chartType)}`,
  ].join(';');
}

/** The attribute without what is unknown, too long or unsafe; unchanged when nothing is. */
export function cleanChart(text: string): string {
  const segments = text.split(';').filter((segment) => segment.trim() !== '');
  const clean = segments.flatMap((segment) => cleanPair(segment));
  const isClean = clean.length === segments.length && clean.every((pair, index) => pair === segments[index]);
  return isClean ? text : clean.join(';');
}

const TEXT_KEYS = ['title', 'subTitle', 'xTitle', 'yTitle', 'suffix', 'tip'] as const;

type TextKey = (typeof TEXT_KEYS)[number];

const DEFAULTS: { -readonly [Key in keyof ChartSettings]: ChartSettings[Key] } = {
  chartType: 'line',
  dataFormat: 'column',
  title: '',
  subTitle: '',
  xTitle: '',
  yTitle: '',
  suffix: '',
  tip: '',
};

interface Pair {
  readonly key: string;
  readonly value: string;
}

function pairsOf(text: string): readonly Pair[] {
  return text.split(';').flatMap((segment) => pairOf(segment) ?? []);
}

function pairOf(segment: string): Pair | null {
  const colon = segment.indexOf(':');
  return colon < 0 ? null : { key: segment.slice(0, colon).trim(), value: segment.slice(colon + 1) };
}

function cleanPair(segment: string): readonly string[] {
  const pair = pairOf(segment);
  if (pair === null) return [];
  if (pair.key === 'chartType') return typeNumber(pair.value) === null ? [] : [segment];
  if (pair.key === 'dataFormat') return formatOf(pair.value) === null ? [] : [segment];
  if (!isTextKey(pair.key)) return [];
  const read = decode(pair.value);
  const isPlain = read === oneLine(read) && !UNSAFE.test(pair.value);
  return [isPlain ? segment : `${pair.key}:${encode(oneLine(read))}`];
}

function isTextKey(key: string): key is TextKey {
  return TEXT_KEYS.some((known) => known === key);
}

/** Numbers as they are written, names for whoever writes the source by hand. */
function typeNumber(value: string): number | null {
  const text = value.trim().toLowerCase();
  const place = /^[0-5]$/.test(text) ? Number(text) : CHART_TYPES.findIndex((name) => name === text);
  return place < 0 ? null : place;
}

function formatOf(value: string): ChartSettings['dataFormat'] | null {
  const text = value.trim().toLowerCase();
  if (text === '1' || text === 'row') return 'row';
  return text === '-1' || text === 'column' ? 'column' : null;
}

const UNSAFE = /[<>]/;
const ENCODED = /[%;:<>]/g;

function encode(text: string): string {
  return text.replace(ENCODED, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Only what `encode` writes is read back: a percent sign that somebody typed stays one. */
function decode(text: string): string {
  return text.replace(/%(25|3[abce])/gi, (_sign, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Without control characters and broken characters, and not too long. */
function oneLine(text: string): string {
  const plain = text.replace(/\p{Cc}+/gu, ' ').replace(/\p{Surrogate}/gu, '');
  return plain.length <= MAX_CHART_TEXT ? plain : [...plain].slice(0, MAX_CHART_TEXT).join('');
}
