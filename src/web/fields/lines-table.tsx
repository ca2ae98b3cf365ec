import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { sumDecimals } from '#engine/values/decimal.ts';
import { currencyOf, isNumberField, labelsOf, scalarText } from './field-text.ts';
import { FIELD_VIEWS } from './field-views.ts';
import type { ShowProps } from './field-view.ts';
import { shownNumber } from './number-text.ts';

interface LinesTableProps extends ShowProps {
  /** Head of the lines, for `parent.currency`. */
  readonly parent?: ErpRecord;
  /** Columns in order; default: all. */
  readonly columns?: readonly string[];
  /** Columns with a total; default: the amounts. */
  readonly totals?: ReadonlySet<string>;
}

/** Lines to read: a plain table with a total under the money and quantity columns. */
export function LinesTable({ field, value, parent, columns, totals, onOpen }: LinesTableProps) {
  const rows: readonly unknown[] = Array.isArray(value) ? value : [];
  const records = rows.filter(isRecord);
  const shown = (columns ?? Object.keys(field.fields ?? {}))
    .map((name) => field.fields?.[name])
    .filter((column) => column !== undefined);
  const totalled =
    totals ?? new Set(shown.filter((column) => column.type === 'money').map((column) => column.name));
  if (records.length === 0) return <span className="field-empty">无明细</span>;
  return (
    <div className="lines-table-scroll">
      <table className="lines-table" aria-label={field.title}>
        <thead>
          <tr>
            <th scope="col">#</th>
            {shown.map((column) => (
              <th key={column.name} scope="col" className={alignOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((line, index) => (
            <tr key={scalarText(line['id'] ?? index)}>
              <td>{index + 1}</td>
              {shown.map((column) => {
                const { Cell } = FIELD_VIEWS[column.type];
                return (
                  <td key={column.name} className={alignOf(column)}>
                    <Cell
                      field={column}
                      value={line[column.name]}
                      label={labelsOf(line)[column.name]}
                      currency={undefined}
                      onOpen={onOpen}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
        {totalled.size > 0 && (
          <tfoot>
            <tr>
              <td>合计</td>
              {shown.map((column) => (
                <td key={column.name} className={alignOf(column)}>
                  {totalled.has(column.name) && totalText(column, records, parent)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

function totalText(column: Field, records: readonly ErpRecord[], parent: ErpRecord | undefined): string {
  const total = sumDecimals(records.map((line) => decimalOf(line[column.name])));
  const first = records[0];
  const currency = first === undefined ? undefined : currencyOf(column, first, parent);
  return currency === undefined ? shownNumber(total, column) : `${shownNumber(total, column)} ${currency}`;
}

function decimalOf(value: unknown): string {
  const text = scalarText(value ?? '0');
  return /^-?\d+(\.\d+)?$/.test(text) ? text : '0';
}

function alignOf(column: Field): string {
  return isNumberField(column) ? 'cell-number' : '';
}

function isRecord(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
