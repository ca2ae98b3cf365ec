import { Boot, type IButtonMenu, type IDomEditor, SlateTransforms } from '@wangeditor/editor';
import { customStyleMenu, paragraphMenu, spacingMenu } from './block-styles.ts';
import { historySize } from './history.ts';
import { PAGE_BREAK } from './insert-html.ts';
import { keptElement } from './kept-module.ts';
import { isInCell, isInTable, linkAt, unlink } from './places.ts';
import { addBeside, canMerge, mergeCells } from './table-shape.ts';
import { TOOL_ICONS } from './tool-icons.ts';
import { wordImages } from './word-images.ts';

/** What a tool opens; the editor tells of it by an event of this name. */
export const DIALOG_EVENT = 'richtextDialog';

export type DialogName = (typeof DIALOG_TOOLS)[number]['key'];

interface Tool {
  readonly key: string;
  readonly title: string;
  readonly icon: keyof typeof TOOL_ICONS;
  readonly hotkey?: string;
  /** Works without a caret in the text. */
  readonly isAlways?: boolean;
  readonly isActive?: (editor: IDomEditor) => boolean;
  readonly isDisabled?: (editor: IDomEditor) => boolean;
}

const DIALOG_TOOLS = [
  {
    key: 'link',
    title: '超链接',
    icon: 'link',
    hotkey: 'mod+k',
    isActive: (editor) => linkAt(editor) !== null,
  },
  { key: 'anchor', title: '锚点', icon: 'anchor' },
  { key: 'image', title: '图片', icon: 'image' },
  { key: 'attachment', title: '附件', icon: 'attachment' },
  { key: 'charts', title: '图表', icon: 'chart' },
  { key: 'special', title: '特殊字符', icon: 'special' },
  { key: 'video', title: '视频', icon: 'video' },
  { key: 'music', title: '音乐', icon: 'music' },
  { key: 'map', title: '百度地图', icon: 'map' },
  { key: 'secondMap', title: '高德地图', icon: 'map' },
  { key: 'frame', title: '框架', icon: 'frame' },
  { key: 'webApp', title: '网页应用', icon: 'webApp' },
  { key: 'scrawl', title: '涂鸦', icon: 'scrawl' },
  { key: 'screenCapture', title: '截屏', icon: 'screenCapture' },
  {
    key: 'wordImage',
    title: '图片转存',
    icon: 'wordImage',
    isDisabled: (editor) => wordImages(editor).length === 0,
  },
  { key: 'background', title: '背景', icon: 'background', isAlways: true },
  { key: 'search', title: '查找替换', icon: 'search', hotkey: 'mod+f', isAlways: true },
  { key: 'source', title: '源代码', icon: 'source', isAlways: true },
  { key: 'preview', title: '预览', icon: 'preview', isAlways: true },
  { key: 'help', title: '帮助', icon: 'help', isAlways: true },
  { key: 'clear', title: '清空文档', icon: 'clear', isAlways: true },
  { key: 'tableProperty', title: '表格属性', icon: 'table', isDisabled: (editor) => !isInTable(editor) },
  { key: 'cellProperty', title: '单元格属性', icon: 'cell', isDisabled: (editor) => !isInCell(editor) },
] as const satisfies readonly Tool[];

/** The toolbar, in the order of Word's own: history, styles, text, paragraph, insert, document. */
export const TOOLBAR_KEYS = [
  'richUndo', 'richRedo', 'formatPainter', 'clearStyle', '|',
  'paragraphKind', 'fontFamily', 'fontSize', 'lineHeight', 'rowSpacingTop', 'rowSpacingBottom', 'customStyle', '|',
  'bold', 'italic', 'underline', 'through', 'sub', 'sup', 'color', 'bgColor', '|',
  'bulletedList', 'numberedList', 'todo', 'indent', 'delIndent',
  'justifyLeft', 'justifyCenter', 'justifyRight', 'justifyJustify', '|',
  'dialog:link', 'richUnlink', 'dialog:image', 'dialog:wordImage', 'dialog:attachment', 'insertTable', 'dialog:charts', 'emotion', 'dialog:special',
  'blockquote', 'codeBlock', 'code', 'divider', 'pageBreak',
  {
    key: 'group:insert', title: '插入', iconSvg: TOOL_ICONS.more,
    menuKeys: ['dialog:video', 'dialog:music', 'dialog:map', 'dialog:secondMap', 'dialog:frame', 'dialog:webApp', 'dialog:scrawl', 'dialog:screenCapture', 'dialog:anchor', 'dialog:background'],
  }, '|',
  'dialog:search', 'dialog:source', 'dialog:preview', 'fullScreen', 'dialog:clear', 'dialog:help',
]; // prettier-ignore

const TABLE_SIDES = [
  { side: 'above', title: '在上方插入行', icon: 'rowAbove' },
  { side: 'below', title: '在下方插入行', icon: 'rowBelow' },
  { side: 'left', title: '在左侧插入列', icon: 'columnLeft' },
  { side: 'right', title: '在右侧插入列', icon: 'columnRight' },
] as const;

/** Tools over the table in which the caret stands. */
export const TABLE_BAR_KEYS = [
  'tableHeader', 'tableFullWidth', '|',
  'table:above', 'table:below', 'deleteTableRow', '|', 'table:left', 'table:right', 'deleteTableCol', '|',
  'table:merge', 'splitTableCell', '|', 'dialog:tableProperty', 'dialog:cellProperty', 'deleteTable',
]; // prettier-ignore

/** Makes the core know the tools here. Once a page: it keeps a global list. */
export function registerTools(): void {
  for (const tool of DIALOG_TOOLS)
    register(`dialog:${tool.key}`, tool, (editor) => editor.emit(DIALOG_EVENT, tool.key));
  register('pageBreak', { key: 'pageBreak', title: '分页符', icon: 'pageBreak' }, (editor) =>
    SlateTransforms.insertNodes(editor, [keptElement('kept-block', PAGE_BREAK)]),
  );
  register(
    'richUndo',
    {
      key: 'undo',
      // The core itself hears the keys of these two: as hotkeys of the tool they would go back twice.
      title: '撤销\nCtrl+Z',
      icon: 'undo',
      isDisabled: (editor) => historySize(editor).undos === 0,
      isAlways: true,
    },
    (editor) => editor.undo?.(),
  );
  register(
    'richRedo',
    {
      key: 'redo',
      title: '重做\nCtrl+Y',
      icon: 'redo',
      isDisabled: (editor) => historySize(editor).redos === 0,
      isAlways: true,
    },
    (editor) => editor.redo?.(),
  );
  for (const { side, title, icon } of TABLE_SIDES)
    register(
      `table:${side}`,
      { key: side, title, icon, isDisabled: (editor) => !isInCell(editor) },
      (editor) => addBeside(editor, side),
    );
  register(
    'table:merge',
    { key: 'merge', title: '合并单元格', icon: 'merge', isDisabled: (editor) => !canMerge(editor) },
    mergeCells,
  );
  register(
    'richUnlink',
    { key: 'unlink', title: '取消链接', icon: 'unlink', isDisabled: (editor) => linkAt(editor) === null },
    unlink,
  );
  Boot.registerMenu({ key: 'rowSpacingTop', factory: () => spacingMenu('rowSpacingTop') });
  Boot.registerMenu({ key: 'rowSpacingBottom', factory: () => spacingMenu('rowSpacingBottom') });
  Boot.registerMenu({ key: 'paragraphKind', factory: paragraphMenu });
  Boot.registerMenu({ key: 'customStyle', factory: customStyleMenu });
}

function register(key: string, tool: Tool, run: (editor: IDomEditor) => void): void {
  const menu: IButtonMenu = {
    title: tool.title,
    iconSvg: TOOL_ICONS[tool.icon],
    tag: 'button',
    ...(tool.hotkey === undefined ? {} : { hotkey: tool.hotkey }),
    // The core takes "always" before "disabled", so a tool that can be either says so itself.
    alwaysEnable: tool.isAlways === true && tool.isDisabled === undefined,
    getValue: () => '',
    isActive: (editor) => editor.selection !== null && tool.isActive?.(editor) === true,
    isDisabled: (editor) => tool.isDisabled?.(editor) === true,
    exec: run,
  };
  Boot.registerMenu({ key, factory: () => menu });
}
