import type { Field } from '#engine/schema/resource.ts';
import { FIELD_VIEWS } from '../field-views.ts';
import type { PickedRecord } from '../field-view.ts';
import { type GridModel, pickedCells } from './grid-model.ts';
import type { CellSnapshot } from './line-cell.ts';

interface CellEditorProps {
  readonly model: GridModel;
  readonly lineKey: string;
  readonly column: Field;
  readonly cell: CellSnapshot;
  readonly isClicked: boolean;
}

/** The field's own control in the active cell; only one is mounted at a time. */
export function CellEditor({ model, lineKey, column, cell, isClicked }: CellEditorProps) {
  const { Control } = FIELD_VIEWS[column.type];
  return (
    <Control
      field={column}
      value={cell.value}
      label={cell.label}
      isCell
      isClicked={isClicked}
      isInvalid={cell.problem !== null}
      place={model.placeOf(lineKey, column)}
      onChange={(value, picked) => {
        if (isPicked(picked)) model.store.setCells(pickedCells(lineKey, column, picked));
        else
          model.store.setCells([
            { key: lineKey, column: column.name, value, label: labelsOf(picked), paths: {} },
          ]);
      }}
      onBlur={() => model.checkCell(lineKey, column)}
    />
  );
}

function isPicked(picked: unknown): picked is PickedRecord {
  return typeof picked === 'object' && picked !== null && 'id' in picked;
}

function labelsOf(
  picked: PickedRecord | readonly PickedRecord[] | null | undefined,
): readonly string[] | null {
  return Array.isArray(picked) ? picked.map((record: PickedRecord) => record.label) : null;
}
