import { type IDomEditor, type IButtonMenu, SlateEditor, SlateElement } from '@wangeditor/editor';
import { keptOf } from './attribute-module.ts';
import { declarationsOf } from './declarations.ts';
import type { CustomStyle, EditorOptions } from './editor-options.ts';
import { parseKept } from './kept-attributes.ts';
import { setProperties } from './set-properties.ts';

/** Paragraph spacing, paragraph kinds and custom styles: menus that list what the options name. */

interface MenuOption {
  readonly value: string;
  readonly text: string;
  selected?: boolean;
}

/** A menu that lists values; the core shows the text of the one in force. */
export class ListMenu implements Omit<IButtonMenu, 'tag'> {
  readonly tag = 'select';
  readonly title: string;
  readonly width: number;
  private readonly kind: ListKind;
  constructor(kind: ListKind) {
    this.kind = kind;
    this.title = kind.title;
    this.width = kind.width;
  }

  getOptions(editor: IDomEditor): MenuOption[] {
    const current = this.getValue(editor);
    return this.kind.options(editor).map((option) => ({ ...option, selected: option.value === current }));
  }

  getValue(editor: IDomEditor): string {
    return editor.selection === null ? '' : this.kind.value(editor);
  }

  isActive(): boolean {
    return false;
  }

  isDisabled(editor: IDomEditor): boolean {
    return editor.selection === null || blocksAt(editor).length === 0;
  }

  exec(editor: IDomEditor, value: string | boolean): void {
    this.kind.set(editor, String(value));
  }
}

interface ListKind {
  readonly title: string;
  readonly width: number;
  readonly options: (editor: IDomEditor) => readonly MenuOption[];
  readonly value: (editor: IDomEditor) => string;
  readonly set: (editor: IDomEditor, value: string) => void;
}

/** Space above or below a paragraph. */
export function spacingMenu(key: 'rowSpacingTop' | 'rowSpacingBottom'): ListMenu {
  const [title, property] = key === 'rowSpacingTop' ? ['段前距', 'spaceTop'] : ['段后距', 'spaceBottom'];
  return new ListMenu({
    title,
    width: 76,
    options: (editor) => [
      { value: '', text: title },
      ...listOf<number>(editor, key).map((size) => ({ value: `${size}px`, text: `${size}px` })),
    ],
    value: (editor) => propertyOf(blocksAt(editor)[0], property),
    set: (editor, value) => setOnBlocks(editor, { [property]: value === '' ? undefined : value }),
  });
}

const KIND_TEXTS: Readonly<Record<string, string>> = {
  p: '正文',
  h1: '标题1',
  h2: '标题2',
  h3: '标题3',
  h4: '标题4',
  h5: '标题5',
  h6: '标题6',
};

/** Body text and headings. */
export function paragraphMenu(): ListMenu {
  return new ListMenu({
    title: '段落格式',
    width: 72,
    options: (editor) =>
      listOf<EditorOptions['paragraph'][number]>(editor, 'paragraphKind').map((tag) => ({
        value: TYPES[tag],
        text: KIND_TEXTS[tag] ?? tag,
      })),
    value: (editor) => {
      const type = propertyOf(blocksAt(editor)[0], 'type');
      return type.startsWith('header') ? type : 'paragraph';
    },
    set: (editor, value) => setOnBlocks(editor, { type: value }, /^(?:paragraph|header\d)$/),
  });
}

/** The author's styles; the first entry takes them off. */
export function customStyleMenu(): ListMenu {
  return new ListMenu({
    title: '自定义样式',
    width: 92,
    options: (editor) => [
      { value: '', text: '自定义样式' },
      ...stylesOf(editor).map(({ name, label }) => ({ value: name, text: label })),
    ],
    value: (editor) => {
      const marks = SlateEditor.marks(editor);
      const text = marks === null ? '' : keptOf(marks);
      const block = propertyOf(blocksAt(editor)[0], 'kept');
      const found = stylesOf(editor).find((style) => [text, block].includes(markOf(style)));
      return found?.name ?? '';
    },
    set: (editor, name) => {
      takeStylesOff(editor);
      const style = stylesOf(editor).find((candidate) => candidate.name === name);
      if (style === undefined) return;
      const own = { ...coreProperties(style), kept: markOf(style) };
      if (style.tag === 'span')
        for (const [key, value] of Object.entries(own)) SlateEditor.addMark(editor, key, value);
      else setOnBlocks(editor, { type: TYPES[style.tag], ...own }, /^(?:paragraph|header\d|blockquote)$/);
    },
  });
}

/** Takes the author's styles from the selected text, and from its blocks when they have one. */
function takeStylesOff(editor: IDomEditor): void {
  const marks = SlateEditor.marks(editor) ?? {};
  const block = propertyOf(blocksAt(editor)[0], 'kept');
  for (const style of stylesOf(editor)) {
    const none = Object.fromEntries(Object.keys(coreProperties(style)).map((key) => [key, undefined]));
    if (style.tag === 'span' && keptOf(marks) === markOf(style))
      for (const key of [...Object.keys(none), 'kept']) SlateEditor.removeMark(editor, key);
    if (style.tag !== 'span' && block === markOf(style)) setOnBlocks(editor, { ...none, kept: undefined });
  }
}

/** Declarations that the core has a property for; it writes them itself. */
const CORE_PROPERTIES: Readonly<Record<string, string>> = {
  color: 'color',
  'background-color': 'bgColor',
  'font-size': 'fontSize',
  'font-family': 'fontFamily',
  'text-align': 'textAlign',
  'line-height': 'lineHeight',
};

function coreProperties({ style, tag }: CustomStyle): Readonly<Record<string, string>> {
  const known = tag === 'span' ? /^(?:color|background-color|font-)/ : /^(?:text-align|line-height)$/;
  return Object.fromEntries(
    Object.entries(declarationsOf(style)).flatMap(([name, value]) => {
      const key = known.test(name) ? CORE_PROPERTIES[name] : undefined;
      return key === undefined ? [] : [[key, value]];
    }),
  );
}

const TYPES = {
  p: 'paragraph',
  h1: 'header1',
  h2: 'header2',
  h3: 'header3',
  h4: 'header4',
  h5: 'header5',
  h6: 'header6',
  blockquote: 'blockquote',
} as const;

function stylesOf(editor: IDomEditor): readonly CustomStyle[] {
  return listOf<CustomStyle>(editor, 'customStyle');
}

function markOf({ style, className }: CustomStyle): string {
  return JSON.stringify({ style, ...(className === undefined ? {} : { class: className }) });
}

/** Mark of a block with one attribute changed; undefined when nothing is left. */
export function withKept(kept: string, changes: Readonly<Record<string, string | null>>): string | undefined {
  const all = Object.entries({ ...parseKept(kept), ...changes }).filter((entry) => entry[1] !== null);
  return all.length === 0 ? undefined : JSON.stringify(Object.fromEntries(all));
}

/** The list that the options give a menu (`menuConfig`), by its key. */
function listOf<T>(editor: IDomEditor, key: string): readonly T[] {
  const config: { readonly list?: readonly T[]; readonly iconSvg?: string } = editor.getMenuConfig(key);
  return config.list ?? [];
}

const BLOCKS = /^(?:paragraph|header\d|blockquote|list-item)$/;

/** The paragraphs, headings, quotes and list items that the selection touches. */
function blocksAt(editor: IDomEditor): readonly SlateElement[] {
  if (editor.selection === null) return [];
  return [...SlateEditor.nodes(editor, { match: (node) => isBlock(node, BLOCKS), mode: 'highest' })].flatMap(
    ([node]) => (SlateElement.isElement(node) ? [node] : []),
  );
}

function isBlock(node: unknown, types: RegExp): boolean {
  return SlateElement.isElement(node) && types.test(propertyOf(node, 'type'));
}

function setOnBlocks(editor: IDomEditor, properties: Record<string, unknown>, types: RegExp = BLOCKS): void {
  setProperties(editor, properties, { match: (node) => isBlock(node, types), mode: 'highest' });
}

function propertyOf(node: object | undefined, name: string): string {
  if (node === undefined) return '';
  const value: unknown = Reflect.get(node, name);
  return typeof value === 'string' ? value : '';
}
