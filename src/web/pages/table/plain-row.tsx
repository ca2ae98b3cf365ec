import { type MouseEvent, type ReactNode, memo } from 'react';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { currencyOf, isNumberField, labelText, labelsOf } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import type { ListColumn } from './list-column.ts';
import type { FrozenOffsets } from './plain-table.tsx';
import { CellLink } from './cell-link.tsx';
import { StateTag } from './state-tag.tsx';

/** What can be done with a row. */
export interface RowBehaviour {
  /** Ids of the chosen rows; absent where nothing can be chosen. */
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (id: string, isSelected: boolean) => void;
  /** Opens the record itself, from its label. */
  readonly onOpen?: (row: ErpRecord) => void;
  readonly onOpenReference?: (resource: string, id: string) => void;
  /** The link of a row and of a reference; null where there is none. */
  readonly addressOf?: (row: ErpRecord) => string | null;
  readonly addressOfReference?: (resource: string, id: string) => string | null;
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
      onClick={(event) => {
        if (isOnRow(event)) props.onOpen?.(row);
      }}
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

/** The whole row opens, but for what is to be clicked in it or lies over it, and for who marks its text. */
export function isOnRow({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  if (target.closest('button, a, input, label, .row-actions') !== null) return false;
  return getSelection()?.isCollapsed !== false;
}

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

/** What stands in a cell: state, link, or text as its type has it. */
export function cellContent({
  resource,
  column,
  row,
  onOpen,
  onOpenReference,
  addressOf,
  addressOfReference,
}: Omit<PlainRowProps, 'columns' | 'offsets' | 'place'> & { readonly column: ListColumn }): ReactNode {
  const { field, name } = column;
  const value = row[name];
  const label = labelsOf(row)[name];
  if (name === 'status')
    return <StateTag resource={resource} value={value} label={labelText(label) || undefined} />;
  if (name === resource.label && onOpen !== undefined)
    return (
      <CellLink address={addressOf?.(row) ?? null} onOpen={() => onOpen(row)}>
        {labelText(label) || String(value ?? '（未编号）')}
      </CellLink>
    );
  if (
    field.type === 'reference' &&
    typeof field.to === 'string' &&
    typeof value === 'string' &&
    labelText(label) !== '' &&
    onOpenReference !== undefined
  ) {
    const target = field.to.split('.')[0] ?? field.to;
    return (
      <CellLink
        address={addressOfReference?.(target, value) ?? null}
        onOpen={() => onOpenReference(target, value)}
      >
        {labelText(label)}
      </CellLink>
    );
  }
  const { Cell: View } = FIELD_VIEWS[field.type];
  return <View field={field} value={value} label={label} currency={currencyOf(field, row)} />;
}
