import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { definitionQuery } from '#web/data/page-resource.ts';
import { findPage, RESOURCE_LIST } from '#web/data/resource-list.ts';
import { LIKELY_PAGES } from './generic-pages.tsx';

/** The page in front comes first. */
const AFTER_MS = 1_500;
const LONGEST_WAIT_MS = 5_000;

/** Loads the programs of the likeliest pages while nobody waits, one after the other; not where the person saves data. */
export function usePagesAhead(): void {
  useEffect(() => {
    if (isSavingData()) return undefined;
    let isGone = false;
    const loadAll = async (): Promise<void> => {
      for (const page of LIKELY_PAGES) {
        await idle();
        if (isGone) return;
        await page.load();
      }
    };
    const timer = setTimeout(() => void loadAll(), AFTER_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
}

/** Asks for the definition of a page that somebody is about to open. */
export function useDefinitionAhead(): (address: string) => void {
  const client = useQueryClient();
  return useCallback(
    (address) => {
      const entries = client.getQueryData(RESOURCE_LIST.queryKey) ?? [];
      const found = findPage(entries, address);
      if (found !== null) void client.prefetchQuery(definitionQuery(found.entry.resource));
    },
    [client],
  );
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, AFTER_MS);
    else requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT_MS });
  });
}

function isSavingData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection');
  return (
    typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
  );
}
