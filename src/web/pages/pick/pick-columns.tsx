import type { TableColumnsType } from 'antd';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import type { Field } from '#engine/schema/resource.ts';
import { labelsOf } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import type { PickedLine } from './pick-dialog.tsx';

interface ColumnsAsked {
  readonly columns: readonly Field[];
  /** The resource that is picked from, which the first column names. */
  readonly source: string;
  readonly title: string;
}

const RIGHT: ReadonlySet<string> = new Set(['integer', 'decimal', 'money', 'percent']);

/** The document, then what its line fills: columns in which some line has something. */
export function pickColumns(
  records: readonly PickedLine[],
  { columns, source, title }: ColumnsAsked,
): TableColumnsType<PickedLine> {
  const filled = columns.filter(
    (column) => !refersTo(column, source) && records.some(({ line }) => !isEmptyValue(line[column.name])),
  );
  return [
    {
      title: title === '' ? '单据' : title,
      key: '_source',
      fixed: 'left',
      render: (_: unknown, { source: { label } }) => label,
    },
    ...filled.map((column) => ({
      title: column.title,
      key: column.name,
      align: RIGHT.has(column.type) ? ('right' as const) : ('left' as const),
      render: (_: unknown, { line }: PickedLine) => {
        const { Cell } = FIELD_VIEWS[column.type];
        return <Cell field={column} value={line[column.name]} label={labelsOf(line)[column.name]} />;
      },
    })),
  ];
}

function refersTo({ to }: Field, source: string): boolean {
  return typeof to === 'string' && to.split('.')[0] === source;
}
