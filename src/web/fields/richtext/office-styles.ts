/** Styles of pasted HTML in the few words that the editor keeps; office programs say the same in many. */

/** Declarations by class, as a spreadsheet puts them in the head of what it copies. */
export function sheetStyles(html: string): ReadonlyMap<string, string> {
  const styles = new Map<string, string>();
  for (const [, sheet = ''] of html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/gi)) {
    const text = sheet.replace(/<!--|-->|\/\*[\s\S]*?\*\//g, '');
    for (const [, selectors = '', declarations = ''] of text.matchAll(/([^{}]+)\{([^}]*)\}/g))
      for (const selector of selectors.split(',')) {
        const name = /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1];
        if (name !== undefined) styles.set(name, `${styles.get(name) ?? ''}${declarations};`);
      }
  }
  return styles;
}

/** The element's declarations by name: of its class (cells only), its attributes and its style, the last one wins. */
export function declaredStyles(
  element: Element,
  sheet: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const isCell = element.localName === 'td' || element.localName === 'th';
  const ofClasses = isCell ? [...element.classList].map((name) => sheet.get(name) ?? '') : [];
  const ofAttributes = (
    [
      ['align', 'text-align'],
      ['valign', 'vertical-align'],
      ['bgcolor', 'background-color'],
    ] as const
  ).map(([attribute, name]) => {
    const value = element.getAttribute(attribute);
    return value === null ? '' : `${name}:${value}`;
  });
  const text = [...ofClasses, ...ofAttributes, element.getAttribute('style') ?? ''].join(';');
  const declared = new Map<string, string>();
  for (const declaration of text.split(';')) {
    const at = declaration.indexOf(':');
    if (at < 0) continue;
    const name = declaration.slice(0, at).trim().toLowerCase();
    const value = trimZeros(declaration.slice(at + 1).trim());
    if (name === 'background') {
      const color = /^(?:#[0-9a-f]{3,8}|rgb\([\d, ]+\)|[a-z]+)/i.exec(value)?.[0];
      if (color !== undefined) declared.set('background-color', color);
    } else declared.set(name, value);
  }
  return declared;
}

const KEPT = /^(?:color|background-color|font-size|text-align|text-indent|line-height|vertical-align)$/;
const ALIGNS = /^(?:left|center|right|justify)$/;

/** The style text that is kept of the declarations, for an element of this tag. */
export function keptStyle(tag: string, declared: ReadonlyMap<string, string>): string {
  return [...declared]
    .filter(([name, value]) => KEPT.test(name) && isPlain(tag, name, value))
    .map(([name, value]) => `${name}: ${value};`)
    .join(' ');
}

/** Tags of the marks that the declarations amount to, the outermost first. */
export function marksOf(declared: ReadonlyMap<string, string>): readonly string[] {
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
  if (value === '' || /windowtext|auto|initial|inherit|normal|none|transparent|mso-/i.test(value))
    return false;
  if (name === 'text-align') return ALIGNS.test(value) && tag !== 'span';
  if (name === 'vertical-align') return isCell && /^(?:top|middle|bottom)$/.test(value);
  if (name === 'font-size' || name === 'line-height') return !isCell;
  return name !== 'text-indent' || !value.startsWith('-');
}

function trimZeros(value: string): string {
  return value.replace(/(\d+)\.(\d*?)0+(?=[a-z%])/gi, (_all, whole: string, part: string) =>
    part === '' ? whole : `${whole}.${part}`,
  );
}
