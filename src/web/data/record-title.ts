import { useEffect } from 'react';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { useTab } from '#web/app/tab-context.ts';

/** Names the tab after the record it shows. */
export function useRecordTitle(
  resource: Pick<Resource, 'label' | 'title'> | null,
  record: ErpRecord | null,
  isOn = true,
): void {
  const { setTitle } = useTab();
  const label = resource === null ? undefined : record?.[resource.label];
  useEffect(() => {
    if (isOn && typeof label === 'string' && label !== '') setTitle(label);
  }, [label, setTitle, isOn]);
}
