import {
  Boot,
  type IDomEditor,
  SlateEditor,
  type SlateLocation,
  SlatePath,
  type SlatePoint,
  SlateRange,
  SlateText,
} from '@wangeditor/editor';

/** Once a page: the core keeps a global list. */
export function registerCaretModule(): void {
  Boot.registerModule({ editorPlugin: withSafeCaret });
}

/**
 * The core remembers where the caret was and goes back there, also when that place is gone meanwhile (another document
 * was put in); it throws then. Such a caret goes to the start.
 */
function withSafeCaret<T extends IDomEditor>(editor: T): T {
  const { select, apply } = editor;
  editor.apply = (operation) => {
    if (operation.type !== 'set_selection' || operation.newProperties === null) apply(operation);
    else {
      const range = { ...editor.selection, ...operation.newProperties };
      if (!SlateRange.isRange(range) || isThere(editor, range)) apply(operation);
    }
  };
  editor.select = (at) => {
    select(isThere(editor, at) ? at : SlateEditor.start(editor, []));
  };
  return editor;
}

function isThere(editor: IDomEditor, at: SlateLocation): boolean {
  if (SlateRange.isRange(at)) return isPlace(editor, at.anchor) && isPlace(editor, at.focus);
  return SlatePath.isPath(at) ? SlateEditor.hasPath(editor, at) : isPlace(editor, at);
}

function isPlace(editor: IDomEditor, { path, offset }: SlatePoint): boolean {
  if (!SlateEditor.hasPath(editor, path)) return false;
  const [node] = SlateEditor.node(editor, path);
  return SlateText.isText(node) && offset <= node.text.length;
}
