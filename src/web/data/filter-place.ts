import { useContext, useMemo } from 'react';
import type { FilterPlace } from '#engine/filter/check-filter.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { DictionaryContext } from '#web/fields/dictionary-context.ts';

/** What a filter's sentence needs: the resource with the page's dictionaries. */
export function useFilterPlace(resource: Resource): FilterPlace {
  const dictionaries = useContext(DictionaryContext);
  return useMemo(
    () => ({
      resource,
      catalog: { resources: { [resource.resource]: resource }, dictionaries, roles: {}, menu: [] },
    }),
    [resource, dictionaries],
  );
}
