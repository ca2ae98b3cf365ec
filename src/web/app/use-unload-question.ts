import { useEffect } from 'react';
import { isLeavingWithDrafts, onKeepDrafts } from '#web/data/draft-events.ts';
import type { OpenTab } from './tab-store.ts';

/**
 * Leaving the site with unsaved work in a tab asks first; with drafts of all of it kept, nothing is asked.
 * @returns true while some of it stays in no draft
 */
export function useUnloadQuestion(tabs: readonly Pick<OpenTab, 'isDirty' | 'isLosable'>[]): boolean {
  const isDirty = tabs.some((tab) => tab.isDirty);
  const isLosable = tabs.some((tab) => tab.isLosable);
  useEffect(() => (isLosable ? onKeepDrafts(() => Promise.resolve(false)) : undefined), [isLosable]);
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeavingWithDrafts()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isDirty]);
  return isLosable;
}
