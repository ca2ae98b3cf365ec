import { useEffect, useEffectEvent } from 'react';

interface ShownPage {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  /** 0 while it is not known. */
  readonly total: number;
  /** Whether the total is of what is asked for now. */
  readonly isSettled: boolean;
}

/** Goes back to the last page there is, where the one that is shown has run empty: its rows were decided, archived or deleted. */
export function useLastPage({ page, pageSize, total, isSettled }: ShownPage, onPage: (page: number) => void) {
  const last = Math.ceil(total / pageSize);
  const isBeyond = isSettled && last > 0 && page > last;
  const goTo = useEffectEvent(onPage);
  useEffect(() => {
    if (isBeyond) goTo(last);
  }, [isBeyond, last]);
}
