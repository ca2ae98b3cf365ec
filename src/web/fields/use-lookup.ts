import { useEffect, useState } from 'react';
import { useComposedText } from './composed-text.ts';
import type { FieldPlace } from './field-view.ts';
import { type Candidates, useFieldServices } from './field-services.ts';

const NOTHING: Candidates = { records: [], total: 0 };
const TYPING_PAUSE_MS = 200;

export interface LookupState {
  /** The last one that came: of an earlier text while it is loading. */
  readonly answer: Candidates;
  readonly isLoading: boolean;
  readonly problem: string | null;
}

/** An answer with what was asked for. */
interface Answered extends LookupState {
  readonly keyword: string;
  readonly page: number;
}

const UNASKED: Answered = { answer: NOTHING, isLoading: false, problem: null, keyword: '', page: 1 };

/** Candidates of a reference field while its list is open; typing waits for a pause, an older answer never replaces a newer one. */
export function useLookup(
  place: FieldPlace | undefined,
  typed: string,
  isOpen: boolean,
  { currentPage = 1, pageSize }: { readonly currentPage?: number; readonly pageSize?: number } = {},
): LookupState {
  const services = useFieldServices();
  const [state, setState] = useState<Answered>(UNASKED);
  const { resource, path } = place ?? {};
  const keyword = useComposedText(typed, isOpen);
  useEffect(() => {
    if (!isOpen || services === null || place === undefined) return undefined;
    const abort = new AbortController();
    const asked = { keyword, page: currentPage };
    setState((before) => ({ ...before, isLoading: true }));
    const timer = setTimeout(
      () => {
        services
          .lookup(
            place,
            { keyword, currentPage, ...(pageSize === undefined ? {} : { pageSize }) },
            abort.signal,
          )
          .then(
            (answer) => {
              if (!abort.signal.aborted) setState({ ...asked, answer, isLoading: false, problem: null });
            },
            (error: unknown) => {
              if (abort.signal.aborted) return;
              const problem = error instanceof Error ? error.message : '查找失败';
              setState({ ...asked, answer: NOTHING, isLoading: false, problem });
            },
          );
      },
      keyword === '' ? 0 : TYPING_PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
    // A place is made anew by every render; the field it names is what counts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [services, resource, path, keyword, isOpen, currentPage, pageSize]);
  // Whoever picks before the answer is there closes the list, and nobody waits for it any more.
  const isOlder = state.keyword !== keyword || state.page !== currentPage;
  return { ...state, isLoading: (state.isLoading || isOlder) && isOpen };
}
