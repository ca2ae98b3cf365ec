import type { ColumnLayout } from '../table/list-column.ts';
import type { ListAddress } from './list-address.ts';

/** What a saved view keeps. */
export interface ViewContent {
  readonly address?: Partial<ListAddress>;
  readonly layout?: ColumnLayout;
  readonly density?: 'compact' | 'middle';
}

/** A view of a list as the server keeps it: own or shared. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly isShared: boolean;
  readonly isOwn: boolean;
  readonly content: ViewContent;
}

/** The name under which a person's own columns of a page are kept. */
export function ownLayoutName(route: string): string {
  return `列设置 ${route}`;
}

/** Reads the answer of GET /views/{resource}: the views of one page, and those that name no page. */
export function parseViews(data: unknown, route: string): readonly SavedView[] {
  if (!Array.isArray(data)) return [];
  return data
    .filter(isObject)
    .filter((view) => view['page'] === null || view['page'] === route)
    .map((view) => ({
      id: String(view['id']),
      name: String(view['name']),
      isShared: view['is_shared'] === true,
      isOwn: view['is_own'] === true,
      // Written by this page before.
      content: isObject(view['settings']) ? (view['settings'] as ViewContent) : {},
    }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
