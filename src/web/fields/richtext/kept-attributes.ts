/**
 * Attributes and styles that the editor's core has no place for travel through it as one mark on their element. The core
 * keeps the mark with its node, so the element stays editable; on the way out the mark becomes attributes again.
 */

/** Attribute name to value; `style` is the element's style as it was. Names with `#` are notes of other modules. */
export type KeptAttributes = Readonly<Record<string, string>>;

/** The mark on an element; on a list item also the one of its list. */
export const KEPT = 'data-kept';
export const KEPT_LIST = 'data-kept-list';

/** Takes marks that came from outside: only this module may write them. */
export function dropMarks(body: HTMLElement): void {
  for (const element of body.querySelectorAll('*'))
    for (const { name } of [...element.attributes])
      if (/^data-(?:kept|widths|w-e-)/.test(name)) element.removeAttribute(name);
}

/** Moves what is not held by the core from the element into its mark. */
export function markElement(element: HTMLElement, notes: KeptAttributes = {}): void {
  const kept = attributesOf(element);
  const names = [...element.attributes].map(({ name }) => name);
  const order = names.length > 1 && Object.keys(kept).length > 0 ? { '#order': names.join(' ') } : {};
  for (const name of Object.keys(kept)) if (name !== 'style') element.removeAttribute(name);
  const held = heldStyles(element.localName);
  for (const name of namesOf(element.style))
    if (!isHeldStyle(held, name, element.style.getPropertyValue(name))) element.style.removeProperty(name);
  if (element.style.length === 0) element.removeAttribute('style');
  const all = { ...kept, ...notes, ...order };
  if (Object.keys(all).length > 0) element.setAttribute(KEPT, JSON.stringify(all));
}

/** Attributes that the mark has to carry; those that the core writes itself are left out. */
function attributesOf(element: Element): KeptAttributes {
  const held = HELD_ATTRIBUTES[element.localName] ?? EMPTY;
  return Object.fromEntries(
    [...element.attributes].filter(({ name }) => !held.has(name)).map(({ name, value }) => [name, value]),
  );
}

/** Gives every marked element its attributes back and takes the marks away. */
export function restoreElements(body: HTMLElement): void {
  joinMarkedSpans(body);
  for (const element of body.querySelectorAll<HTMLElement>(`[${KEPT}]`)) {
    const kept = parseKept(element.getAttribute(KEPT));
    element.removeAttribute(KEPT);
    for (const [name, value] of Object.entries(kept))
      if (name !== 'style' && !name.startsWith('#') && !element.hasAttribute(name))
        element.setAttribute(name, value);
    restoreStyle(element, kept['style']);
    restoreOrder(element, kept['#order']);
  }
}

function restoreOrder(element: Element, order: string | undefined): void {
  if (order === undefined) return;
  const now = new Map([...element.attributes].map(({ name, value }) => [name, value]));
  for (const name of now.keys()) element.removeAttribute(name);
  for (const name of new Set([...order.split(' '), ...now.keys()])) {
    const value = now.get(name);
    if (value !== undefined) element.setAttribute(name, value);
  }
}

/** The attributes of a mark; none for text that is none of ours. */
export function parseKept(text: string | null | undefined): KeptAttributes {
  if (text === null || text === undefined || text === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return {};
    return Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

/** Text as it stood, when the core changed none of the styles that it knows; otherwise its styles and the others. */
function restoreStyle(element: HTMLElement, text: string | undefined): void {
  if (text === undefined) return;
  const loaded = document.createElement('span').style;
  loaded.cssText = text;
  const held = heldStyles(element.localName);
  const isSame = [...new Set([...namesOf(loaded), ...namesOf(element.style)])]
    .filter((name) => held.has(name))
    .every((name) => sameValue(loaded.getPropertyValue(name), element.style.getPropertyValue(name), name));
  if (isSame) {
    element.setAttribute('style', text);
    return;
  }
  for (const name of namesOf(loaded)) {
    const value = loaded.getPropertyValue(name);
    if (!isHeldStyle(held, name, value) && element.style.getPropertyValue(name) === '')
      element.style.setProperty(name, value, loaded.getPropertyPriority(name));
  }
}

/** A value that the core never took is the same as none. */
function sameValue(loaded: string, now: string, name: string): boolean {
  return loaded === now || (now === '' && !isHeldValue(name, loaded));
}

/**
 * A span of the author may come out as several, one for each change of marks, and with the core's own span inside.
 * Neighbours of one mark are joined; inner spans that agree give their style.
 */
function joinMarkedSpans(body: HTMLElement): void {
  for (const span of [...body.querySelectorAll<HTMLElement>(`span[${KEPT}]`)]) {
    const { previousSibling } = span;
    const isNext =
      previousSibling instanceof HTMLElement &&
      previousSibling.getAttribute(KEPT) === span.getAttribute(KEPT);
    if (!isNext || previousSibling.localName !== 'span') continue;
    span.prepend(...previousSibling.childNodes);
    previousSibling.remove();
  }
  for (const span of body.querySelectorAll<HTMLElement>(`span[${KEPT}]`)) {
    const style = commonStyle(span);
    if (style === null) continue;
    span.setAttribute('style', style);
    for (const inner of [...span.children]) inner.replaceWith(...inner.childNodes);
    span.normalize();
  }
}

/** The style of the spans that an element wholly consists of; null when they differ or something else is there. */
function commonStyle(element: Element): string | null {
  const styles = [...element.childNodes].map((node) =>
    node instanceof HTMLElement && node.localName === 'span' && node.attributes.length === 1
      ? node.getAttribute('style')
      : null,
  );
  return new Set(styles).size === 1 ? (styles[0] ?? null) : null;
}

/** Names of the declarations, shorthands in their parts. */
export function namesOf(style: CSSStyleDeclaration): readonly string[] {
  return Array.from({ length: style.length }, (_, index) => style.item(index));
}

const EMPTY: ReadonlySet<string> = new Set();

const BLOCK_STYLES = new Set(['text-align', 'line-height', 'text-indent', 'margin-top', 'margin-bottom']);
const CELL_STYLES = new Set(['text-align', 'background-color']);
const TABLE_STYLES = new Set(['width']);
const ROW_STYLES = new Set(['height']);
const TEXT_STYLES = new Set(['color', 'background-color', 'font-size', 'font-family']);

const HELD_ATTRIBUTES: Readonly<Record<string, ReadonlySet<string>>> = {
  a: new Set(['href', 'target', 'rel']),
  td: new Set(['colspan', 'rowspan']),
  th: new Set(['colspan', 'rowspan']),
};

function heldStyles(tag: string): ReadonlySet<string> {
  if (tag === 'span') return TEXT_STYLES;
  if (tag === 'td' || tag === 'th') return CELL_STYLES;
  if (tag === 'table') return TABLE_STYLES;
  if (tag === 'tr') return ROW_STYLES;
  return /^(?:p|h[1-6]|li|blockquote)$/.test(tag) ? BLOCK_STYLES : EMPTY;
}

function isHeldStyle(held: ReadonlySet<string>, name: string, value: string): boolean {
  return held.has(name) && isHeldValue(name, value);
}

/** The core takes an indent to the right, the line heights of its list, full tables and row heights in pixels only. */
function isHeldValue(name: string, value: string): boolean {
  if (name === 'text-indent') return Number.parseInt(value, 10) > 0;
  if (name === 'width') return value === '100%';
  if (name === 'height') return /^[1-9]\d*px$/.test(value);
  if (name === 'line-height') return /^(?:1|1\.5|1\.75|2|3|4|5)$/.test(value);
  return true;
}
