import { useState } from 'react';
import type { ErpRecord } from '#engine/schema/resource.ts';
import type { ControlProps } from '../field-view.ts';
import { LineGrid } from './line-grid.tsx';
import { LineStore } from './line-store.ts';

/** Lines as the value of one control, for inputs of actions: the grid on a store of its own. */
export function LinesControl({ field, value, onChange, isDisabled, place }: ControlProps) {
  const [columns] = useState(() => Object.values(field.fields ?? {}));
  const [store] = useState(() => {
    const made: LineStore = new LineStore({
      columns,
      lines: Array.isArray(value) ? value.filter(isLine) : [],
      onChange: () => onChange(made.lines()),
    });
    return made;
  });
  const [totals] = useState(
    () => new Set(columns.filter((column) => column.type === 'money').map((column) => column.name)),
  );
  return (
    <LineGrid
      store={store}
      title={field.title}
      columns={columns}
      resource={place?.resource ?? ''}
      lines={place?.path ?? field.name}
      isDisabled={isDisabled === true}
      totals={totals}
      readParent={() => place?.readRecord() ?? {}}
    />
  );
}

function isLine(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
