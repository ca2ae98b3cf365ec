import { useCallback, useEffect, useRef, useState } from 'react';
import { onKeepDrafts, tellDraftKept } from '#web/data/draft-events.ts';
import { randomKey } from '#web/data/random-key.ts';
import {
  type Draft,
  type DraftAnswer,
  dropDrafts,
  dropOldDrafts,
  findDrafts,
  isSameDraft,
  keepDraft,
  type PendingSave,
} from './draft-store.ts';
import type { FormStore } from './form-store.ts';

const PAUSE_MS = 1000;

export interface DraftOptions {
  readonly key: string;
  /** The save that is on its way, if any: it goes into the draft, so that it is never done twice. */
  readonly pending?: () => PendingSave | null;
  /** What was typed beside the form, for as long as something was. */
  readonly answer?: DraftAnswer | null;
  /** Whether somebody typed something; where it is left out, whether the form differs from what is saved. */
  readonly isTyped?: () => boolean;
}

export interface DraftState {
  /** Unsaved work of an earlier visit, until it is taken or thrown away. */
  readonly offered: Draft | null;
  /** The offer is answered: nothing is offered any more. */
  readonly taken: () => void;
  readonly discard: () => void;
  /** Keeps the work now, with the save that is on its way. */
  readonly keep: () => Promise<boolean>;
  /** The work is saved: nothing to come back to. */
  readonly clear: () => void;
  /** The same for a form that is not taken over as saved: it is left, and keeps nothing more. */
  readonly end: () => void;
}

/**
 * Keeps unsaved work in the browser, a second after the last change and when the form is left, and offers back what was left
 * behind. Each form touches its own draft alone, and those that were answered in it: another window may have one there too.
 */
export function useDraft(
  store: FormStore,
  { key, pending, answer = null, isTyped }: DraftOptions,
): DraftState {
  const [offers, setOffers] = useState<readonly Draft[]>([]);
  const offered = offers[0] ?? null;
  const isWorkedOn = isTyped ?? (() => store.isDirty());
  const latest = useRef({ key, pending, answer, isWorkedOn, offers });
  latest.current = { key, pending, answer, isWorkedOn, offers };
  const [writer] = useState(randomKey);
  const answered = useRef<readonly Draft[]>([]);
  /** What is offered and not answered is neither written over nor dropped. */
  const isOwn = useCallback(
    (stored: Draft): boolean =>
      answered.current.some((draft) => isSameDraft(draft, stored)) ||
      (stored.writer === writer && !latest.current.offers.some((draft) => isSameDraft(draft, stored))),
    [writer],
  );
  const isDone = useRef(false);
  const soon = useRef<() => void>(() => undefined);
  const keep = useCallback(async (): Promise<boolean> => {
    if (isDone.current || (!latest.current.isWorkedOn() && latest.current.answer === null)) return true;
    const { version } = store.base();
    const draft: Draft = {
      key: latest.current.key,
      writer,
      savedAt: new Date().toISOString(),
      version: typeof version === 'number' ? version : null,
      base: store.isNew ? null : store.base(),
      form: store.sent(),
      pending: latest.current.pending?.() ?? null,
      answer: latest.current.answer,
    };
    const isKept = await keepDraft(draft, isOwn);
    if (isKept) tellDraftKept();
    return isKept;
  }, [store, writer, isOwn]);
  useEffect(() => {
    let isGone = false;
    void dropOldDrafts(new Date());
    void findDrafts(key).then((drafts) => {
      if (isGone || latest.current.isWorkedOn()) return;
      setOffers((now) => (now.length === 0 && drafts.length === 0 ? now : drafts));
    });
    return () => {
      isGone = true;
    };
  }, [key, store]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    soon.current = () => {
      isDone.current = false;
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        void keep();
      }, PAUSE_MS);
    };
    const stop = store.subscribeAny(() => soon.current());
    const forget = onKeepDrafts(keep);
    return () => {
      stop();
      forget();
      clearTimeout(timer);
      // The page is left, hidden or broken within the pause: what was typed last is kept too.
      if (timer !== undefined) void keep();
    };
  }, [store, keep]);
  useEffect(() => {
    if (answer !== null) soon.current();
  }, [answer]);
  /** Work that is saved is no draft any more; what is still offered stays. */
  const drop = (): void => void dropDrafts(key, isOwn);
  const answerOffer = (): void => {
    if (offered !== null) answered.current = [...answered.current, offered];
    setOffers((now) => now.slice(1));
  };
  return {
    offered,
    taken: answerOffer,
    discard: () => {
      answerOffer();
      if (offered !== null) void dropDrafts(key, (stored) => isSameDraft(stored, offered));
    },
    keep,
    clear: drop,
    end: () => {
      isDone.current = true;
      drop();
    },
  };
}
