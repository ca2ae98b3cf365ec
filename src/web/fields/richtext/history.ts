import { Boot, type IDomEditor } from '@wangeditor/editor';

interface Limits {
  readonly states: number;
  readonly inputs: number;
}

interface Operation {
  readonly type: string;
}

interface Batch {
  readonly operations: readonly Operation[];
  readonly selectionBefore: unknown;
}

interface History {
  readonly undos: Batch[];
  readonly redos: Batch[];
}

const LIMITS = new WeakMap<IDomEditor, Limits>();

/**
 * Bounds the states to come back to, and begins a new one after a number of inputs (spec section 9: 20 and 20). The
 * core's own history joins all that is typed without a pause of the caret into one.
 */
export function limitHistory(editor: IDomEditor, limits: Limits): void {
  LIMITS.set(editor, limits);
}

/** Once a page: the core keeps a global list. */
export function registerHistoryModule(): void {
  Boot.registerModule({ editorPlugin: withBoundedHistory });
}

/** What an editor leaves to the one that takes its place. */
export interface EditorState {
  readonly content: IDomEditor['children'];
  readonly history: History;
}

/** A copy of the document and of its states, for another editor. */
export function stateOf(editor: IDomEditor): EditorState {
  const { undos, redos } = historyOf(editor);
  return { content: structuredClone(editor.children), history: structuredClone({ undos, redos }) };
}

/** Takes over the document that another editor left, node for node, with the states that lead to it. */
export function takeState(editor: IDomEditor, { content, history }: EditorState): void {
  const { undos, redos } = historyOf(editor);
  editor.children = content;
  undos.splice(0, undos.length, ...history.undos);
  redos.splice(0, redos.length, ...history.redos);
  editor.onChange();
}

/** States to come back to, and undone ones to go forward to. */
export function historySize(editor: IDomEditor): { readonly undos: number; readonly redos: number } {
  const { undos, redos } = historyOf(editor);
  return { undos: undos.length, redos: redos.length };
}

function withBoundedHistory<T extends IDomEditor>(editor: T): T {
  const { apply } = editor;
  let inputs = 0;
  editor.apply = (operation) => {
    const limits = LIMITS.get(editor);
    const isInput = operation.type === 'insert_text' || operation.type === 'remove_text';
    const { undos } = historyOf(editor);
    // In the middle of a step nothing is split.
    const isFull =
      limits !== undefined && isInput && inputs >= limits.inputs && editor.operations.length === 0;
    // The core joins an operation with the last one of the last state: an empty state has none.
    const border: Batch = { operations: [], selectionBefore: editor.selection };
    const before = undos.at(-1);
    const isNew =
      isFull || (isFirstChange(editor, operation) && !continues(before, operation, inputs, limits));
    if (isNew && before !== undefined) undos.push(border);
    apply(operation);
    const at = undos.indexOf(border);
    if (at >= 0 && border.operations.length === 0) undos.splice(at, 1);
    if (isInput) inputs = undos.at(-1) === before ? inputs + 1 : 1;
    else if (operation.type !== 'set_selection') inputs = 0;
    if (limits !== undefined && undos.length > limits.states) undos.splice(0, undos.length - limits.states);
  };
  return editor;
}

/**
 * The core takes a change that follows a move of the caret at once (text from an input method) for a part of what was
 * done before, whatever that was.
 */
function isFirstChange(editor: IDomEditor, { type }: Operation): boolean {
  const { operations } = editor;
  return (
    type !== 'set_selection' &&
    operations.length > 0 &&
    operations.every((operation) => operation.type === 'set_selection')
  );
}

/** Typing goes on where the last text ended. */
function continues(
  before: Batch | undefined,
  operation: Operation,
  inputs: number,
  limits: Limits | undefined,
): boolean {
  const last = before?.operations.at(-1);
  if (last?.type !== 'insert_text' || operation.type !== 'insert_text') return false;
  if (limits !== undefined && inputs >= limits.inputs) return false;
  return placeAfter(last) === placeOf(operation);
}

function placeOf(operation: object): string {
  return `${String(Reflect.get(operation, 'path'))}:${Number(Reflect.get(operation, 'offset'))}`;
}

function placeAfter(operation: object): string {
  const end = Number(Reflect.get(operation, 'offset')) + String(Reflect.get(operation, 'text')).length;
  return `${String(Reflect.get(operation, 'path'))}:${end}`;
}

/** The core's history plugin puts it on the editor; its types do not say so. */
function historyOf(editor: IDomEditor): History {
  const holder: { readonly history?: History } = Object.assign<object, object>(
    {},
    { history: Reflect.get(editor, 'history') },
  );
  return holder.history ?? { undos: [], redos: [] };
}
