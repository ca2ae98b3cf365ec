import { useRef } from 'react';
import type { Field } from '#engine/schema/resource.ts';
import { isNumberField } from '../field-text.ts';
import { startWidth } from './column-width.ts';

interface GridHeadProps {
  readonly columns: readonly Field[];
  /** Widths that somebody dragged, px. */
  readonly widths: Readonly<Record<string, number>>;
  readonly onWidth: (name: string, width: number) => void;
}

/** The titles of the columns, with handles to make them wider. */
export function GridHead({ columns, widths, onWidth }: GridHeadProps) {
  return (
    <div role="row" aria-rowindex={1} className="grid-row grid-head">
      <div role="columnheader" className="grid-cell grid-number">
        #
      </div>
      {columns.map((column, index) => (
        <div
          key={column.name}
          role="columnheader"
          aria-colindex={index + 2}
          className={isNumberField(column) ? 'grid-cell is-number' : 'grid-cell'}
          title={column.hint ?? column.title}
        >
          {column.required && <span className="grid-required">*</span>}
          <span className="grid-title">{column.title}</span>
          <ColumnHandle
            width={widths[column.name] ?? startWidth(column)}
            onChange={(width) => onWidth(column.name, width)}
          />
        </div>
      ))}
    </div>
  );
}

interface ColumnHandleProps {
  readonly width: number;
  readonly onChange: (width: number) => void;
}

const MIN_WIDTH_PX = 48;

/** Drags the right edge of a column; the pointer is captured, so it may leave the header. */
function ColumnHandle({ width, onChange }: ColumnHandleProps) {
  const start = useRef<{ readonly x: number; readonly width: number } | null>(null);
  return (
    <span
      className="grid-handle"
      role="separator"
      aria-orientation="vertical"
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (start.current === null) return;
        onChange(Math.max(MIN_WIDTH_PX, start.current.width + event.clientX - start.current.x));
      }}
      onPointerUp={() => {
        start.current = null;
      }}
    />
  );
}
