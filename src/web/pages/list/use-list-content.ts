import { useState } from 'react';
import type { ColumnLayout } from '../table/list-column.ts';
import type { ViewContent } from './saved-view.ts';
import type { SavedViews } from './use-saved-views.ts';

export interface ListContent {
  readonly layout: ColumnLayout;
  readonly density: 'compact' | 'middle';
  readonly change: (change: ViewContent) => void;
  readonly open: (view: ViewContent) => void;
}

const NO_LAYOUT: ColumnLayout = {};

/**
 * Columns and density of a list: the person's own until a saved view with columns is opened. What is changed in such a view
 * stands until the page is left or the view is saved: it does not take the place of the person's own.
 */
export function useListContent({ own, saveOwn }: Pick<SavedViews, 'own' | 'saveOwn'>): ListContent {
  const [opened, setOpened] = useState<ViewContent>({});
  const [isInView, setInView] = useState(false);
  const { layout = NO_LAYOUT, density = 'compact' }: ViewContent = { ...own, ...opened };
  return {
    layout,
    density,
    change: (change) => {
      setOpened({ ...opened, ...change });
      if (!isInView) saveOwn({ layout, density, ...change });
    },
    open: (view) => {
      setOpened(view);
      setInView(view.layout !== undefined);
    },
  };
}
