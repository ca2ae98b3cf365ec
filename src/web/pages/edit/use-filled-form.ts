import { useMemo, useState } from 'react';
import type { Preview } from '#contract/records.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import type { FormSource } from '#web/data/form-source.ts';
import { randomKey } from '#web/data/random-key.ts';
import { useRead } from '#web/data/use-read.ts';
import { givenLine } from '../form/record-changes.ts';

/** What the server says of where a form was filled from. */
export type FormOriginTold = NonNullable<Preview['from']>;

interface FilledForm {
  /** Null until it is filled, and where nothing is to be. */
  readonly record: ErpRecord | null;
  readonly from: FormOriginTold | null;
  /** What is saved with it: of several documents the first, where none was chosen. */
  readonly source: FormSource | null;
  readonly isLoading: boolean;
  readonly fault: string | null;
  readonly reload: () => void;
}

/** A new record as the server fills it from its source; nothing is saved. */
export function useFilledForm(resource: string, source: FormSource | null): FilledForm {
  // Filled once each time it is opened: what is typed in it stays.
  const [opened] = useState(randomKey);
  const isEnabled = source !== null;
  const read = useRead(
    'POST /data/:resource/preview',
    { params: { resource }, body: { _from: source } },
    { key: ['filled-form', opened, resource], isEnabled, staleTimeMs: Number.POSITIVE_INFINITY },
  );
  const { data } = read;
  const record = useMemo(() => (data === undefined ? null : withGivenLines(data.record)), [data]);
  return {
    record: isEnabled ? record : null,
    from: isEnabled ? (data?.from ?? null) : null,
    source: source === null ? null : chosenSource(source, data?.from?.choices[0]),
    isLoading: isEnabled && data === undefined && !read.isError,
    fault: isEnabled && read.isError && !read.isFetching ? (read.error?.message ?? '表单没有打开') : null,
    reload: read.reload,
  };
}

function chosenSource(source: FormSource, first: FormOriginTold['choices'][number] | undefined): FormSource {
  if (first === undefined || source.line !== undefined || source.per !== undefined) return source;
  const { line, per } = first;
  return { ...source, ...(line === null ? {} : { line }), ...(per === null ? {} : { per }) };
}

function withGivenLines(record: ErpRecord): ErpRecord {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const lines = linesOf(record, name);
      return lines.some((line) => line['_from'] !== undefined) ? [name, lines.map(givenLine)] : [name, value];
    }),
  );
}
