import type { Filter } from '#engine/schema/definition.ts';
import { callForFile } from '#web/data/http.ts';
import { ExportProgress } from './export-progress.tsx';
import { useExport } from './use-export.ts';

export interface ExportButtonProps {
  readonly resource: string;
  readonly title: string;
  readonly filter: Filter | null;
  readonly keyword: string;
  readonly sorters: readonly string[];
  readonly columns: readonly string[];
}

/** Exports what the list shows: its filters, order and columns. Large ones run as a job with progress and can be cancelled. */
export function ExportButton(props: ExportButtonProps) {
  const run = useExport(props.title, () =>
    callForFile('POST /data/:resource/export', {
      params: { resource: props.resource },
      body: {
        ...(props.filter === null ? {} : { filters: props.filter }),
        ...(props.keyword === '' ? {} : { keyword: props.keyword }),
        sorters: props.sorters,
        columns: props.columns,
      },
    }),
  );
  return <ExportProgress run={run} />;
}
