import { useQuery, useQueryClient } from '@tanstack/react-query';
import { http } from '#web/data/http.ts';
import { OWN_LAYOUT, type SavedView, type ViewContent, parseViews } from './saved-view.ts';

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
    queryFn: async () => parseViews(await http.get(`/views/${resource}?page=${encodeURIComponent(route)}`)),
    staleTime: 300_000,
  });
  const views = data ?? [];
  const put = (name: string, content: ViewContent, shared: boolean) =>
    http.put(`/views/${resource}`, { page: route, name, shared, content });
  return {
    views: views.filter((view) => view.name !== OWN_LAYOUT),
    own: views.find((view) => view.name === OWN_LAYOUT && view.isOwn)?.content ?? {},
    save: async (name, content, isShared) => {
      await put(name, content, isShared);
      await client.invalidateQueries({ queryKey: key });
    },
    saveOwn: (content) => {
      const view: SavedView = { id: OWN_LAYOUT, name: OWN_LAYOUT, isShared: false, isOwn: true, content };
      client.setQueryData<readonly SavedView[]>(key, (old = []) => [
        ...old.filter((item) => item.name !== OWN_LAYOUT),
        view,
      ]);
      // Columns are a convenience: when they cannot be kept the list goes on with them for now.
      put(OWN_LAYOUT, content, false).catch(() => client.invalidateQueries({ queryKey: key }));
    },
    remove: async (view) => {
      await http.delete(`/views/${resource}?id=${encodeURIComponent(view.id)}`);
      await client.invalidateQueries({ queryKey: key });
    },
  };
}
