import { useEffect, useState } from 'react';
import type { FieldPlace } from './field-view.ts';
import { useFieldServices } from './field-services.ts';

/** A name that a field may hold, with what people call it. */
export interface NamedChoice {
  readonly value: string;
  readonly label: string;
}

const MOST = 200;
/** What the names of a field depend on. */
const ABOUT = ['resource', 'event_code', 'param', 'kind'] as const;

/** All that a field may name; asked again when the record speaks of something else. */
export function useNamedChoices(place: FieldPlace | undefined): readonly NamedChoice[] {
  const services = useFieldServices();
  const [choices, setChoices] = useState<readonly NamedChoice[]>([]);
  const record = place?.readRecord() ?? {};
  const about = ABOUT.map((name) => String(record[name] ?? '')).join(' ');
  const { resource, path } = place ?? {};
  useEffect(() => {
    if (services === null || place === undefined) return undefined;
    const abort = new AbortController();
    services.lookup(place, { keyword: '', currentPage: 1, pageSize: MOST }, abort.signal).then(
      ({ records }) => {
        if (!abort.signal.aborted) setChoices(records.map(({ id, label }) => ({ value: id, label })));
      },
      () => undefined,
    );
    return () => abort.abort();
    // A place is made anew by every render; the field it names is what counts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [services, resource, path, about]);
  return choices;
}
