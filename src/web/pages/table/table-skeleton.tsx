import type { CSSProperties } from 'react';
import { isNumberField } from '#web/fields/field-text.ts';
import type { ListColumn } from './list-column.ts';

/** Left and right of what stands in a cell. */
const PADDING_PX = 8;
/** Of the room in a cell, so that the rows do not look ruled. */
const SHARES = [0.7, 0.5, 0.6] as const;
/** Columns further right are seen by nobody before the rows are there. */
const SEEN_PX = 2_600;

export interface SkeletonBar {
  readonly leftPx: number;
  readonly widthPx: number;
}

/** One bar for each column, where its text will stand. */
export function skeletonBars(
  columns: readonly Pick<ListColumn, 'field' | 'width'>[],
  fromPx: number,
): readonly SkeletonBar[] {
  let left = fromPx;
  const bars: SkeletonBar[] = [];
  for (const [place, { field, width }] of columns.entries()) {
    if (left > SEEN_PX) break;
    const room = Math.max(0, width - 2 * PADDING_PX);
    const widthPx = Math.round(room * (SHARES[place % SHARES.length] ?? 1));
    const isRight = isNumberField(field);
    bars.push({ leftPx: left + (isRight ? width - PADDING_PX - widthPx : PADDING_PX), widthPx });
    left += width;
  }
  return bars;
}

export interface TableSkeletonProps {
  readonly columns: readonly ListColumn[];
  /** Where the first column begins. */
  readonly fromPx: number;
  readonly rowPx: number;
}

/** Rows in the shape of those that are being read, drawn as one element; they appear only when these take their time. */
export function TableSkeleton({ columns, fromPx, rowPx }: TableSkeletonProps) {
  const bars = skeletonBars(columns, fromPx);
  const middle = Math.round(rowPx / 2);
  const bar = `linear-gradient(transparent ${middle - 5}px, var(--line) 0 ${middle + 5}px, transparent 0)`;
  const line = `linear-gradient(transparent ${rowPx - 1}px, var(--line) 0)`;
  const style: CSSProperties = {
    backgroundImage: [...bars.map(() => bar), line].join(),
    backgroundSize: [...bars.map(({ widthPx }) => `${widthPx}px ${rowPx}px`), `100% ${rowPx}px`].join(),
    backgroundPosition: [...bars.map(({ leftPx }) => `${leftPx}px 0`), '0 0'].join(),
  };
  return <div className="table-skeleton" style={style} aria-hidden="true" />;
}

/** Cards of two lines, as rows are on a telephone. */
export function CardsSkeleton() {
  return (
    <div className="plain-table-box" aria-busy="true">
      <div className="table-skeleton is-cards" aria-hidden="true" />
    </div>
  );
}
