import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type ListAddress, readAddress, writeAddress } from './list-address.ts';

/** The list's state in the URL of its own tab, and how to change it. A change of conditions goes back to page 1. */
export function useListAddress(): readonly [ListAddress, (change: Partial<ListAddress>) => void] {
  const [params, setParams] = useSearchParams();
  const address = useMemo(() => readAddress(params), [params]);
  const change = (next: Partial<ListAddress>) =>
    setParams((current) => writeAddress(current, { ...readAddress(current), page: 1, ...next }), {
      replace: true,
    });
  return [address, change];
}
