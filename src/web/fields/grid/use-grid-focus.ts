import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Field } from '#engine/schema/resource.ts';
import type { LineStore } from './line-store.ts';
import type { GridSelectionModel } from './use-grid-selection.ts';

/** Jumps to the cell that a summary of errors points at. */
export function useFocusRequests(
  store: LineStore,
  columns: readonly Field[],
  moveTo: (place: { row: number; column: number }) => void,
): void {
  useEffect(
    () =>
      store.onFocusRequest((key, name) => {
        const column = columns.findIndex((one) => one.name === name);
        const row = store.order().indexOf(key);
        if (row >= 0) moveTo({ row, column: Math.max(0, column) });
      }),
    [store, columns, moveTo],
  );
}

/** After a move the cell gets the focus; one that is out of sight is scrolled in first. */
export function useFocusActive(
  root: RefObject<HTMLDivElement | null>,
  selection: GridSelectionModel,
  scrollTo: (row: number) => void,
): void {
  const { active, focusCount } = selection;
  useLayoutEffect(() => {
    if (active === null || focusCount === 0) return undefined;
    scrollTo(active.row);
    if (focusCell(root.current, active.row, active.column)) return undefined;
    const frame = requestAnimationFrame(() => focusCell(root.current, active.row, active.column));
    return () => cancelAnimationFrame(frame);
    // Only a move asks for the focus; a click has it already.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [focusCount]);
}

/** A line may go with the focus in it (an empty one at a save): then it goes to the line that takes its place. */
export function useKeptFocus(order: readonly string[], selection: GridSelectionModel) {
  const isInside = useRef(false);
  const { active, moveTo } = selection;
  useLayoutEffect(() => {
    if (isInside.current && active !== null && document.activeElement === document.body) moveTo(active);
    // Only lines that come and go take a focus along.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [order]);
  return {
    onFocus: (event: FocusEvent<HTMLElement>) => {
      isInside.current = event.target.closest('[data-column]') !== null;
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      isInside.current = event.relatedTarget === null && !event.target.isConnected;
    },
  };
}

function focusCell(root: HTMLElement | null, row: number, column: number): boolean {
  const cell = root?.querySelector<HTMLElement>(`[aria-rowindex="${row + 2}"] [data-column="${column}"]`);
  if (cell === null || cell === undefined) return false;
  const target = cell.querySelector<HTMLElement>('input') ?? cell;
  target.focus({ preventScroll: false });
  return true;
}
