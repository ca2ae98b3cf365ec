import type { Filter } from '#engine/schema/definition.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { useTab } from '#web/app/tab-context.ts';
import { writeListOrigin } from './list-origin.ts';
import { type ResourceEntry, useResourceList } from './resource-list.ts';

export interface ListOriginGiven {
  readonly resource: Pick<Resource, 'resource'>;
  readonly filter: Filter | null;
  readonly sorters: readonly string[];
}

/** Opens records in tabs of their own, by the routes that the definitions name. */
export function useOpenRecord() {
  const { openTab } = useTab();
  const entries = useResourceList();
  const open = (route: string, params: Readonly<Record<string, string>>) =>
    openTab(Object.keys(params).length === 0 ? route : `${route}?${new URLSearchParams(params).toString()}`);
  return {
    byRoute: (route: string, record: ErpRecord, origin?: ListOriginGiven) =>
      open(route, { id: String(record['id']), ...(origin === undefined ? {} : { from: writeListOrigin(origin) }) }),
    create: (route: string) => open(route, {}),
    byResource: (resource: string, id: string) => {
      const route = routeOf(entries, resource, 'details') ?? routeOf(entries, resource, 'edit');
      if (route !== null) return open(route, { id });
      const list = routeOf(entries, resource, 'list');
      if (list !== null) open(list, { c: JSON.stringify({ id: { eq: id } }) });
    },
    approval: (resource: string, id: string) => {
      const route = routeOf(entries, resource, 'approval') ?? routeOf(entries, resource, 'details');
      if (route !== null) return open(route, { id });
      open('/check/dshList', { resource, id });
    },
    list: (resource: string, condition: Filter) => {
      const route = routeOf(entries, resource, 'list');
      if (route !== null) open(route, { c: JSON.stringify(condition) });
    },
    print: (resource: string, printId: string, record: ErpRecord, route?: string) => {
      const target = route ?? routeOf(entries, resource, 'print');
      if (target !== null) open(target, { id: String(record['id']), print: printId });
    },
  };
}

function routeOf(entries: readonly ResourceEntry[], resource: string, kind: string): string | null {
  const pages = entries.find((entry) => entry.resource === resource)?.pages ?? [];
  return pages.find((page) => page.kind === kind)?.route ?? null;
}
