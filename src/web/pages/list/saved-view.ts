import type { Filter } from '#engine/schema/definition.ts';
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

/** The name of the view that holds a person's own columns when none is chosen. */
export const OWN_LAYOUT = '__layout__';

/** Reads the answer of GET /views/{resource}. */
export function parseViews(data: unknown): readonly SavedView[] {
  if (!Array.isArray(data)) return [];
  return data.filter(isObject).map((view) => ({
    id: String(view['id'] ?? view['name']),
    name: String(view['name']),
    isShared: view['shared'] === true,
    isOwn: view['own'] !== false,
    content: isObject(view['content']) ? (view['content'] as ViewContent) : {},
  }));
}

/** The condition of a view in the URL form. */
export function viewCondition(view: SavedView): Filter | null {
  return view.content.address?.condition ?? null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
