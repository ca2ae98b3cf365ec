import { useEffect, useState } from 'react';
import { type Draft, dropDraft, dropOldDrafts, findDraft, keepDraft } from './draft-store.ts';
import { tellDraftKept } from '#web/data/draft-events.ts';
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
    const keep = (): void => {
      if (!store.isDirty()) return;
      const draft: Draft = { key, savedAt: new Date().toISOString(), version, record: store.record() };
      void keepDraft(draft).then((isKept) => isKept && tellDraftKept());
    };
    const stop = store.subscribeAny(() => {
      clearTimeout(timer);
      timer = setTimeout(keep, PAUSE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
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
