import { type IDomEditor, SlateElement, type SlateNode } from '@wangeditor/editor';
import { keptOf } from './attribute-module.ts';
import { typeOf } from './places.ts';

/** A table that the core makes has columns of 60 pixels: a new one gets the room that the text has. */

const CORE_WIDTH_PX = 60;
const LEAST_WIDTH_PX = 80;
const MOST_WIDTH_PX = 240;
/** Padding of the text and the handles at the end of a table. */
const BESIDE_PX = 40;

type Apply = IDomEditor['apply'];

/** The editor's way of applying a change, with room in tables that are new. */
export function withRoomInTables(editor: IDomEditor, apply: Apply): Apply {
  return (change) => {
    const isNew = change.type === 'insert_node' && isFreshTable(change.node);
    apply(isNew ? { ...change, node: roomy(editor, change.node) } : change);
  };
}

/** As the core makes it: nothing in it, nothing said of it. */
function isFreshTable(node: SlateNode): boolean {
  if (!SlateElement.isElement(node) || typeOf(node) !== 'table' || keptOf(node) !== '') return false;
  const widths = widthsOf(node);
  return widths.length > 0 && widths.every((width) => width === CORE_WIDTH_PX);
}

function roomy(editor: IDomEditor, node: SlateNode): SlateNode {
  const count = widthsOf(node).length;
  const room = roomOf(editor);
  const width = Math.max(LEAST_WIDTH_PX, Math.min(MOST_WIDTH_PX, Math.floor(room / count)));
  return Object.assign({}, node, { columnWidths: Array.from({ length: count }, () => width) });
}

/** The width of the text, as wide as a page where nothing is laid out. */
function roomOf(editor: IDomEditor): number {
  try {
    const { clientWidth } = editor.getEditableContainer();
    return (clientWidth === 0 ? 680 : clientWidth) - BESIDE_PX;
  } catch {
    return 640;
  }
}

function widthsOf(node: SlateNode): readonly unknown[] {
  const widths: unknown = Reflect.get(node, 'columnWidths');
  return Array.isArray(widths) ? widths : [];
}
