import { useEffect, useState } from 'react';
import { type Draft, dropDraft, dropOldDrafts, findDraft, keepDraft } from './draft-store.ts';
import { onKeepDrafts, tellDraftKept } from '#web/data/draft-events.ts';
import type { FormStore } from './form-store.ts';

const PAUSE_MS = 1000;

export interface DraftState {
  /** Unsaved work of an earlier visit, until it is taken or thrown away. */
  readonly offered: Draft | null;
  readonly restore: () => void;
  readonly discard: () => void;
  /** The work is saved: nothing to come back to. */
  readonly clear: () => void;
}

/** Keeps unsaved work in the browser, a second after the last change, and offers back what was left behind. */
export function useDraft(store: FormStore, key: string, version: number | null): DraftState {
  const [offered, setOffered] = useState<Draft | null>(null);
  useEffect(() => {
    let isGone = false;
    void dropOldDrafts(new Date());
    void findDraft(key).then((draft) => {
      if (!isGone && draft !== null && !store.isDirty()) setOffered(draft);
    });
    return () => {
      isGone = true;
    };
  }, [key, store]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = async (): Promise<boolean> => {
      clearTimeout(timer);
      timer = undefined;
      if (!store.isDirty()) return true;
      const draft: Draft = { key, savedAt: new Date().toISOString(), version, record: store.record() };
      const isKept = await keepDraft(draft);
      if (isKept) tellDraftKept();
      return isKept;
    };
    const stop = store.subscribeAny(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void keep(), PAUSE_MS);
    });
    const forget = onKeepDrafts(keep);
    return () => {
      stop();
      forget();
      // The page is left, hidden or broken within the pause: what was typed last is kept too.
      if (timer !== undefined) void keep();
    };
  }, [key, store, version]);
  return {
    offered,
    restore: () => {
      if (offered !== null) store.restore(offered.record);
      setOffered(null);
    },
    discard: () => {
      setOffered(null);
      void dropDraft(key);
    },
    clear: () => void dropDraft(key),
  };
}
