import { createContext, useContext } from 'react';
import type { Unsaved } from './tab-store.ts';

/** What a page may do with its own tab and with others. */
export interface TabHandle {
  readonly id: string;
  readonly isActive: boolean;
  readonly refreshKey: number;
  readonly setTitle: (title: string) => void;
  readonly setDirty: (isDirty: boolean) => void;
  /** Marks the tab as having unsaved work of one part of the page (null: none), until what it returns is called. */
  readonly holdUnsaved: (source: string, work: Unsaved | null) => () => void;
  readonly close: () => void;
  readonly openTab: (address: string, options?: { readonly title?: string }) => void;
  /** Puts another address in this tab's place: a created record takes the place of its form. */
  readonly replace: (address: string) => void;
  /** Goes on to another page in this tab's place; beside it where something in this one is unsaved. */
  readonly goOn: (address: string) => void;
}

const nothing = () => undefined;

export const TabContext = createContext<TabHandle>({
  id: '',
  isActive: true,
  refreshKey: 0,
  setTitle: nothing,
  setDirty: nothing,
  holdUnsaved: () => nothing,
  close: nothing,
  openTab: (address) => location.assign(address),
  replace: (address) => location.replace(address),
  goOn: (address) => location.assign(address),
});

/** The tab that a page stands in. */
export function useTab(): TabHandle {
  return useContext(TabContext);
}
