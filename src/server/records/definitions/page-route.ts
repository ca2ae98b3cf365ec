import type { DefinitionStore } from './definition-store.ts';

/** Where setup/pages.json puts a hand-written page; a page that it does not name stands under its component's name. */
export function pageRoute(definitions: Pick<DefinitionStore, 'setup'>, component: string): string {
  const page = definitions.setup().pages.find((known) => known.component === component);
  return page?.route ?? `/${component}`;
}
