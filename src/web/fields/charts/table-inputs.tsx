import { Input } from 'antd';
import { useMemo } from 'react';
import { type GridCell, rawText, tableGrid } from './table-grid.ts';

interface TableInputsProps {
  readonly table: HTMLTableElement;
  /** Gets a copy with the change; the table itself stays as it is. */
  readonly onEdit: (table: HTMLTableElement) => void;
}

/** More inputs than these would make typing slow; such a table is edited in the text. */
const MAX_INPUTS = 300;

/** The cells of a table as inputs, in its shape. */
export function TableInputs({ table, onEdit }: TableInputsProps) {
  const grid = useMemo(() => tableGrid(table), [table]);
  const count = grid.reduce((sum, row) => sum + row.length, 0);
  if (count > MAX_INPUTS) return <p className="field-hint">表格较大，请在正文中修改数据</p>;
  const edit = (cell: GridCell, text: string) => {
    const copy = table.cloneNode(true);
    if (!(copy instanceof HTMLTableElement)) return;
    copy.rows[cell.y]?.cells[cell.element.cellIndex]?.replaceChildren(text);
    onEdit(copy);
  };
  return (
    <table className="chart-inputs">
      <tbody>
        {grid.map((row, y) => (
          <tr key={y}>
            {row.map((cell, x) =>
              cell === null || cell.x !== x || cell.y !== y ? null : (
                <td
                  key={`${cell.x} ${cell.y}`}
                  colSpan={cell.element.colSpan}
                  rowSpan={cell.element.rowSpan}
                  className={cell.isHeader ? 'chart-inputs-head' : undefined}
                >
                  <Input
                    variant="borderless"
                    aria-label={`第${y + 1}行第${x + 1}列`}
                    value={rawText(cell.element)}
                    onChange={(event) => edit(cell, event.target.value)}
                  />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
