import { ADDRESS } from '#web/data/addresses.ts';
import type { Filter } from '#engine/schema/definition.ts';
import {
  addressOf,
  detailsBesideForm,
  listAddress,
  recordAddress as addressOfRecord,
  routeOfKind,
} from '#engine/schema/record-address.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { useTab } from '#web/app/tab-context.ts';
import { type ListOrigin, writeListOrigin } from './list-origin.ts';
import type { ResourceEntry } from '#contract/meta.ts';
import { formAddress, type FormOrigin } from './form-source.ts';
import { useResourceList } from './resource-list.ts';
import { tabPages } from './tab-pages.ts';

export interface ListOriginGiven extends ListOrigin {
  readonly resource: Pick<Resource, 'resource'>;
}

/** Opens records in tabs of their own, by the routes that the definitions name. */
export function useOpenRecord() {
  const { openTab } = useTab();
  const entries = useResourceList();
  const open = (route: string, params: Readonly<Record<string, string>>) => openTab(addressOf(route, params));
  return {
    byRoute: (route: string, record: ErpRecord, origin?: ListOriginGiven) =>
      open(route, {
        id: String(record['id']),
        ...(origin === undefined ? {} : { from: writeListOrigin(origin) }),
      }),
    create: (route: string) => open(route, {}),
    /** A new record that starts with the values of another. */
    copy: (route: string, record: ErpRecord) => open(route, { copy: String(record['id']) }),
    /** Of some documents one is told the number, and no more. */
    mayRead: (resource: string): boolean => {
      const operations = entries.find((entry) => entry.resource === resource)?.operations ?? [];
      return operations.includes('read') || operations.includes('*');
    },
    hasForm: (target: string): boolean => routeOf(entries, target, 'edit') !== null,
    /** Opens a form filled from a source; false when the role has no form of the resource. */
    make: (target: string, origin: FormOrigin): boolean => {
      const address = formAddress(entries, target, origin);
      if (address !== null) openTab(address);
      return address !== null;
    },
    byResource: (resource: string, id: string) => {
      const address = recordAddress(entries, resource, id);
      if (address !== null) openTab(address);
    },
    /** Links, for the browser's own ways of opening and copying them. */
    addressOf: (route: string, record: ErpRecord): string => addressOf(route, { id: String(record['id']) }),
    /** Where the record of a form is looked at; null when the role has no such page. */
    addressBesideForm: (resource: string, form: string, id: string): string | null => {
      const route = detailsBesideForm(pagesOf(entries, resource), form);
      return route === null ? null : addressOf(route, { id });
    },
    addressOfRecord: (resource: string, id: string): string | null => recordAddress(entries, resource, id),
    approval: (resource: string, id: string) => openTab(approvalAddress(entries, resource, id)),
    addressOfApproval: (resource: string, id: string): string => approvalAddress(entries, resource, id),
    /** Opens the list that a record stands in; null when the role has none. */
    listOf: (resource: string): (() => void) | null => {
      const route = listRoute(entries, resource);
      return route === null ? null : () => open(route, {});
    },
    /** Opens the list of the records that meet a condition, whatever its page is narrowed to. */
    list: (resource: string, condition: Filter) => {
      const own = listAddress(pagesOf(entries, resource), condition);
      const tab = listRoute(entries, resource);
      if (own !== null) openTab(own);
      else if (tab !== null) open(tab, { c: JSON.stringify(condition) });
    },
    print: (resource: string, printId: string, record: ErpRecord, route?: string) => {
      const target = route ?? routeOf(entries, resource, 'print');
      const params = { id: String(record['id']), print: printId };
      // Without a page of its own a print opens on the one for all.
      if (target === null) open(ADDRESS.print, { resource, ...params });
      else open(target, params);
    },
  };
}

/** Where a record is shown; null when the role has no page of it. */
export function recordAddress(
  entries: readonly ResourceEntry[],
  resource: string,
  id: string,
): string | null {
  return addressOfRecord(pagesOf(entries, resource), id);
}

/** Where a record is decided: its page for that, else its details, else the page for all. */
function approvalAddress(entries: readonly ResourceEntry[], resource: string, id: string): string {
  const route = routeOf(entries, resource, 'approval') ?? routeOf(entries, resource, 'details');
  return route === null ? addressOf(ADDRESS.pending, { resource, id }) : addressOf(route, { id });
}

/** The list of a resource: its own page, else the page that it is a tab of. */
function listRoute(entries: readonly ResourceEntry[], resource: string): string | null {
  const own = routeOf(entries, resource, 'list');
  return own ?? tabPages(entries).find((page) => page.resource === resource)?.address ?? null;
}

function routeOf(entries: readonly ResourceEntry[], resource: string, kind: string): string | null {
  return routeOfKind(pagesOf(entries, resource), kind);
}

function pagesOf(entries: readonly ResourceEntry[], resource: string): ResourceEntry['pages'] {
  return entries.find((entry) => entry.resource === resource)?.pages ?? [];
}
