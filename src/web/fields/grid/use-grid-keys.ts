import { type KeyboardEvent, type FocusEvent, type MouseEvent, type RefObject, useRef } from 'react';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { type GridPlace, nextOpenCell, stepFrom } from './grid-cursor.ts';
import type { GridModel } from './grid-model.ts';
import { clearRange, fillDown } from './grid-edits.ts';
import { isTextCell } from './grid-cell.tsx';
import type { GridSelectionModel } from './use-grid-selection.ts';

interface GridKeys {
  readonly model: GridModel;
  readonly selection: GridSelectionModel;
  readonly root: RefObject<HTMLDivElement | null>;
  readonly max: number;
  readonly isDisabled: boolean;
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Keyboard and pointer of a grid. Handlers run in the capture phase, before an open control sees the key. */
export function useGridKeys({ model, selection, root, max, isDisabled }: GridKeys) {
  const entered = useRef<{ readonly place: GridPlace; readonly value: unknown } | null>(null);
  const pressed = useRef(false);
  const { store } = model;

  const isOpenCell = ({ row, column }: GridPlace): boolean => {
    const field = model.columns[column];
    const key = store.keyAt(row);
    return field !== undefined && key !== undefined && !model.isClosed(field, store.cell(key, field.name));
  };
  const isNeededCell = (place: GridPlace): boolean => {
    const field = model.columns[place.column];
    const key = store.keyAt(place.row);
    if (field === undefined || key === undefined || !isOpenCell(place)) return false;
    const { isRequired, value } = store.cell(key, field.name);
    return isRequired && isEmptyValue(value);
  };
  const goDown = (active: GridPlace): void => {
    if (active.row < selection.size.rows - 1) return selection.moveTo({ ...active, row: active.row + 1 });
    // In the last line Enter goes on to what the line still needs; then it adds a line, unless this one is empty still.
    const next = nextOpenCell(active, 1, selection.size, isNeededCell);
    if (next !== null) return selection.moveTo(next);
    const key = store.keyAt(active.row);
    if (key === undefined || store.isBlank(key)) return;
    if (!isDisabled && selection.size.rows < max) {
      store.append();
      const first = model.columns.findIndex((_, column) => isOpenCell({ row: active.row + 1, column }));
      selection.moveTo({ row: active.row + 1, column: Math.max(0, first) });
    }
  };
  const goTab = (active: GridPlace, step: 1 | -1): boolean => {
    const next = nextOpenCell(active, step, selection.size, isOpenCell);
    if (next === null) return false;
    selection.moveTo(next);
    return true;
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { active } = selection;
    if (active === null || event.nativeEvent.isComposing || !isInCell(event.target)) return;
    const { key, shiftKey, altKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    const handled = (): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (isCommand) {
      if (isDisabled) return;
      const letter = key.toLowerCase();
      if (letter === 'z' || letter === 'y') {
        handled();
        if (letter === 'y' || shiftKey) store.redo();
        else store.undo();
      } else if (letter === 'd') {
        handled();
        fillDown(model, selection);
      } else if (key === 'Home' || key === 'End') {
        handled();
        selection.moveTo({ row: key === 'Home' ? 0 : selection.size.rows - 1, column: active.column });
      } else if (letter === 'a' && !isText(event.target)) {
        handled();
        selection.selectRows(0, selection.size.rows - 1);
      }
      return;
    }
    if (isListOpen(event.target)) {
      // The open list has the arrows, Enter and Escape; Tab still moves on.
      if (key === 'Tab' && goTab(active, shiftKey ? -1 : 1)) event.preventDefault();
      return;
    }
    const arrow = ARROWS[key];
    if (arrow !== undefined && !altKey) {
      const [rows, columns] = arrow;
      if (shiftKey) {
        if (columns !== 0 && isTyping(event.target)) return;
        handled();
        selection.extendTo(stepFrom(selection.corner ?? active, rows, columns, selection.size));
      } else if (columns === 0 || isAtEdge(event.target, columns)) {
        handled();
        selection.moveTo(stepFrom(active, rows, columns, selection.size));
      }
      return;
    }
    if (key === 'PageDown' || key === 'PageUp') {
      handled();
      selection.moveTo(stepFrom(active, key === 'PageDown' ? 10 : -10, 0, selection.size));
      return;
    }
    if (key === 'Enter' && !altKey) {
      handled();
      if (shiftKey) selection.moveTo(stepFrom(active, -1, 0, selection.size));
      else goDown(active);
      return;
    }
    if (key === 'Tab') {
      if (goTab(active, shiftKey ? -1 : 1)) handled();
      return;
    }
    if (key === 'Escape') {
      if (selection.isRange) {
        handled();
        selection.collapse();
      } else if (restore(active)) handled();
      return;
    }
    const isClearing = key === 'Delete' || (key === 'Backspace' && !isTyping(event.target));
    if (isClearing && !isDisabled && (selection.isRange || !isText(event.target))) {
      handled();
      clearRange(model, selection);
    }
  };

  /** Puts back what the cell held when it was entered; false when nothing was typed. */
  const restore = (active: GridPlace): boolean => {
    const before = entered.current;
    const key = store.keyAt(active.row);
    const column = model.columns[active.column];
    if (before === null || key === undefined || column === undefined || !isTextCell(column)) return false;
    if (before.place.row !== active.row || before.place.column !== active.column) return false;
    if (store.cell(key, column.name).value === before.value) return false;
    store.setCells([{ key, column: column.name, value: before.value }]);
    return true;
  };

  const onFocus = (event: FocusEvent<HTMLElement>): void => {
    const place = placeOf(event.target);
    if (place === null) return;
    const key = store.keyAt(place.row);
    const column = model.columns[place.column];
    if (key === undefined || column === undefined) return;
    const isSame = entered.current?.place.row === place.row && entered.current.place.column === place.column;
    if (!isSame) entered.current = { place, value: store.cell(key, column.name).value };
    if (!selection.isRange || pressed.current) selection.take(place, pressed.current);
    pressed.current = false;
  };

  const onMouseDown = (event: MouseEvent<HTMLElement>): void => {
    const line = event.target instanceof Element ? event.target.closest('[data-line]') : null;
    if (line !== null) {
      event.preventDefault();
      const row = Number(line.getAttribute('data-line'));
      selection.selectRows(event.shiftKey ? (selection.active?.row ?? row) : row, row);
      return;
    }
    const place = placeOf(event.target);
    if (place === null) return;
    if (event.shiftKey && selection.active !== null) {
      event.preventDefault();
      selection.extendTo(place);
      return;
    }
    pressed.current = true;
    if (selection.isRange) selection.take(place, true);
    followDrag(root.current, place, selection.extendTo);
  };

  return { onKeyDown, onFocus, onMouseDown };
}

/** While the button is held, the cell under the pointer is the other corner. */
function followDrag(root: HTMLElement | null, start: GridPlace, extendTo: (place: GridPlace) => void): void {
  if (root === null) return;
  let last = start;
  const move = (event: globalThis.PointerEvent): void => {
    const place = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    if (place === null || (place.row === last.row && place.column === last.column)) return;
    last = place;
    extendTo(place);
  };
  const stop = (): void => {
    document.removeEventListener('pointermove', move);
    document.removeEventListener('pointerup', stop);
  };
  document.addEventListener('pointermove', move);
  document.addEventListener('pointerup', stop);
}

function placeOf(target: EventTarget | null): GridPlace | null {
  if (!(target instanceof Element)) return null;
  const cell = target.closest('[data-column]');
  const row = cell?.closest('[aria-rowindex]')?.getAttribute('aria-rowindex');
  if (cell === null || row === null || row === undefined) return null;
  return { row: Number(row) - 2, column: Number(cell.getAttribute('data-column')) };
}

function isInCell(target: EventTarget): boolean {
  return placeOf(target) !== null;
}

function isText(target: EventTarget): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.type === 'text';
}

/** A list or calendar of the active control is open. */
function isListOpen(target: EventTarget): boolean {
  return target instanceof Element && target.getAttribute('aria-expanded') === 'true';
}

/** The caret stands inside the text: the arrow belongs to the text. All selected counts as the cell being selected. */
function isAtEdge(target: EventTarget, step: number): boolean {
  if (!isText(target)) return true;
  const { selectionStart, selectionEnd, value } = target;
  if (selectionStart === null || selectionEnd === null) return true;
  if (selectionStart === 0 && selectionEnd === value.length) return true;
  if (selectionStart !== selectionEnd) return false;
  return step < 0 ? selectionStart === 0 : selectionEnd === value.length;
}

function isTyping(target: EventTarget): boolean {
  if (!isText(target)) return false;
  const { selectionStart, selectionEnd, value } = target;
  return value !== '' && !(selectionStart === 0 && selectionEnd === value.length);
}
