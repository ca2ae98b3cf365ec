import { Suspense } from 'react';
import { FaultBoundary } from '#web/faults/fault-boundary.tsx';
import { lazyPart } from '#web/faults/lazy-part.tsx';
import { EmptyFilter } from './empty-filter.tsx';
import type { ControlProps, FieldView, ShowProps } from './field-view.ts';
import { LinesTable } from './lines-table.tsx';
import { TextCell } from './show-text.tsx';

const LinesControl = lazyPart(async () => (await import('./grid/lines-control.tsx')).LinesControl);

/** The grid on its own, for lines outside a record's form (inputs of an action). The form itself mounts LineGrid on its store. */
function LazyLinesControl(props: ControlProps) {
  return (
    <FaultBoundary what="明细表" isSmall>
      <Suspense fallback={null}>
        <LinesControl {...props} />
      </Suspense>
    </FaultBoundary>
  );
}

function LinesDetail(props: ShowProps) {
  return <LinesTable {...props} />;
}

export const LINES_VIEW: FieldView = {
  Control: LazyLinesControl,
  Cell: TextCell,
  Detail: LinesDetail,
  FilterControl: EmptyFilter,
};
