import type { Field } from '#engine/schema/resource.ts';
import { FieldNotes } from '../field-notes.tsx';
import { WhyButton } from '../why-button.tsx';
import type { GridModel } from './grid-model.ts';

interface CellHelpProps {
  readonly model: GridModel;
  readonly lineKey: string;
  readonly column: Field;
  /** Why the cell is closed or required now. */
  readonly reason: string | null;
}

/** What the column of the active cell is for; F1 opens it, and it takes no room in the cell. */
export function CellHelp({ model, lineKey, column, reason }: CellHelpProps) {
  const { resource, path } = model.placeOf(lineKey, column);
  return (
    <span className="cell-help">
      <WhyButton
        title={column.title}
        isQuiet
        isTitled
        reason={<FieldNotes resource={resource} path={path} field={column} why={reason} />}
      />
    </span>
  );
}
