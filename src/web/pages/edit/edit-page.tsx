import { useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { addressOf } from '#engine/schema/record-address.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { useTab } from '#web/app/tab-context.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { SOURCE_PARAMETER, sourceIn } from '#web/data/form-source.ts';
import type { Begun } from './begin-button.tsx';
import { EditSession } from './edit-session.tsx';
import { newTitle } from './new-title.ts';

export interface EditPageProps {
  readonly resource: string;
  readonly page: PageDefinition;
  readonly route: string;
}

const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  'id',
  'copy',
  'uid',
  'from',
  'resource',
  SOURCE_PARAMETER,
]);

/** The edit page of a resource: `?id=` edits, `?copy=` starts from another record, other parameters are first values. */
export function EditPage({ resource, page, route }: EditPageProps) {
  const tab = useTab();
  const { addressBesideForm } = useOpenRecord();
  const { search } = useLocation();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const id = params.get('id');
  const initial = useMemo((): ErpRecord => {
    const given = [...params].filter(([name]) => !OWN_PARAMETERS.has(name));
    return Object.fromEntries(given);
  }, [params]);
  const madeFrom = useMemo(() => sourceIn(params), [params]);
  const { setDirty, setTitle, replace } = tab;
  const onDirty = useCallback((isDirty: boolean) => setDirty(isDirty), [setDirty]);
  const onShown = useCallback(
    (record: ErpRecord, label: string) => {
      const name = record[label];
      if (typeof name === 'string' && name !== '') setTitle(name);
    },
    [setTitle],
  );
  const ofPage = page.title ?? '';
  const title = id === null ? newTitle(ofPage) : ofPage;
  useEffect(() => {
    if (id === null) setTitle(title);
  }, [id, title, setTitle]);
  // What a form was filled from; a saved one is the same form still.
  const source = params.get(SOURCE_PARAMETER) ?? '';
  const [madeSource, setMadeSource] = useState(source);
  if (source !== '' && source !== madeSource) setMadeSource(source);
  const [begun, setBegun] = useState<Begun | null>(null);
  const onBegin = useCallback(
    (next: Begun) => {
      setBegun(next);
      replace(next.address ?? addressOf(route, { [SOURCE_PARAMETER]: JSON.stringify(next.source) }));
    },
    [replace, route],
  );
  // The record that this form made is edited on in the same form.
  const [made, setMade] = useState<{ readonly id: string; readonly form: string } | null>(null);
  const form = id !== null && id === made?.id ? made.form : (id ?? '');
  return (
    <EditSession
      key={`${tab.refreshKey} ${form} ${madeSource}`}
      resource={resource}
      page={page}
      id={id}
      copyOf={params.get('copy')}
      madeFrom={madeFrom}
      onChoice={(source) => replace(addressOf(route, { [SOURCE_PARAMETER]: JSON.stringify(source) }))}
      onBegin={onBegin}
      initial={initial}
      typed={
        begun?.source.make === madeFrom?.make && begun?.source.id === madeFrom?.id ? begun?.typed : undefined
      }
      place={route}
      title={title}
      isActive={tab.isActive}
      onDirty={onDirty}
      onShown={onShown}
      onLeave={tab.close}
      onSubmitted={(record) => {
        const address = addressBesideForm(resource, route, String(record['id']));
        if (address !== null) replace(address);
      }}
      onCreated={(record) => {
        const madeId = String(record['id']);
        setMade({ id: madeId, form });
        replace(addressOf(route, { id: madeId }));
      }}
    />
  );
}
