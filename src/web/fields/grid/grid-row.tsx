import { type FormEvent, memo, useId, useSyncExternalStore } from 'react';
import { scalarText } from '../field-text.ts';
import { GridCell } from './grid-cell.tsx';
import type { GridModel } from './grid-model.ts';

interface GridRowProps {
  readonly model: GridModel;
  readonly lineKey: string;
  readonly index: number;
  readonly isLast: boolean;
  readonly top: number;
  readonly activeColumn: number | null;
  readonly isClicked: boolean;
  readonly selectedFrom: number | null;
  readonly selectedTo: number | null;
}

/** One line. It renders again only when it moves or the selection crosses it: values wake their cells themselves. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { model, lineKey, index, activeColumn, selectedFrom, selectedTo } = props;
  const formId = useId();
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`grid-row${activeColumn === null ? '' : ' is-active-row'}${props.isLast ? ' is-last' : ''}`}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      {/* Browsers look at all inputs of a form after each key, for what they could fill in: here only at a row's. */}
      <form id={formId} hidden onSubmit={stayHere} />
      <div role="rowheader" className="grid-cell grid-number" data-line={index}>
        {model.numbered === null ? (
          index + 1
        ) : (
          <LineNumber model={model} lineKey={lineKey} column={model.numbered} index={index} />
        )}
      </div>
      {model.columns.map((column, columnIndex) => (
        <GridCell
          key={column.name}
          model={model}
          lineKey={lineKey}
          column={column}
          columnIndex={columnIndex}
          formId={formId}
          isActive={activeColumn === columnIndex}
          isClicked={activeColumn === columnIndex && props.isClicked}
          isSelected={
            selectedFrom !== null &&
            selectedTo !== null &&
            columnIndex >= selectedFrom &&
            columnIndex <= selectedTo
          }
        />
      ))}
    </div>
  );
});

/** Enter in a cell is the grid's. */
function stayHere(event: FormEvent): void {
  event.preventDefault();
}

interface LineNumberProps {
  readonly model: GridModel;
  readonly lineKey: string;
  readonly column: string;
  readonly index: number;
}

/** The number that the line keeps; of a line without one, its place. */
function LineNumber({ model, lineKey, column, index }: LineNumberProps) {
  const { store } = model;
  const { value } = useSyncExternalStore(
    (listener) => store.subscribeCell(lineKey, column, listener),
    () => store.cell(lineKey, column),
  );
  return scalarText(value ?? index + 1);
}
