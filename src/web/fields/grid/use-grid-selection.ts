import { useMemo, useRef, useState } from 'react';
import { type GridPlace, type GridRange, type GridSize, isSingle, rangeOfSelection } from './grid-cursor.ts';

interface SelectionState {
  readonly active: GridPlace | null;
  readonly corner: GridPlace | null;
  readonly isClicked: boolean;
  /** Counts the moves that must bring the focus along. */
  readonly focusCount: number;
}

export interface GridSelectionModel extends SelectionState {
  readonly size: GridSize;
  readonly range: GridRange | null;
  readonly isRange: boolean;
  /** Selected columns of a line, null when it is outside. */
  readonly columnsOf: (row: number) => { readonly left: number; readonly right: number } | null;
  /** Makes a cell active and gives it the focus. */
  readonly moveTo: (place: GridPlace) => void;
  /** Takes over a cell that got the focus by itself. */
  readonly take: (place: GridPlace, isClicked: boolean) => void;
  readonly extendTo: (place: GridPlace) => void;
  readonly selectRows: (from: number, to: number) => void;
  readonly collapse: () => void;
}

const NOTHING: SelectionState = { active: null, corner: null, isClicked: false, focusCount: 0 };

/** The active cell and the selected range of a grid. */
export function useGridSelection(size: GridSize): GridSelectionModel {
  const [state, setState] = useState(NOTHING);
  const latest = useRef(size);
  latest.current = size;
  const moves = useMemo(
    () => ({
      moveTo: (active: GridPlace) =>
        setState((before) => ({ active, corner: null, isClicked: false, focusCount: before.focusCount + 1 })),
      take: (active: GridPlace, isClicked: boolean) =>
        setState((before) =>
          before.active?.row === active.row &&
          before.active.column === active.column &&
          before.corner === null
            ? before
            : { active, corner: null, isClicked, focusCount: before.focusCount },
        ),
      extendTo: (corner: GridPlace) =>
        setState((before) => ({ ...before, active: before.active ?? corner, corner })),
      selectRows: (from: number, to: number) =>
        setState((before) => ({
          active: { row: from, column: 0 },
          corner: { row: to, column: latest.current.columns - 1 },
          isClicked: false,
          focusCount: before.focusCount + 1,
        })),
      collapse: () => setState((before) => ({ ...before, corner: null })),
    }),
    [],
  );
  const inside = clampedState(state, size);
  const range =
    inside.active === null ? null : rangeOfSelection({ active: inside.active, corner: inside.corner });
  const isRange = range !== null && !isSingle(range);
  return {
    ...inside,
    ...moves,
    size,
    range,
    isRange,
    columnsOf: (row) => (isRange && row >= range.top && row <= range.bottom ? range : null),
  };
}

/** Lines may have gone since: the selection never points behind the end. */
function clampedState(state: SelectionState, { rows }: GridSize): SelectionState {
  if (state.active === null || rows === 0) return { ...state, active: null, corner: null };
  const clamp = (place: GridPlace): GridPlace => (place.row < rows ? place : { ...place, row: rows - 1 });
  return {
    ...state,
    active: clamp(state.active),
    corner: state.corner === null ? null : clamp(state.corner),
  };
}
