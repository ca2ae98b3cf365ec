/** A style of the author's own: a kind of paragraph, or of text when its tag is `span`. */
export interface CustomStyle {
  /** What the menu shows. */
  readonly label: string;
  /** Unique in the menu. */
  readonly name: string;
  /** CSS declarations. */
  readonly style: string;
  readonly className?: string;
  readonly tag: 'p' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'blockquote' | 'span';
}

/** One entry of the font menu. */
export interface FontFamily {
  readonly label: string;
  /** CSS font-family. */
  readonly value: string;
}

/** Options of the editor (spec sections 3 and 9). Lengths in pixels, times in milliseconds. */
export interface EditorOptions {
  /** Shows the word count. */
  readonly wordCount: boolean;
  readonly maximumWords: number;
  /** `{count}` and `{leave}` are filled in. */
  readonly wordCountMsg: string;
  /** `{count}` and `{over}` are filled in. */
  readonly wordOverFlowMsg: string;
  /** Null: as wide as its place. */
  readonly initialFrameWidth: number | null;
  readonly initialFrameHeight: number;
  readonly minFrameWidth: number;
  readonly minFrameHeight: number;
  /** Of the editor when it fills the screen. */
  readonly zIndex: number;
  /** Adds the class `richtext-theme-NAME`. */
  readonly theme: string;
  /** Titles of tools by their key, in place of the usual ones. */
  readonly labelMap: Readonly<Record<string, string>>;
  readonly fontfamily: readonly FontFamily[];
  readonly fontsize: readonly number[];
  /** Paragraph kinds offered, by tag. */
  readonly paragraph: readonly ('p' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6')[];
  readonly customstyle: readonly CustomStyle[];
  readonly lineheight: readonly string[];
  readonly rowspacingtop: readonly number[];
  readonly rowspacingbottom: readonly number[];
  /** Languages of code blocks: name by key. */
  readonly insertcode: Readonly<Record<string, string>>;
  /** Offers size and place of a picture that is clicked. */
  readonly imagePopup: boolean;
  /** Shows the handle that changes the height. */
  readonly scaleEnabled: boolean;
  readonly elementPathEnabled: boolean;
  /** Space above the toolbar while it stays in view. */
  readonly topOffset: number;
  /** Grows with its content. */
  readonly autoHeightEnabled: boolean;
  readonly autoHeightPadding: number;
  readonly maxUndoCount: number;
  /** Inputs after which a state to come back to is kept. */
  readonly maxInputCount: number;
  /** Spaces that Tab puts into text and code. */
  readonly tabSize: number;
  /** Of each level of a list. */
  readonly listIndent: number;
  readonly videoWidth: number;
  readonly videoHeight: number;
  readonly submenuShowDelay: number;
  readonly submenuHideDelay: number;
  /** How long messages of the editor stand. */
  readonly messageTime: number;
  readonly autosaveMessageTime: number;
  readonly autosaveMessageDelay: number;
  readonly resizeDebounce: number;
}

const SPACES = [5, 10, 15, 20, 25] as const;

/** The defaults of spec section 9; what it leaves open suits a form of this product. */
export const EDITOR_DEFAULTS = {
  wordCount: true,
  maximumWords: 10_000,
  wordCountMsg: '当前已输入{count}个字，还可以输入{leave}个字',
  wordOverFlowMsg: '字数超出最大允许值，已超出{over}个字',
  initialFrameWidth: null,
  initialFrameHeight: 260,
  minFrameWidth: 320,
  minFrameHeight: 120,
  zIndex: 900,
  theme: 'default',
  labelMap: {},
  fontfamily: [
    { label: '宋体', value: 'SimSun' },
    { label: '黑体', value: 'SimHei' },
    { label: '楷体', value: 'KaiTi' },
    { label: '仿宋', value: 'FangSong' },
    { label: '微软雅黑', value: 'Microsoft YaHei' },
    { label: 'Arial', value: 'Arial' },
    { label: 'Times New Roman', value: 'Times New Roman' },
    { label: 'Courier New', value: 'Courier New' },
  ],
  fontsize: [10, 11, 12, 14, 16, 18, 20, 24, 36],
  paragraph: ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  customstyle: [
    {
      tag: 'h1',
      name: 'tc',
      label: '居中标题',
      style: 'border-bottom: 2px solid rgb(204, 204, 204); text-align: center;',
    },
    {
      tag: 'h1',
      name: 'tl',
      label: '居左标题',
      style: 'border-bottom: 2px solid rgb(204, 204, 204); text-align: left;',
    },
    {
      tag: 'p',
      name: 'note',
      label: '提示段',
      style: 'padding: 8px 12px; background-color: rgb(255, 247, 230);',
    },
    { tag: 'span', name: 'im', label: '强调', style: 'font-weight: bold; color: rgb(200, 29, 37);' },
    {
      tag: 'span',
      name: 'hi',
      label: '明显强调',
      style: 'font-weight: bold; background-color: rgb(255, 241, 118);',
    },
  ],
  lineheight: ['1', '1.5', '1.75', '2', '3', '4', '5'],
  rowspacingtop: SPACES,
  rowspacingbottom: SPACES,
  insertcode: {
    plaintext: '纯文本',
    css: 'CSS',
    html: 'HTML',
    xml: 'XML',
    javascript: 'JavaScript',
    typescript: 'TypeScript',
    java: 'Java',
    python: 'Python',
    sql: 'SQL',
    json: 'JSON',
    bash: 'Bash',
  },
  imagePopup: true,
  scaleEnabled: true,
  elementPathEnabled: true,
  topOffset: 0,
  autoHeightEnabled: true,
  autoHeightPadding: 25,
  maxUndoCount: 20,
  maxInputCount: 20,
  tabSize: 4,
  listIndent: 20,
  videoWidth: 420,
  videoHeight: 280,
  submenuShowDelay: 250,
  submenuHideDelay: 400,
  messageTime: 4000,
  autosaveMessageTime: 2000,
  autosaveMessageDelay: 2000,
  resizeDebounce: 100,
} as const satisfies EditorOptions;

/** The line under the editor: what is there and what remains, or by how much the maximum is passed. */
export function wordCountText(
  count: number,
  options: Pick<EditorOptions, 'maximumWords' | 'wordCountMsg' | 'wordOverFlowMsg'> = EDITOR_DEFAULTS,
): string {
  const { maximumWords } = options;
  const text = count > maximumWords ? options.wordOverFlowMsg : options.wordCountMsg;
  return text
    .replace('{count}', String(count))
    .replace('{leave}', String(maximumWords - count))
    .replace('{over}', String(count - maximumWords));
}

/** The options in the words of the core and of the menus here, which read them by menu key. */
export function menuConfig(options: EditorOptions = EDITOR_DEFAULTS): Record<string, object> {
  return {
    fontSize: { fontSizeList: options.fontsize.map((size) => `${size}px`) },
    fontFamily: {
      fontFamilyList: options.fontfamily.map(({ label, value }) => ({ name: label, value })),
    },
    lineHeight: { lineHeightList: [...options.lineheight] },
    codeSelectLang: {
      codeLangs: Object.entries(options.insertcode).map(([value, text]) => ({ text, value })),
    },
    rowSpacingTop: { list: options.rowspacingtop },
    rowSpacingBottom: { list: options.rowspacingbottom },
    paragraphKind: { list: options.paragraph },
    customStyle: { list: options.customstyle },
  };
}
