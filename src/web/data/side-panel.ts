import { useSyncExternalStore } from 'react';

const YEAR_S = 31_536_000;

/** A panel beside documents: whether it is shut, of this browser, for all of them. */
export interface SidePanel {
  readonly isShut: () => boolean;
  readonly shut: (next: boolean) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Attachments, comments and history. */
export const ABOUT_PANEL = sidePanel('erp_side');
/** The approval that a document went through; one that runs is always in view. */
export const APPROVAL_PANEL = sidePanel('erp_case');

/** Whether a panel is shut, and how to shut and open it. */
export function useSidePanel({ isShut, shut, subscribe }: SidePanel): readonly [boolean, SidePanel['shut']] {
  return [useSyncExternalStore(subscribe, isShut), shut];
}

/** It is kept in a cookie: the login empties the storage. */
export function sidePanel(cookie: string): SidePanel {
  const listeners = new Set<() => void>();
  let isShut = document.cookie.split('; ').includes(`${cookie}=shut`);
  return {
    isShut: () => isShut,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    shut: (next) => {
      isShut = next;
      document.cookie = `${cookie}=${next ? 'shut' : 'open'}; path=/; max-age=${YEAR_S}; samesite=strict`;
      for (const listener of listeners) listener();
    },
  };
}
