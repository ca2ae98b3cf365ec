import { type ReactNode, memo } from 'react';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { currencyOf, isNumberField, labelText, labelsOf } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import type { ListColumn } from './list-column.ts';
import type { FrozenOffsets } from './plain-table.tsx';
import { StateTag } from './state-tag.tsx';

/** What can be done with a row. */
export interface RowBehaviour {
  /** Ids of the chosen rows; absent where nothing can be chosen. */
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (id: string, isSelected: boolean) => void;
  /** Opens the record itself, from its label. */
  readonly onOpen?: (row: ErpRecord) => void;
  readonly onOpenReference?: (resource: string, id: string) => void;
  readonly rowActions?: (row: ErpRecord) => ReactNode;
}

export interface PlainRowProps extends RowBehaviour {
  readonly resource: Resource;
  readonly columns: readonly ListColumn[];
  readonly row: ErpRecord;
  readonly place: number;
  readonly offsets: FrozenOffsets;
}

/** One row: a checkbox, plain cells, at most two actions. */
export const PlainRow = memo(function PlainRow(props: PlainRowProps) {
  const { row, columns, selected, onSelect, rowActions } = props;
  const id = String(row['id']);
  const isSelected = selected?.has(id) === true;
  return (
    <tr
      className={isSelected ? 'selected' : undefined}
      aria-rowindex={props.place + 1}
      onDoubleClick={() => props.onOpen?.(row)}
    >
      {selected !== undefined && (
        <td className="frozen" style={{ left: 0 }}>
          <input
            type="checkbox"
            aria-label="选择"
            checked={isSelected}
            onChange={() => onSelect?.(id, !isSelected)}
          />
        </td>
      )}
      {columns.map((column) => (
        <Cell key={column.name} column={column} {...props} />
      ))}
      {rowActions !== undefined && <td className="row-actions">{rowActions(row)}</td>}
    </tr>
  );
});

function Cell(props: PlainRowProps & { readonly column: ListColumn }) {
  const { column } = props;
  const classes = [isNumberField(column.field) ? 'number' : '', column.isFrozen ? 'frozen' : '']
    .filter(Boolean)
    .join(' ');
  return (
    <td
      className={classes || undefined}
      style={column.isFrozen ? { left: props.offsets[column.name] } : undefined}
    >
      {cellContent(props)}
    </td>
  );
}

function cellContent({
  resource,
  column,
  row,
  onOpen,
  onOpenReference,
}: PlainRowProps & { readonly column: ListColumn }): ReactNode {
  const { field, name } = column;
  const value = row[name];
  const label = labelsOf(row)[name];
  if (name === 'status')
    return <StateTag resource={resource} value={value} label={labelText(label) || undefined} />;
  if (name === resource.label && onOpen !== undefined)
    return (
      <button type="button" className="cell-link" onClick={() => onOpen(row)}>
        {labelText(label) || String(value ?? '（未编号）')}
      </button>
    );
  if (
    field.type === 'reference' &&
    typeof field.to === 'string' &&
    typeof value === 'string' &&
    onOpenReference !== undefined
  ) {
    const target = field.to.split('.')[0] ?? field.to;
    return (
      <button type="button" className="cell-link" onClick={() => onOpenReference(target, value)}>
        {labelText(label) || value}
      </button>
    );
  }
  const { Cell: View } = FIELD_VIEWS[field.type];
  return <View field={field} value={value} label={label} currency={currencyOf(field, row)} />;
}
