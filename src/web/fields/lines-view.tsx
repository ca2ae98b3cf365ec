import { lazy, Suspense } from 'react';
import { EmptyFilter } from './empty-filter.tsx';
import type { ControlProps, FieldView, ShowProps } from './field-view.ts';
import { LinesTable } from './lines-table.tsx';
import { TextCell } from './show-text.tsx';

const LinesControl = lazy(async () => {
  const { LinesControl: Control } = await import('./grid/lines-control.tsx');
  return { default: Control };
});

/** The grid on its own, for lines outside a record's form (inputs of an action). The form itself mounts LineGrid on its store. */
function LazyLinesControl(props: ControlProps) {
  return (
    <Suspense fallback={null}>
      <LinesControl {...props} />
    </Suspense>
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
