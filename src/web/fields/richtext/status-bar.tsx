import { type IDomEditor, SlateEditor, SlateElement, type SlatePath } from '@wangeditor/editor';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { richtextLength } from '#engine/fields/richtext.ts';
import { onDraftKept } from '#web/data/draft-events.ts';
import { READ_EVENT, readDocument } from './editor-content.ts';
import { type EditorOptions, wordCountText } from './editor-options.ts';
import type { FrameSize } from './frame-size.ts';
import { typeOf } from './places.ts';
import { wordImages } from './word-images.ts';

const DELAY_MS = 100;

interface StatusBarProps {
  readonly editor: IDomEditor | null;
  readonly options: EditorOptions;
  readonly frame: FrameSize;
  readonly onWordOverflow: ((count: number, maximum: number) => void) | undefined;
}

interface Shown {
  readonly steps: readonly Step[];
  readonly count: number;
  /** Pictures whose files are still on the author's disk. */
  readonly unsaved: number;
}

interface Step {
  readonly name: string;
  readonly path: SlatePath;
}

/**
 * Element path, what was just kept, word count, and the handle. Path and count are taken a moment after the last
 * change: typing never waits for them.
 */
export function StatusBar({ editor, options, frame, onWordOverflow }: StatusBarProps) {
  const [{ steps, count, unsaved }, setShown] = useState<Shown>({ steps: [], count: 0, unsaved: 0 });
  const overflow = useRef(onWordOverflow);
  overflow.current = onWordOverflow;
  const { maximumWords } = options;
  useEffect(() => {
    if (editor === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasOver = false;
    const read = () => {
      setShown((shown) => ({
        ...shown,
        steps: elementPath(editor),
        unsaved: wordImages(editor).length,
      }));
    };
    const count = (html: string) => {
      const now = richtextLength(html);
      setShown((shown) => ({ ...shown, count: now }));
      const isOver = now > maximumWords;
      if (isOver && !wasOver) overflow.current?.(now, maximumWords);
      wasOver = isOver;
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(read, DELAY_MS);
    };
    later();
    count(readDocument(editor));
    editor.on('change', later);
    editor.on(READ_EVENT, count);
    return () => {
      clearTimeout(timer);
      editor.off('change', later);
      editor.off(READ_EVENT, count);
    };
  }, [editor, maximumWords]);
  const isInTable = steps.some(({ name }) => name === '表格');
  return (
    <div className="richtext-status">
      {options.elementPathEnabled && editor !== null && (
        <nav aria-label="元素路径" className="richtext-path">
          元素路径：
          {steps.map(({ name, path }) => (
            <button key={path.join('.')} type="button" onClick={() => selectElement(editor, path)}>
              {name}
            </button>
          ))}
        </nav>
      )}
      <span className="richtext-tip">
        {unsaved > 0
          ? `还有${unsaved}张图片没有转存，请用「图片转存」选择文件`
          : isInTable
            ? 'Tab 到下一格，拖动边线改列宽，拖选几格后可合并'
            : ''}
      </span>
      <AutosaveMessage options={options} />
      {options.wordCount && (
        <span role="status" className={count > maximumWords ? 'richtext-overflow' : undefined}>
          {wordCountText(count, options)}
        </span>
      )}
      {options.scaleEnabled && <Handle frame={frame} options={options} />}
    </div>
  );
}

/** Says that the unsaved work was kept, a moment after it was (spec section 9). */
function AutosaveMessage({ options }: Pick<StatusBarProps, 'options'>) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hideLater = () => {
      setShown(true);
      timer = setTimeout(() => setShown(false), options.autosaveMessageTime);
    };
    const stop = onDraftKept(() => {
      clearTimeout(timer);
      timer = setTimeout(hideLater, options.autosaveMessageDelay);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [options]);
  return (
    <span role="status" className="richtext-saved">
      {isShown ? '已自动保存到本机' : ''}
    </span>
  );
}

const STEP = 20;

function Handle({ frame, options }: { readonly frame: FrameSize; readonly options: EditorOptions }) {
  const from = useRef<{
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  } | null>(null);
  const sizeNow = (element: Element) => {
    const root = element.closest('.richtext-editor');
    const area = root?.querySelector('.w-e-text-container');
    return { width: root?.clientWidth ?? 0, height: area?.clientHeight ?? frame.size.height };
  };
  const drag = (event: PointerEvent) => {
    if (from.current === null) return;
    const { x, y, width, height } = from.current;
    const isSideways = Math.abs(event.clientX - x) > 8;
    frame.resize(isSideways ? event.clientX - x : 0, event.clientY - y, { width, height });
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowDown: STEP, ArrowUp: -STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    frame.resize(0, by, sizeNow(event.currentTarget));
  };
  return (
    <div
      className="richtext-handle"
      role="separator"
      aria-label="调整编辑器大小"
      aria-orientation="horizontal"
      aria-valuenow={frame.size.height}
      aria-valuemin={options.minFrameHeight}
      tabIndex={0}
      title="拖动调整大小"
      onPointerDown={(event) => {
        from.current = { x: event.clientX, y: event.clientY, ...sizeNow(event.currentTarget) };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        from.current = null;
      }}
      onKeyDown={press}
    />
  );
}

const NAMES: Readonly<Record<string, string>> = {
  paragraph: '段落',
  'list-item': '列表项',
  blockquote: '引用',
  table: '表格',
  'table-row': '行',
  'table-cell': '单元格',
  link: '链接',
  image: '图片',
  pre: '代码块',
  code: '代码',
  divider: '分割线',
  todo: '待办',
  'kept-block': '原样内容',
  'kept-inline': '嵌入内容',
};

function elementPath(editor: IDomEditor): readonly Step[] {
  if (editor.selection === null) return [];
  return [...SlateEditor.levels(editor)].flatMap(([node, path]) =>
    SlateElement.isElement(node) ? [{ name: nameOf(typeOf(node)), path }] : [],
  );
}

function nameOf(type: string): string {
  return NAMES[type] ?? (type.startsWith('header') ? `标题${type.slice(6)}` : type);
}

function selectElement(editor: IDomEditor, path: SlatePath): void {
  editor.focus();
  editor.select(SlateEditor.range(editor, path));
}
