import { useEffect } from 'react';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { useTab } from '#web/app/tab-context.ts';

/** Names the tab after the record it shows. */
export function useRecordTitle(
  resource: Pick<Resource, 'label' | 'title'> | null,
  record: ErpRecord | null,
  isOn = true,
): void {
  useTabTitle(isOn ? labelOf(resource, record) : null);
}

/** Names the tab after a paper of a record: of several that are printed each is found again. */
export function usePrintTitle(
  resource: Pick<Resource, 'label'> | null,
  record: ErpRecord | null,
  print: string | undefined,
): void {
  const label = labelOf(resource, record);
  useTabTitle(label === null || print === undefined ? null : `${label} ${print}`);
}

function useTabTitle(title: string | null): void {
  const { setTitle } = useTab();
  useEffect(() => {
    if (title !== null) setTitle(title);
  }, [title, setTitle]);
}

function labelOf(resource: Pick<Resource, 'label'> | null, record: ErpRecord | null): string | null {
  const label = resource === null ? undefined : record?.[resource.label];
  return typeof label === 'string' && label !== '' ? label : null;
}
