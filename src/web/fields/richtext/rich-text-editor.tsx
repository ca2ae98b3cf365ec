import '@wangeditor/editor/dist/css/style.css';
import './rich-text-editor.css';
import type { IDomEditor } from '@wangeditor/editor';
import { Editor, Toolbar } from '@wangeditor/editor-for-react';
import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';
import { Bubbles } from './bubbles.tsx';
import { loadableHtml, openBackground, READ_EVENT, readDocument } from './editor-content.ts';
import type { EditorFiles } from './editor-files.ts';
import { setTabSize } from './edges.ts';
import { EDITOR_DEFAULTS, type EditorOptions, menuConfig } from './editor-options.ts';
import { useFrameSize } from './frame-size.ts';
import { type EditorState, limitHistory, stateOf, takeState } from './history.ts';
import { registerEditorModules } from './register-modules.ts';
import { StatusBar } from './status-bar.tsx';
import { runTextKey } from './text-keys.ts';
import { labelTools, moveAmongTools } from './tool-keys.ts';
import { TABLE_BAR_KEYS, TOOLBAR_KEYS } from './tools.ts';
import { ToolDialogs } from './tool-dialogs.tsx';
import { useIncoming } from './use-incoming.ts';

registerEditorModules();

export interface RichTextEditorProps extends Partial<EditorOptions> {
  /** Read out where the field's title is not heard. */
  readonly label: string;
  /** The document to begin with; to show another one, mount anew by key. */
  readonly html: string;
  /** The document as it is to be stored, null when empty. */
  readonly onChange: (html: string | null) => void;
  readonly onBlur?: (() => void) | undefined;
  /** Left by an editor that went, and to be left by this one: its document with the steps that can be undone. */
  readonly state?: RefObject<EditorState | null>;
  /** Where pictures and attachments go; null where none may be added. */
  readonly files: EditorFiles | null;
  /** The text is longer than `maximumWords`; typing goes on. */
  readonly onWordOverflow?: (count: number, maximum: number) => void;
}

/** Reading a long document takes longer than a key may: the form hears of changes a moment later. */
const CHANGE_DELAY_MS = 200;

/**
 * The rich-text editor. Its content is set once, when it appears: replacing it later through the core's wrapper
 * corrupts content that starts with a table.
 */
export function RichTextEditor(props: RichTextEditorProps) {
  const [options] = useState<EditorOptions>(() => ({ ...EDITOR_DEFAULTS, ...props }));
  const [editor, setEditor] = useState<IDomEditor | null>(null);
  const [initial] = useState(() => loadableHtml(props.html));
  const frame = useFrameSize(options);
  const [left] = useState(() => props.state?.current ?? null);
  const changes = useChanges(editor, props.onChange, props.state);
  const incoming = useIncoming(props.files, options.messageTime);
  const root = useRef<HTMLDivElement>(null);
  const [areAllShown, setAllShown] = useState(false);
  useEffect(() => {
    if (editor === null || root.current === null) return;
    return labelTools(root.current, options.labelMap);
  }, [editor, options]);
  return (
    <div
      ref={root}
      className={`richtext-editor richtext-theme-${options.theme}${areAllShown ? '' : ' is-brief'}`}
      role="group"
      aria-label={props.label}
      style={frameStyle(options, frame.size)}
      // The core tells of a lost focus a moment late: a click on save would come before it.
      onBlur={() => changes.flush()}
      onDropCapture={(event) => editor !== null && incoming.drop(editor, event)}
      onKeyDownCapture={(event) => {
        if (event.ctrlKey || event.metaKey) changes.flush();
        moveAmongTools(event);
        if (editor !== null) runTextKey(editor, event);
      }}
      onKeyDown={(event) => editor !== null && runShortcut(editor, event)}
    >
      <Toolbar editor={editor} defaultConfig={TOOLBAR} mode="simple" />
      <button
        type="button"
        className="richtext-more link-button"
        aria-expanded={areAllShown}
        onClick={() => setAllShown(!areAllShown)}
      >
        {areAllShown ? '收起工具' : '全部工具'}
      </button>
      <Editor
        className={frame.isGrowing ? 'richtext-grows' : 'richtext-fixed'}
        defaultHtml={initial}
        defaultConfig={{
          placeholder: '',
          // The editor comes late: what is typed meanwhile belongs to the field that has the caret.
          autoFocus: false,
          scroll: true,
          MENU_CONF: menuConfig(options),
          hoverbarKeys: HOVER_BARS,
          onBlur: () => {
            changes.flush();
            props.onBlur?.();
          },
          customPaste: (target, event) => !incoming.paste(target, event),
        }}
        mode="simple"
        onCreated={(created) => {
          limitHistory(created, { states: options.maxUndoCount, inputs: options.maxInputCount });
          setTabSize(created, options.tabSize);
          openBackground(created, props.html);
          if (left !== null) takeState(created, left);
          setEditor(created);
        }}
        onChange={changes.later}
      />
      <StatusBar editor={editor} options={options} frame={frame} onWordOverflow={props.onWordOverflow} />
      {editor !== null && (
        <>
          <ToolDialogs editor={editor} files={props.files} onChanged={changes.later} />
          <Bubbles editor={editor} options={options} root={root} />
        </>
      )}
    </div>
  );
}

const TOOLBAR = { toolbarKeys: TOOLBAR_KEYS };
/** Links have a bubble of their own here. */
const HOVER_BARS = {
  link: { match: () => false, menuKeys: [] },
  table: { menuKeys: TABLE_BAR_KEYS },
  pre: { menuKeys: ['enter', 'codeBlock', 'codeSelectLang'] },
};

/** What the style sheet reads of the options. */
function frameStyle(
  options: EditorOptions,
  size: { readonly width: number | null; readonly height: number },
): CSSProperties {
  return Object.assign<CSSProperties, object>(
    size.width === null ? {} : { width: size.width, maxWidth: '100%' },
    {
      '--richtext-height': `${size.height}px`,
      '--richtext-padding': `${options.autoHeightPadding}px`,
      '--richtext-top': `${options.topOffset}px`,
      '--richtext-indent': `${options.listIndent}px`,
      '--richtext-z': String(options.zIndex),
      '--richtext-show': `${options.submenuShowDelay}ms`,
      '--richtext-hide': `${options.submenuHideDelay}ms`,
    },
  );
}

/** Escape leaves an open list, then the full screen; Alt+Z fills the screen; Ctrl+K and Ctrl+F open what office programs open with them. */
function runShortcut(editor: IDomEditor, event: React.KeyboardEvent<HTMLElement>): void {
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  if (event.key === 'Escape') {
    if (!leave(editor, event.currentTarget)) return;
  } else if (event.altKey && event.code === 'KeyZ') {
    if (editor.isFullScreen) editor.unFullScreen();
    else editor.fullScreen();
  } else if (isCommand && event.code === 'KeyK') editor.emit('richtextDialog', 'link');
  else if (isCommand && event.code === 'KeyF') editor.emit('richtextDialog', 'search');
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Closes what is open; false when nothing is. */
function leave(editor: IDomEditor, root: HTMLElement): boolean {
  const open = [...root.querySelectorAll<HTMLElement>('.w-e-select-list, .w-e-drop-panel, .w-e-modal')];
  if (open.some((panel) => panel.offsetParent !== null)) editor.hidePanelOrModal();
  else if (editor.isFullScreen) editor.unFullScreen();
  else return false;
  return true;
}

/** Tells the form what the document is: a moment after the last change, at once when `flush` is called or it goes. */
function useChanges(
  editor: IDomEditor | null,
  onChange: RichTextEditorProps['onChange'],
  left: RichTextEditorProps['state'],
) {
  const change = useRef(onChange);
  change.current = onChange;
  const state = useRef<{ timer: ReturnType<typeof setTimeout> | undefined; last: string | null }>({
    timer: undefined,
    last: null,
  });
  const tell = () => {
    const { current } = state;
    clearTimeout(current.timer);
    if (editor === null || current.timer === undefined) return;
    current.timer = undefined;
    const html = readDocument(editor);
    editor.emit(READ_EVENT, html);
    if (html === current.last) return;
    current.last = html;
    change.current(html === '' ? null : html);
  };
  const flush = useRef(tell);
  flush.current = tell;
  useEffect(() => {
    if (editor === null) return;
    // What the core makes of the loaded text is not yet a change of the author's.
    state.current.last = readDocument(editor);
    return () => {
      flush.current();
      if (left !== undefined) left.current = stateOf(editor);
      editor.destroy();
    };
  }, [editor, left]);
  return {
    flush: () => flush.current(),
    later: () => {
      if (state.current.last === null) return;
      clearTimeout(state.current.timer);
      state.current.timer = setTimeout(() => flush.current(), CHANGE_DELAY_MS);
    },
  };
}
