import { useQuery, useQueryClient } from '@tanstack/react-query';
import { http } from '#web/data/http.ts';
import { randomKey } from '#web/data/random-key.ts';
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
  const client = useQueryClient();
  const key = ['views', resource, route];
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => parseViews(await http.get(`/views/${resource}`), route),
    staleTime: 300_000,
  });
  const views = data ?? [];
  const ownName = ownLayoutName(route);
  const ownView = views.find((view) => view.name === ownName && view.isOwn);
  const put = (view: {
    readonly id?: string;
    readonly name: string;
    readonly content: ViewContent;
    readonly isShared: boolean;
  }) =>
    http.put<{ id: string }>(`/views/${resource}`, {
      ...(view.id === undefined ? {} : { id: view.id }),
      name: view.name,
      page: route,
      is_default: false,
      is_shared: view.isShared,
      settings: view.content,
    });
  return {
    views: views.filter((view) => view.name !== ownLayoutName(route)),
    own: ownView?.content ?? {},
    save: async (name, content, isShared) => {
      const known = views.find((view) => view.name === name && view.isOwn);
      await put({ ...(known === undefined ? {} : { id: known.id }), name, content, isShared });
      await client.invalidateQueries({ queryKey: key });
    },
    saveOwn: (content) => {
      const id = ownView?.id ?? randomKey();
      const view: SavedView = { id, name: ownName, isShared: false, isOwn: true, content };
      client.setQueryData<readonly SavedView[]>(key, (old = []) => [
        ...old.filter((item) => item.id !== id),
        view,
      ]);
      // Columns are a convenience: when they cannot be kept the list goes on with them for now.
      put({ id, name: ownName, content, isShared: false }).catch(() => undefined);
    },
    remove: async (view) => {
      await http.delete(`/views/${resource}?id=${encodeURIComponent(view.id)}`);
      await client.invalidateQueries({ queryKey: key });
    },
  };
}
