import { useMemo, useState } from 'react';
import { randomKey } from '#web/data/random-key.ts';
import { useRead } from '#web/data/use-read.ts';
import { useWrite } from '#web/data/use-write.ts';
import { ownLayoutName, parseViews, type SavedView, type ViewContent } from './saved-view.ts';

export interface SavedViews {
  readonly views: readonly SavedView[];
  /** The person's own columns and density for this page. */
  readonly own: ViewContent;
  readonly save: (name: string, content: ViewContent, isShared: boolean) => Promise<void>;
  readonly saveOwn: (content: ViewContent) => void;
  readonly remove: (view: SavedView) => Promise<void>;
}

/** The saved views of a page's list, kept on the server: own ones and those that colleagues share. */
export function useSavedViews(resource: string, route: string): SavedViews {
  const { data, reload } = useRead(
    'GET /views/:resource',
    { params: { resource } },
    { key: ['views', resource, route], staleTimeMs: 300_000 },
  );
  const [newId] = useState(randomKey);
  const { write } = useWrite();
  const views = useMemo(() => parseViews(data, route), [data, route]);
  const ownName = ownLayoutName(route);
  const ownView = views.find((view) => view.name === ownName && view.isOwn);
  const put = (view: {
    readonly id?: string;
    readonly name: string;
    readonly content: ViewContent;
    readonly isShared: boolean;
  }) =>
    write('PUT /views/:resource', {
      params: { resource },
      body: {
        ...(view.id === undefined ? {} : { id: view.id }),
        name: view.name,
        page: route,
        is_default: false,
        is_shared: view.isShared,
        settings: { ...view.content },
      },
    });
  return {
    views: views.filter((view) => view.name !== ownLayoutName(route)),
    own: ownView?.content ?? {},
    save: async (name, content, isShared) => {
      const known = views.find((view) => view.name === name && view.isOwn);
      await put({ ...(known === undefined ? {} : { id: known.id }), name, content, isShared });
      reload();
    },
    saveOwn: (content) => {
      // Columns are a convenience: when they cannot be kept the list goes on with them for now.
      put({ id: ownView?.id ?? newId, name: ownName, content, isShared: false }).then(
        reload,
        () => undefined,
      );
    },
    remove: async (view) => {
      await write('DELETE /views/:resource', { params: { resource }, query: { id: view.id } });
      reload();
    },
  };
}
