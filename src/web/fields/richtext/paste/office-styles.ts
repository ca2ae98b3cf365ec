import { pixelsOf, type Declarations, readDeclarations } from './style-text.ts';

/** Styles of pasted HTML in the few words that the editor keeps; office programs say the same in many. */

/** What a paragraph takes of its class: a heading's place, not the size that every line of the document has. */
const OF_PARAGRAPH_CLASS = /^(?:text-align|text-indent|margin-left)$/;

/** The element's declarations by name: of its class, its attributes and its style, the last one wins. */
export function declaredStyles(element: Element, rules: ReadonlyMap<string, Declarations>): Declarations {
  const { localName } = element;
  const isCell = localName === 'td' || localName === 'th';
  const isParagraph = /^(?:p|h\d)$/.test(localName);
  const declared = new Map<string, string>();
  for (const name of element.classList)
    for (const [key, value] of [
      ...(rules.get(`.${name}`) ?? []),
      ...(rules.get(`${localName}.${name}`) ?? []),
    ])
      if (isCell || (isParagraph && OF_PARAGRAPH_CLASS.test(key) && value !== 'justify'))
        declared.set(key, value);
  for (const [attribute, name] of [
    ['align', 'text-align'],
    ['valign', 'vertical-align'],
    ['bgcolor', 'background-color'],
    ['color', 'color'],
    ['face', 'font-family'],
  ] as const) {
    const value = element.getAttribute(attribute);
    if (value !== null) declared.set(name, value);
  }
  const size = localName === 'font' ? FONT_SIZES[Number(element.getAttribute('size') ?? 0)] : undefined;
  if (size !== undefined) declared.set('font-size', `${size}px`);
  for (const [name, value] of readDeclarations(element.getAttribute('style') ?? ''))
    declared.set(name, value);
  return plain(declared);
}

/** What `<font size=5>` means. */
const FONT_SIZES = [undefined, 10, 13, 16, 18, 24, 32, 48] as const;

/** Shorthands in their parts, numbers without the zeros behind that WPS writes. */
function plain(declared: Declarations): Declarations {
  const all = new Map<string, string>();
  for (const [name, value] of declared) {
    const text = trimZeros(value);
    if (name === 'background') {
      const color = /^(?:#[0-9a-f]{3,8}|rgb\([\d, ]+\)|[a-z]+)/i.exec(text)?.[0];
      if (color !== undefined) all.set('background-color', color);
    } else if (name === 'margin') {
      const sides = text.split(/\s+/);
      const left = sides[3] ?? sides[1] ?? sides[0];
      if (left !== undefined) all.set('margin-left', left);
    } else all.set(name, text);
  }
  return all;
}

const KEPT =
  /^(?:color|background-color|font-size|font-family|text-align|text-indent|line-height|vertical-align|margin-left|margin-top|margin-bottom)$/;
const ALIGNS = /^(?:left|center|right|justify)$/;

/** The style text that is kept of the declarations, for an element of this tag. */
export function keptStyle(tag: string, declared: Declarations): string {
  const hasIndent = (pixelsOf(declared.get('margin-left')) ?? 0) > 0;
  return [...declared]
    .flatMap(([name, value]) => {
      if (!KEPT.test(name) || !isPlain(tag, name, value)) return [];
      if (name === 'text-indent' && value.startsWith('-') && !hasIndent) return [];
      if (!name.startsWith('margin-')) return [[name, name === 'font-family' ? familyOf(value) : value]];
      const px = pixelsOf(value) ?? 0;
      return px >= LEAST_SPACE_PX ? [[name, `${px}px`]] : [];
    })
    .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value};`]))
    .join(' ');
}

/** Less is none: Word writes `margin-bottom:.0001pt`. */
const LEAST_SPACE_PX = 3;

/** Fonts of the menu by the names that documents call them. */
const FAMILIES: Readonly<Record<string, string>> = {
  宋体: 'SimSun',
  新宋体: 'SimSun',
  simsun: 'SimSun',
  nsimsun: 'SimSun',
  黑体: 'SimHei',
  simhei: 'SimHei',
  楷体: 'KaiTi',
  楷体_gb2312: 'KaiTi',
  kaiti: 'KaiTi',
  仿宋: 'FangSong',
  仿宋_gb2312: 'FangSong',
  fangsong: 'FangSong',
  微软雅黑: '"Microsoft YaHei"',
  'microsoft yahei': '"Microsoft YaHei"',
  arial: 'Arial',
  helvetica: 'Arial',
  'times new roman': '"Times New Roman"',
  times: '"Times New Roman"',
  'courier new': '"Courier New"',
  courier: '"Courier New"',
};
/** What text is written in when nobody chooses, and fonts of signs: nobody misses them. */
const PLAIN_FAMILY =
  /^(?:等线|dengxian|calibri|cambria|aptos|segoe ui|tahoma|verdana|pingfang sc|-apple-system|system-ui|blinkmacsystemfont|sans-serif|serif|monospace|inherit|initial|wingdings.*|symbol|cambria math|et-.*|宋体-.*|)$/;

function familyOf(value: string): string | null {
  return FAMILIES[firstFamily(value)] ?? null;
}

function firstFamily(value: string): string {
  const [first = ''] = value.split(',');
  return first.replace(/["']/g, '').trim().toLowerCase();
}

/** The font of these declarations where the author chose one that the editor has not; null for any other. */
export function missingFamily(declared: Declarations): string | null {
  const family = firstFamily(declared.get('font-family') ?? '');
  return family in FAMILIES || PLAIN_FAMILY.test(family) ? null : family;
}

/** Tags of the marks that the declarations amount to, the outermost first. */
export function marksOf(declared: Declarations): readonly string[] {
  const weight = declared.get('font-weight') ?? '';
  const decoration = `${declared.get('text-decoration') ?? ''} ${declared.get('text-decoration-line') ?? ''}`;
  return [
    ...(decoration.includes('underline') ? ['u'] : []),
    ...(decoration.includes('line-through') ? ['s'] : []),
    ...(/^(?:italic|oblique)$/.test(declared.get('font-style') ?? '') ? ['em'] : []),
    ...(weight === 'bold' || weight === 'bolder' || Number(weight) >= 600 ? ['strong'] : []),
  ];
}

function isPlain(tag: string, name: string, value: string): boolean {
  const isCell = tag === 'td' || tag === 'th';
  const isBlock = /^(?:p|h\d)$/.test(tag);
  if (value === '' || /windowtext|auto|initial|inherit|normal|none|transparent|mso-/i.test(value))
    return false;
  if (name === 'text-align') return ALIGNS.test(value) && tag !== 'span';
  if (name === 'vertical-align') return isCell && /^(?:top|middle|bottom)$/.test(value);
  if (name === 'font-family') return tag === 'span';
  if (name.startsWith('margin-')) return isBlock;
  if (name === 'text-indent') return isBlock && !/^0(?:\D|$)/.test(value);
  return (name !== 'font-size' && name !== 'line-height') || !isCell;
}

function trimZeros(value: string): string {
  return value.replace(/(\d+)\.(\d*?)0+(?=[a-z%])/gi, (_all, whole: string, part: string) =>
    part === '' ? whole : `${whole}.${part}`,
  );
}
