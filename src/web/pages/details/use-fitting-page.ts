import { useEffect } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { addressOf, fittingDetails } from '#engine/schema/record-address.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { useTab } from '#web/app/tab-context.ts';

/**
 * Moves on to the page of the records that this one is among: whoever follows a link knows the record's number alone, and
 * comes out on the first page of its resource.
 */
export function useFittingPage(
  resource: Resource | null,
  page: PageDefinition | undefined,
  record: ErpRecord | null,
): void {
  const { replace } = useTab();
  const fitting =
    resource === null || record === null || page?.kind !== 'details'
      ? null
      : fittingDetails(resource.pages, page, record);
  const id = String(record?.['id'] ?? '');
  useEffect(() => {
    if (fitting !== null) replace(addressOf(fitting, { id }));
  }, [fitting, id, replace]);
}
